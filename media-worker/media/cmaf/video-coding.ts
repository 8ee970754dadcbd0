import type { PictureFacts } from './picture-facts';

/** Video that is packaged as it comes. */
export type VideoCodingName = 'avc' | 'hevc' | 'av1';

/** One video track as it has to be announced. */
export interface VideoConfig extends PictureFacts {
  readonly coding: VideoCodingName;
  /** The decoder configuration record as received: the content of `avcC`, `hvcC` or `av1C`. */
  readonly record: Buffer;
  /** Every picture that the record announces; the first one is described here. */
  readonly pictures: readonly PictureFacts[];
  /** Bytes of the length before each NAL unit of a frame. AV1 has none. */
  readonly nalLengthSize: number;
}

/** What packaging has to know about one way of coding video. Frames are samples as an MP4 has them. */
export interface VideoCoding {
  readonly name: VideoCodingName;
  readonly entry: 'avc1' | 'hvc1' | 'av01';
  /** Of sample entries whose frames may bring parameter sets of their own. */
  readonly inBandEntry: 'avc3' | 'hev1' | 'av01';
  readonly recordBox: 'avcC' | 'hvcC' | 'av1C';
  /** @throws CodecConfigError for anything a player could not be given */
  readonly parse: (record: Buffer) => VideoConfig;
  /** The pictures that a frame announces itself: decoders follow it, whatever the record says. */
  readonly picturesIn: (frame: Buffer, nalLengthSize: number) => readonly PictureFacts[];
  /** Whether decoding can begin with the frame; null if the publisher's word has to do. */
  readonly isKeyframe: (frame: Buffer, nalLengthSize: number) => boolean | null;
  /** The record that a keyframe needs whose parameter sets are not those of the record before it; null: it needs none. */
  readonly recordFor: (keyframe: Buffer, recordBefore: Buffer | null) => Buffer | null;
  /** The record's parameter sets as they stand in a frame. */
  readonly setsOf: (record: Buffer) => Buffer;
  /** A keyframe that carries the record's parameter sets itself. One that has its own stays as it is. */
  readonly withSets: (keyframe: Buffer, record: Buffer) => Buffer;
}

/** Of encoders that send no configuration. */
export const USUAL_NAL_LENGTH_SIZE = 4;

const MAX_RECORD_BYTES = 64 * 1024;

/** Longer records are refused before they are read. */
export const isRecordLength = (length: number, least: number): boolean =>
  length >= least && length <= MAX_RECORD_BYTES;
