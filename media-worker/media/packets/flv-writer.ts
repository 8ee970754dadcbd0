import type { MediaPacket } from './media-packet';

const AUDIO_TAG = 8;
const VIDEO_TAG = 9;
const TAG_HEADER_BYTES = 11;

const KEY_FRAME = 1;
const INTER_FRAME = 2;
const AVC = 7;
/** AAC, 44 kHz, 16 bit, stereo: required by the specification for every AAC configuration. */
const AAC_FLAGS = 0xaf;

/**
 * The first bytes of an FLV stream: the header, and the size of a tag before the first one, which is 0. Readers wait for every
 * announced track, so the header names only existing ones.
 * @see Adobe Flash Video File Format Specification 10.1, Annex E.2
 */
export function encodeFlvHeader({
  video,
  audio,
}: {
  readonly video: boolean;
  readonly audio: boolean;
}): Buffer {
  const flags = (audio ? 4 : 0) | (video ? 1 : 0);
  return Buffer.from([0x46, 0x4c, 0x56, 1, flags, 0, 0, 0, 9, 0, 0, 0, 0]);
}

/**
 * One H.264 or AAC packet as an FLV tag (Annex E.4). Times are written modulo 2^32 ms after adding `shiftMs`, so that a
 * stream can begin near 0.
 * @throws RangeError for another codec, which has no number in plain FLV
 */
export function encodeFlvTag(packet: MediaPacket, shiftMs = 0): Buffer {
  return wrapInFlvTag(
    packet,
    packet.kind === 'video' ? encodeVideoHead(packet) : encodeAudioHead(packet),
    shiftMs,
  );
}

/** Wraps a packet, whose codec header is `head`, into an FLV tag. */
export function wrapInFlvTag(packet: MediaPacket, head: Buffer, shiftMs: number): Buffer {
  const size = head.length + packet.payload.length;
  const tag = Buffer.allocUnsafe(TAG_HEADER_BYTES + size + 4);
  const time = Math.round(packet.dts + shiftMs) >>> 0;
  tag.writeUInt8(packet.kind === 'video' ? VIDEO_TAG : AUDIO_TAG, 0);
  tag.writeUIntBE(size, 1, 3);
  // The top byte of the timestamp follows its lower three bytes.
  tag.writeUIntBE(time & 0xffffff, 4, 3);
  tag.writeUInt8(time >>> 24, 7);
  tag.writeUIntBE(0, 8, 3);
  head.copy(tag, TAG_HEADER_BYTES);
  packet.payload.copy(tag, TAG_HEADER_BYTES + head.length);
  tag.writeUInt32BE(TAG_HEADER_BYTES + size, TAG_HEADER_BYTES + size);
  return tag;
}

/**
 * One packet of any packaged codec as an FLV tag for other Headwater processes. HEVC and AV1 use tags of Enhanced
 * RTMP (https://veovera.org/docs/enhanced/enhanced-rtmp-v2.html).
 * @returns null for a codec that is not packaged
 */
export function encodeRelayTag(packet: MediaPacket): Buffer | null {
  if (packet.kind === 'audio') return packet.codec === 'aac' ? encodeFlvTag(packet) : null;
  if (packet.codec === 'avc') return encodeFlvTag(packet);
  if (packet.codec !== 'hevc' && packet.codec !== 'av1') return null;
  return wrapInFlvTag(packet, encodeEnhancedHead(packet, packet.codec), 0);
}

const FOUR_CC = { hevc: 'hvc1', av1: 'av01' } as const;
/** Set in the first byte of a tag of Enhanced RTMP. */
const ENHANCED_FLAG = 0x80;
const SEQUENCE_START = 0;
const CODED_FRAMES = 1;

function encodeEnhancedHead(packet: MediaPacket & { kind: 'video' }, codec: keyof typeof FOUR_CC): Buffer {
  const isConfig = packet.role === 'config';
  const frameType = isConfig || packet.key ? KEY_FRAME : INTER_FRAME;
  // Frames of AV1 have no composition time.
  const hasComposition = !isConfig && codec === 'hevc';
  const head = Buffer.alloc(hasComposition ? 8 : 5);
  head.writeUInt8(ENHANCED_FLAG | (frameType << 4) | (isConfig ? SEQUENCE_START : CODED_FRAMES), 0);
  head.write(FOUR_CC[codec], 1, 'latin1');
  if (hasComposition) head.writeIntBE(compositionTime(packet), 5, 3);
  return head;
}

function encodeVideoHead(packet: MediaPacket & { kind: 'video' }): Buffer {
  if (packet.codec !== 'avc') throw new RangeError(`FLV carries only H.264 video, not ${packet.codec}`);
  const isConfig = packet.role === 'config';
  const head = Buffer.alloc(5);
  head.writeUInt8(((isConfig || packet.key ? KEY_FRAME : INTER_FRAME) << 4) | AVC, 0);
  head.writeUInt8(isConfig ? 0 : 1, 1);
  head.writeIntBE(isConfig ? 0 : compositionTime(packet), 2, 3);
  return head;
}

/** The composition time, limited to the signed 24 bits of the tag: a larger value is not a valid frame distance. */
export function compositionTime({ dts, pts }: MediaPacket): number {
  return Math.max(-(2 ** 23), Math.min(2 ** 23 - 1, Math.round(pts) - Math.round(dts)));
}

function encodeAudioHead(packet: MediaPacket & { kind: 'audio' }): Buffer {
  if (packet.codec !== 'aac') throw new RangeError(`FLV carries only AAC audio, not ${packet.codec}`);
  return Buffer.from([AAC_FLAGS, packet.role === 'config' ? 0 : 1]);
}
