import type { AudioCodec, MediaPacket, VideoCodec } from './media-packet';

/** RTMP message types 8 and 9 carry the body of the FLV tag of the same number. */
export type MediaMessageType = 8 | 9;

/** The bytes of a media message are not a valid FLV tag. */
export class FlvTagError extends Error {
  override readonly name = 'FlvTagError';
}

/** Codecs by their number in a tag without FourCC (Adobe FLV 10.1, annex E.4), with the common extensions for HEVC and AV1. */
const LEGACY_VIDEO: Readonly<Record<number, VideoCodec>> = { 7: 'avc', 12: 'hevc', 13: 'av1' };
const LEGACY_AUDIO: Readonly<Record<number, AudioCodec>> = { 2: 'mp3', 10: 'aac', 13: 'opus', 14: 'mp3' };
const VIDEO_FOURCC: Readonly<Record<string, VideoCodec>> = {
  avc1: 'avc',
  hvc1: 'hevc',
  av01: 'av1',
  vp09: 'vp9',
};
const AUDIO_FOURCC: Readonly<Record<string, AudioCodec>> = {
  mp4a: 'aac',
  '.mp3': 'mp3',
  'ac-3': 'ac3',
  'ec-3': 'eac3',
  Opus: 'opus',
};

/** Frame types of a video tag. */
const KEY_FRAME = 1;
const GENERATED_KEY_FRAME = 4;
const INFO_FRAME = 5;
/** Set in the first byte of a video tag of Enhanced RTMP. */
const ENHANCED_VIDEO_FLAG = 0x80;
/** Sound format of an audio tag of Enhanced RTMP. */
const ENHANCED_AUDIO = 9;

/** Enhanced RTMP packet types; the numbers mean the same for audio, which has no CodedFramesX. */
const SEQUENCE_START = 0;
const CODED_FRAMES = 1;
const CODED_FRAMES_X = 3;
const MOD_EX = 7;
const VIDEO_PACKETS = { multitrack: 6, mediaTypes: [SEQUENCE_START, CODED_FRAMES, CODED_FRAMES_X] };
const AUDIO_PACKETS = { multitrack: 5, mediaTypes: [SEQUENCE_START, CODED_FRAMES] };
/** The main track of a multitrack packet; other tracks have alternative sizes or languages. */
const MAIN_TRACK_ID = 0;
/** Layouts of the tracks in a multitrack packet. */
const ONE_TRACK = 0;
const MANY_TRACKS_MANY_CODECS = 2;

/**
 * Parses the body of an audio (8) or video (9) message; the payload is a view of the body.
 * @param dts unwrapped decode time in milliseconds
 * @returns null if there is no media of the main track: an empty body, end of sequence, info frame, HDR metadata, or only
 * other tracks
 * @throws FlvTagError if the body ends inside a header
 */
export function parseFlvTag(type: MediaMessageType, dts: number, body: Buffer): MediaPacket | null {
  const packet = readTag(type, dts, body);
  return packet && packet.payload.length > 0 ? packet : null;
}

function readTag(type: MediaMessageType, dts: number, body: Buffer): MediaPacket | null {
  const firstByte = body[0];
  if (firstByte === undefined) return null;
  if (type === 8) {
    return firstByte >> 4 === ENHANCED_AUDIO
      ? parseEnhancedAudio(dts, body)
      : parseLegacyAudio(firstByte, dts, body);
  }
  return (firstByte & ENHANCED_VIDEO_FLAG) !== 0
    ? parseEnhancedVideo(firstByte, dts, body)
    : parseLegacyVideo(firstByte, dts, body);
}

function parseLegacyVideo(firstByte: number, dts: number, body: Buffer): MediaPacket | null {
  const frameType = firstByte >> 4;
  const codec = LEGACY_VIDEO[firstByte & 0x0f] ?? 'unknown';
  if (frameType === INFO_FRAME) return null;
  if (codec === 'unknown') return createVideoPacket(codec, 'frame', frameType, dts, 0, body.subarray(1));
  const packetType = readByte(body, 1);
  if (packetType > 1) return null; // 2 is the end of the sequence, which some encoders send without a composition time
  requireBytes(body, 5);
  const role = packetType === 0 ? 'config' : 'frame';
  return createVideoPacket(codec, role, frameType, dts, body.readIntBE(2, 3), body.subarray(5));
}

function parseEnhancedVideo(firstByte: number, dts: number, body: Buffer): MediaPacket | null {
  const frameType = (firstByte >> 4) & 0x07;
  const track = frameType === INFO_FRAME ? null : readMainTrack(body, VIDEO_PACKETS);
  if (!track) return null;
  const { packetType, data } = track;
  const codec = VIDEO_FOURCC[track.fourCc] ?? 'unknown';
  if (packetType === SEQUENCE_START) return createVideoPacket(codec, 'config', frameType, dts, 0, data);
  // Only codecs with reordering carry a composition time, and CodedFramesX means 0.
  if (packetType === CODED_FRAMES_X || (codec !== 'avc' && codec !== 'hevc')) {
    return createVideoPacket(codec, 'frame', frameType, dts, 0, data);
  }
  requireBytes(data, 3);
  return createVideoPacket(codec, 'frame', frameType, dts, data.readIntBE(0, 3), data.subarray(3));
}

