import type { AudioCodec, MediaPacket, VideoCodec } from './media-packet';

/** RTMP message types 8 and 9 carry the body of the FLV tag of the same number. */
export type MediaMessageType = 8 | 9;

/** The bytes of a media message are no FLV tag. */
export class FlvTagError extends Error {
  override readonly name = 'FlvTagError';
}

const LEGACY_VIDEO: Readonly<Record<number, VideoCodec>> = { 7: 'avc', 12: 'hevc', 13: 'av1' };
const LEGACY_AUDIO: Readonly<Record<number, AudioCodec>> = { 2: 'mp3', 10: 'aac', 13: 'opus', 14: 'mp3' };
const VIDEO_FOURCC: Readonly<Record<string, VideoCodec>> = {
  avc1: 'avc',
  hvc1: 'hevc',
  av01: 'av1',
  vp09: 'vp9',
};
const AUDIO_FOURCC: Readonly<Record<string, AudioCodec>> = { mp4a: 'aac', '.mp3': 'mp3', Opus: 'opus' };

const KEY_FRAME = 1;
const GENERATED_KEY_FRAME = 4;
const INFO_FRAME = 5;
const EXTENDED_AUDIO = 9;

/** Enhanced RTMP packet types; the same numbers mean the same for audio, which has no CodedFramesX. */
const SEQUENCE_START = 0;
const CODED_FRAMES = 1;
const CODED_FRAMES_X = 3;

/**
 * Reads the body of an audio (8) or video (9) message; the payload is a view of it. `dts` in unwrapped milliseconds.
 * Null for what carries no media: empty bodies, end of sequence, info frames, HDR metadata, tracks beyond the first.
 * @throws FlvTagError when the body ends inside a header
 */
export function parseFlvTag(type: MediaMessageType, dts: number, body: Buffer): MediaPacket | null {
  const packet = readTag(type, dts, body);
  return packet && packet.payload.length > 0 ? packet : null;
}

function readTag(type: MediaMessageType, dts: number, body: Buffer): MediaPacket | null {
  const first = body[0];
  if (first === undefined) return null;
  if (type === 8) {
    return first >> 4 === EXTENDED_AUDIO ? enhancedAudio(first, dts, body) : legacyAudio(first, dts, body);
  }
  return (first & 0x80) !== 0 ? enhancedVideo(first, dts, body) : legacyVideo(first, dts, body);
}

function legacyVideo(first: number, dts: number, body: Buffer): MediaPacket | null {
  const frameType = first >> 4;
  const codec = LEGACY_VIDEO[first & 0x0f] ?? 'unknown';
  if (frameType === INFO_FRAME) return null;
  if (codec === 'unknown') return videoPacket(codec, 'frame', frameType, dts, 0, body.subarray(1));
  const packetType = byteAt(body, 1);
  if (packetType > 1) return null; // 2 is the end of the sequence, which some encoders send without a time
  requireBytes(body, 5);
  const role = packetType === 0 ? 'config' : 'frame';
  return videoPacket(codec, role, frameType, dts, body.readIntBE(2, 3), body.subarray(5));
}

function enhancedVideo(first: number, dts: number, body: Buffer): MediaPacket | null {
  const frameType = (first >> 4) & 0x07;
  const packetType = first & 0x0f;
  if (packetType !== SEQUENCE_START && packetType !== CODED_FRAMES && packetType !== CODED_FRAMES_X)
    return null;
  if (frameType === INFO_FRAME) return null;
  requireBytes(body, 5);
  const codec = VIDEO_FOURCC[body.toString('latin1', 1, 5)] ?? 'unknown';
  if (packetType === SEQUENCE_START) {
    return videoPacket(codec, 'config', frameType, dts, 0, body.subarray(5));
  }
  // Only codecs with reordering carry a composition time, and CodedFramesX says it is 0.
  if (packetType === CODED_FRAMES_X || (codec !== 'avc' && codec !== 'hevc')) {
    return videoPacket(codec, 'frame', frameType, dts, 0, body.subarray(5));
  }
  requireBytes(body, 8);
  return videoPacket(codec, 'frame', frameType, dts, body.readIntBE(5, 3), body.subarray(8));
}

function legacyAudio(first: number, dts: number, body: Buffer): MediaPacket | null {
  const codec = LEGACY_AUDIO[first >> 4] ?? 'unknown';
  if (codec !== 'aac') return audioPacket(codec, 'frame', dts, body.subarray(1));
  const packetType = byteAt(body, 1);
  if (packetType > 1) return null;
  return audioPacket(codec, packetType === 0 ? 'config' : 'frame', dts, body.subarray(2));
}

function enhancedAudio(first: number, dts: number, body: Buffer): MediaPacket | null {
  const packetType = first & 0x0f;
  if (packetType !== SEQUENCE_START && packetType !== CODED_FRAMES) return null;
  requireBytes(body, 5);
  const codec = AUDIO_FOURCC[body.toString('latin1', 1, 5)] ?? 'unknown';
  return audioPacket(codec, packetType === SEQUENCE_START ? 'config' : 'frame', dts, body.subarray(5));
}

function videoPacket(
  codec: VideoCodec,
  role: 'config' | 'frame',
  frameType: number,
  dts: number,
  compositionTime: number,
  view: Buffer,
): MediaPacket {
  // A decoder configuration rides on a "key frame" tag, but nothing can be shown from it.
  const key = role === 'frame' && (frameType === KEY_FRAME || frameType === GENERATED_KEY_FRAME);
  const pts = role === 'frame' ? dts + compositionTime : dts;
  return { kind: 'video', codec, role, key, dts, pts, payload: view };
}

function audioPacket(codec: AudioCodec, role: 'config' | 'frame', dts: number, view: Buffer): MediaPacket {
  return { kind: 'audio', codec, role, dts, pts: dts, payload: view };
}

function byteAt(body: Buffer, index: number): number {
  requireBytes(body, index + 1);
  return body.readUInt8(index);
}

function requireBytes(body: Buffer, count: number): void {
  if (body.length < count) throw new FlvTagError(`media tag of ${body.length} bytes, ${count} needed`);
}
