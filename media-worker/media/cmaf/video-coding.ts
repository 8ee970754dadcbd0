import type { SequenceFacts } from './sequence-facts';

/** Video codecs that are packaged without re-encoding. */
export type VideoCodingName = 'avc' | 'hevc' | 'av1';

/** The configuration of a video track. */
export interface VideoConfig extends SequenceFacts {
  readonly coding: VideoCodingName;
  /** The decoder configuration record as received: the content of `avcC`, `hvcC` or `av1C`. */
  readonly record: Buffer;
  /** Facts for every SPS in the record; the first is this configuration's own. */
  readonly sequences: readonly SequenceFacts[];
  /** Bytes of the length prefix of NAL units; unused for AV1. */
  readonly nalLengthSize: number;
}

/** The properties of a video codec that packaging needs. Frames are in the form of MP4 samples. */
export interface VideoCoding {
  readonly name: VideoCodingName;
  /** Type of sample entries whose parameter sets are in the record. */
  readonly entry: 'avc1' | 'hvc1' | 'av01';
  /** Type of sample entries whose frames may carry their own parameter sets. */
  readonly inBandEntry: 'avc3' | 'hev1' | 'av01';
  readonly recordBox: 'avcC' | 'hvcC' | 'av1C';
  /** @throws CodecDataError for configurations that players cannot decode */
  readonly parse: (record: Buffer) => VideoConfig;
  /** Facts of the parameter sets in the frame itself: decoders follow them instead of the record. */
  readonly sequencesIn: (frame: Buffer, nalLengthSize: number) => readonly SequenceFacts[];
  /** Whether decoding can begin at the frame; null if only the publisher's flag shows it. */
  readonly isKeyframe: (frame: Buffer, nalLengthSize: number) => boolean | null;
  /** The new record for a keyframe whose parameter sets differ from `recordBefore`; null if unchanged. */
  readonly changedRecordFor: (keyframe: Buffer, recordBefore: Buffer | null) => Buffer | null;
  /** The record's parameter sets in the form of an MP4 sample. */
  readonly parameterSetsOf: (record: Buffer) => Buffer;
  /** A keyframe with the record's parameter sets. A keyframe that contains parameter sets is unchanged. */
  readonly addParameterSets: (keyframe: Buffer, record: Buffer) => Buffer;
}

/** Bytes of the length prefix of NAL units if an encoder has sent no configuration. */
export const DEFAULT_NAL_LENGTH_SIZE = 4;

const MAX_RECORD_BYTES = 64 * 1024;

/** Whether a record's length is plausible; longer records are rejected without being parsed. */
export const isPlausibleRecordLength = (length: number, minBytes: number): boolean =>
  length >= minBytes && length <= MAX_RECORD_BYTES;