/** Packet types of Enhanced RTMP, which differ for video and audio. */
interface PacketTypes {
  readonly multitrack: number;
  /** Packet types that carry media or its configuration. */
  readonly mediaTypes: readonly number[];
}

/** One track of an Enhanced RTMP message. */
interface EnhancedTrack {
  readonly packetType: number;
  readonly fourCc: string;
  readonly data: Buffer;
}

/**
 * The main track of an Enhanced RTMP message (https://veovera.org/docs/enhanced/enhanced-rtmp-v2.html); null if
 * the message has no media of it.
 */
function readMainTrack(body: Buffer, { multitrack, mediaTypes }: PacketTypes): EnhancedTrack | null {
  let packetType = readByte(body, 0) & 0x0f;
  let offset = 1;
  // Modifiers, such as an exact timestamp, are skipped. Their size minus one has 8 bits, or 16 bits after a byte 255. The next
  // packet type is in the lower half of the byte after them.
  while (packetType === MOD_EX) {
    let size = readByte(body, offset++) + 1;
    if (size === 256) {
      requireBytes(body, offset + 2);
      size = body.readUInt16BE(offset) + 1;
      offset += 2;
    }
    offset += size;
    packetType = readByte(body, offset++) & 0x0f;
  }
  if (packetType === multitrack) return findMainTrack(body, offset, mediaTypes);
  if (!mediaTypes.includes(packetType)) return null;
  return { packetType, fourCc: readFourCc(body, offset), data: body.subarray(offset + 4) };
}

function findMainTrack(
  body: Buffer,
  layoutOffset: number,
  mediaTypes: readonly number[],
): EnhancedTrack | null {
  const layout = readByte(body, layoutOffset) >> 4;
  const packetType = readByte(body, layoutOffset) & 0x0f;
  if (!mediaTypes.includes(packetType)) return null;
  let offset = layoutOffset + 1;
  let fourCc = '';
  if (layout !== MANY_TRACKS_MANY_CODECS) {
    fourCc = readFourCc(body, offset);
    offset += 4;
  }
  while (offset < body.length) {
    if (layout === MANY_TRACKS_MANY_CODECS) {
      fourCc = readFourCc(body, offset);
      offset += 4;
    }
    const trackId = readByte(body, offset++);
    let end = body.length;
    if (layout !== ONE_TRACK) {
      requireBytes(body, offset + 3);
      end = offset + 3 + body.readUIntBE(offset, 3);
      offset += 3;
      requireBytes(body, end);
    }
    if (trackId === MAIN_TRACK_ID) return { packetType, fourCc, data: body.subarray(offset, end) };
    offset = end;
  }
  return null;
}

function readFourCc(body: Buffer, offset: number): string {
  requireBytes(body, offset + 4);
  return body.toString('latin1', offset, offset + 4);
}

function parseLegacyAudio(firstByte: number, dts: number, body: Buffer): MediaPacket | null {
  const codec = LEGACY_AUDIO[firstByte >> 4] ?? 'unknown';
  if (codec !== 'aac') return createAudioPacket(codec, 'frame', dts, body.subarray(1));
  const packetType = readByte(body, 1);
  if (packetType > 1) return null;
  return createAudioPacket(codec, packetType === 0 ? 'config' : 'frame', dts, body.subarray(2));
}

function parseEnhancedAudio(dts: number, body: Buffer): MediaPacket | null {
  const track = readMainTrack(body, AUDIO_PACKETS);
  if (!track) return null;
  const codec = AUDIO_FOURCC[track.fourCc] ?? 'unknown';
  return createAudioPacket(codec, track.packetType === SEQUENCE_START ? 'config' : 'frame', dts, track.data);
}

function createVideoPacket(
  codec: VideoCodec,
  role: 'config' | 'frame',
  frameType: number,
  dts: number,
  compositionMs: number,
  payload: Buffer,
): MediaPacket {
  // A decoder configuration arrives in a "key frame" tag, but is not a frame.
  const key = role === 'frame' && (frameType === KEY_FRAME || frameType === GENERATED_KEY_FRAME);
  const pts = role === 'frame' ? dts + compositionMs : dts;
  return { kind: 'video', codec, role, key, dts, pts, payload };
}

function createAudioPacket(
  codec: AudioCodec,
  role: 'config' | 'frame',
  dts: number,
  payload: Buffer,
): MediaPacket {
  return { kind: 'audio', codec, role, dts, pts: dts, payload };
}

function readByte(body: Buffer, index: number): number {
  requireBytes(body, index + 1);
  return body.readUInt8(index);
}

function requireBytes(body: Buffer, count: number): void {
  if (body.length < count) throw new FlvTagError(`Media tag has ${body.length} bytes, ${count} needed`);
}
