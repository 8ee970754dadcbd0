import type { VideoRange } from '@/lib/core/hls/playlist';
import type { BitReader } from './bit-reader';

/** Video facts from a sequence parameter set or sequence header. */
export interface SequenceFacts {
  /** RFC 6381 name, such as `avc1.64001f`. */
  readonly codec: string;
  /** Size after cropping, in samples. */
  readonly width: number;
  readonly height: number;
  /** Sample aspect ratio; 1:1 by default. */
  readonly sar: { readonly num: number; readonly den: number };
  /** Frames per second; undefined when absent or implausible. */
  readonly fps: number | undefined;
  readonly videoRange: VideoRange;
  /** Size before cropping, which determines the memory of a decoder. */
  readonly codedWidth: number;
  readonly codedHeight: number;
  /** ffmpeg name, such as `yuv420p` or `yuv422p10le`. */
  readonly pixelFormat: string;
}

/** Transfer characteristics (ITU-T H.273 §8.2): SMPTE ST 2084 and ARIB STD-B67. */
const PQ = 16;
const HLG = 18;

export const videoRangeOf = (transfer: number): VideoRange =>
  transfer === PQ ? 'PQ' : transfer === HLG ? 'HLG' : 'SDR';

const CHROMA_NAMES = ['gray', 'yuv420p', 'yuv422p', 'yuv444p'];

/** @param chromaFormat chroma_format_idc, 0 to 3 */
export function pixelFormatOf(chromaFormat: number, bitDepth: number): string {
  return `${CHROMA_NAMES[chromaFormat] ?? 'unknown'}${bitDepth > 8 ? `${bitDepth}le` : ''}`;
}

/** The frame rate; undefined if it is implausible. */
export const plausibleFps = (fps: number): number | undefined => (fps >= 1 && fps <= 480 ? fps : undefined);

const EXTENDED_SAR = 255;
/** Sample aspect ratio by aspect_ratio_idc, which H.264 and HEVC share (ITU-T H.264 table E-1); 0 is "unspecified". */
const SAR_TABLE: readonly (readonly [number, number])[] = [
  [1, 1],
  [1, 1],
  [12, 11],
  [10, 11],
  [16, 11],
  [40, 33],
  [24, 11],
  [20, 11],
  [32, 11],
  [80, 33],
  [18, 11],
  [15, 11],
  [64, 33],
  [160, 99],
  [4, 3],
  [3, 2],
  [2, 1],
];

/** The sample aspect ratio in the VUI of H.264 and HEVC. */
export function readSar(reader: BitReader): SequenceFacts['sar'] {
  const index = reader.bits(8);
  const [num, den] =
    index === EXTENDED_SAR ? [reader.bits(16), reader.bits(16)] : (SAR_TABLE[index] ?? [1, 1]);
  return num > 0 && den > 0 ? { num, den } : { num: 1, den: 1 };
}
