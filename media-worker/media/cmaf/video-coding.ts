import type { PictureFacts } from './picture-facts';

/** Video codecs that are packaged without re-encoding. */
export type VideoCodingName = 'avc' | 'hevc' | 'av1';

/** Configuration of one video track. */
export interface VideoConfig extends PictureFacts {
  readonly coding: VideoCodingName;
  /** The decoder configuration record as received: the content of `avcC`, `hvcC` or `av1C`. */
  readonly record: Buffer;
  /** Every picture size in the record; the first is described here. */
  readonly pictures: readonly PictureFacts[];
  /** Bytes of the length prefix of NAL units. AV1 has none. */
  readonly nalLengthSize: number;
}

/** What packaging needs to know about a video codec. Frames are samples in the form of MP4. */
export interface VideoCoding {
  readonly name: VideoCodingName;
  readonly entry: 'avc1' | 'hvc1' | 'av01';
  /** Type of sample entries whose frames may carry their own parameter sets. */
  readonly inBandEntry: 'avc3' | 'hev1' | 'av01';
  readonly recordBox: 'avcC' | 'hvcC' | 'av1C';
  /** @throws CodecConfigError for anything players cannot use */
  readonly parse: (record: Buffer) => VideoConfig;
  /** Picture sizes in the frame itself: decoders follow them, whatever the record says. */
  readonly picturesIn: (frame: Buffer, nalLengthSize: number) => readonly PictureFacts[];
  /** Whether decoding can begin at the frame; null if only the publisher's flag tells. */
  readonly isKeyframe: (frame: Buffer, nalLengthSize: number) => boolean | null;
  /** The record for a keyframe whose parameter sets differ from the previous record; null: unchanged. */
  readonly recordFor: (keyframe: Buffer, recordBefore: Buffer | null) => Buffer | null;
  /** The record's parameter sets in the form of a frame. */
  readonly setsOf: (record: Buffer) => Buffer;
  /** A keyframe with the record's parameter sets. One with own sets is unchanged. */
  readonly withSets: (keyframe: Buffer, record: Buffer) => Buffer;
}

/** Default for encoders without a configuration. */
export const USUAL_NAL_LENGTH_SIZE = 4;

const MAX_RECORD_BYTES = 64 * 1024;

/** Longer records are rejected unread. */
export const isRecordLength = (length: number, least: number): boolean =>
  length >= least && length <= MAX_RECORD_BYTES;
