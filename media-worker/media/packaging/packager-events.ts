import type { Tracks } from '@/media-worker/media/cmaf/codec-config';

/** All media after this event decodes with this init segment. It marks the start of a publish or a discontinuity. */
export interface InitEvent {
  readonly type: 'init';
  readonly data: Buffer;
  readonly tracks: Tracks;
  /** Media time of the first frame, ms. */
  readonly startMs: number;
  /** Wall clock at the arrival of the first frame, ms since 1970. */
  readonly wallClockMs: number;
}

/** A part: one `moof` and its `mdat`. Times are media times in ms. */
export interface PartEvent {
  readonly type: 'part';
  /** Consecutive buffers of the part's bytes. */
  readonly data: readonly Buffer[];
  readonly bytes: number;
  readonly startMs: number;
  readonly durationMs: number;
  /** Whether the part can be decoded without earlier parts. */
  readonly independent: boolean;
  readonly videoFrames: number;
  /** End of the longest track; audio may exceed the video at the end of a publish. */
  readonly endMs: number;
}

/** A segment is complete: the parts since the last cut. */
interface SegmentEvent {
  readonly type: 'segment';
  readonly startMs: number;
  readonly durationMs: number;
  readonly independent: boolean;
}

/**
 * `unsupported_codec`: the track is left out. `bad_config`: a decoder configuration was ignored. `long_gop`:
 * keyframes are so far apart that players start late. `forced_cut`: a segment had to end without a keyframe.
 * `timestamp_jump`: the publisher's clock jumped, a discontinuity follows. `audio_dropped`: audio did not fit the
 * timeline. `late_picture`: video started while only audio was playing. `unordered_frames`: the presentation
 * times of B-frames are wrong.
 */
export type IssueCode =
  | 'unsupported_codec'
  | 'bad_config'
  | 'long_gop'
  | 'forced_cut'
  | 'timestamp_jump'
  | 'audio_dropped'
  | 'late_picture'
  | 'unordered_frames';

/**
 * An issue for the stream's owner; packaging continues. `long_gop`, `forced_cut` and `audio_dropped` are emitted
 * once per period, and `unsupported_codec` and `bad_config` once per message.
 */
interface IssueEvent {
  readonly type: 'issue';
  readonly code: IssueCode;
  readonly message: string;
}

/** The issue with this message is resolved. */
interface ResolvedEvent {
  readonly type: 'resolved';
  readonly message: string;
}

/** No track can be packaged, or the video is rejected: no event follows, and the publisher is disconnected. */
interface RejectedEvent {
  readonly type: 'rejected';
  readonly message: string;
}

export type MediaEvent = InitEvent | PartEvent | SegmentEvent;
export type PackagerEvent = MediaEvent | IssueEvent | ResolvedEvent | RejectedEvent;
export type EmitPackagerEvent = (event: PackagerEvent) => void;
