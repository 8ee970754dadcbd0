import { wrapInFlvTag, compositionTime } from './flv-writer';
import type { VideoPacket } from './media-packet';

/**
 * Maximum number of layers: sizes in which a WebRTC publisher sends the same video. OBS sends up to four, and does not start if
 * fewer are accepted than it offers.
 */
export const MAX_LAYERS = 4;

/** Set in the first byte of a tag of Enhanced RTMP. */
const ENHANCED_FLAG = 0x80;
const KEY_FRAME = 1;
const INTER_FRAME = 2;
const MULTITRACK = 6;
/** The layout of one track (0) in the upper half of the byte, and the packet type of coded frames (1) in the lower half. */
const ONE_TRACK_OF_CODED_FRAMES = 1;
const FOUR_CC = 'avc1';
/** Flags and packet type (1 byte), layout of the tracks (1), FourCC (4), track number (1), and composition time (3). */
const HEAD_BYTES = 10;

/**
 * A frame of a smaller layer in H.264 as a video tag of track `layer` (Enhanced RTMP v2, one track in each tag,
 * https://veovera.org/docs/enhanced/enhanced-rtmp-v2.html). Its keyframes contain their parameter sets.
 * @returns null for other packets
 */
export function encodeLayerTag(layer: number, packet: VideoPacket): Buffer | null {
  if (packet.codec !== 'avc' || packet.role !== 'frame') return null;
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt8(ENHANCED_FLAG | ((packet.key ? KEY_FRAME : INTER_FRAME) << 4) | MULTITRACK, 0);
  head.writeUInt8(ONE_TRACK_OF_CODED_FRAMES, 1);
  head.write(FOUR_CC, 2, 'latin1');
  head.writeUInt8(layer, 6);
  head.writeIntBE(compositionTime(packet), 7, 3);
  return wrapInFlvTag(packet, head, 0);
}

/**
 * Parses the body of a video tag that `encodeLayerTag` wrote; null for any other body.
 * @param dts unwrapped decode time in milliseconds
 */
export function parseLayerTag(
  dts: number,
  body: Buffer,
): { readonly layer: number; readonly packet: VideoPacket } | null {
  if (body.length <= HEAD_BYTES) return null;
  const firstByte = body.readUInt8(0);
  const layer = body.readUInt8(6);
  const isLayerTag =
    (firstByte & (ENHANCED_FLAG | 0x0f)) === (ENHANCED_FLAG | MULTITRACK) &&
    body.readUInt8(1) === ONE_TRACK_OF_CODED_FRAMES &&
    body.toString('latin1', 2, 6) === FOUR_CC;
  if (!isLayerTag || layer < 1 || layer > MAX_LAYERS) return null;
  const key = ((firstByte >> 4) & 0x07) === KEY_FRAME;
  const pts = dts + body.readIntBE(7, 3);
  const payload = body.subarray(HEAD_BYTES);
  return { layer, packet: { kind: 'video', codec: 'avc', role: 'frame', key, dts, pts, payload } };
}
