import { wrapInFlvTag, compositionTime } from './flv-writer';
import type { VideoPacket } from './media-packet';

/** Maximum number of layers of one video: OBS sends up to four, and does not start if fewer are accepted than it offers. */
export const MAX_LAYERS = 4;

const EXTENDED = 0x80;
const KEY_FRAME = 1;
const INTER_FRAME = 2;
const MULTITRACK = 6;
const CODED_FRAMES = 1;
const FOUR_CC = 'avc1';
/** Flags and packet type, layout of the tracks, FourCC, track number, and composition time. */
const HEAD_BYTES = 10;

/**
 * A frame of a smaller layer in H.264 as a video tag of track `layer` (Enhanced RTMP v2, one track in each tag,
 * https://veovera.org/docs/enhanced/enhanced-rtmp-v2.html). Its keyframes contain their parameter sets.
 * @returns null for other packets
 */
export function encodeLayerTag(layer: number, packet: VideoPacket): Buffer | null {
  if (packet.codec !== 'avc' || packet.role !== 'frame') return null;
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt8(EXTENDED | ((packet.key ? KEY_FRAME : INTER_FRAME) << 4) | MULTITRACK, 0);
  head.writeUInt8(CODED_FRAMES, 1);
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
  const first = body.readUInt8(0);
  const layer = body.readUInt8(6);
  const isLayer =
    (first & (EXTENDED | 0x0f)) === (EXTENDED | MULTITRACK) &&
    body.readUInt8(1) === CODED_FRAMES &&
    body.toString('latin1', 2, 6) === FOUR_CC;
  if (!isLayer || layer < 1 || layer > MAX_LAYERS) return null;
  const key = ((first >> 4) & 0x07) === KEY_FRAME;
  const pts = dts + body.readIntBE(7, 3);
  const payload = body.subarray(HEAD_BYTES);
  return { layer, packet: { kind: 'video', codec: 'avc', role: 'frame', key, dts, pts, payload } };
}
