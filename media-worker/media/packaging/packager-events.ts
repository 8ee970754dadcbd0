import type { Tracks } from '@/media-worker/media/cmaf/codec-config';

/** Everything after this decodes with this init segment: the start of a publish, or a discontinuity. */
export interface InitEvent {
  readonly type: 'init';
  readonly data: Buffer;
  readonly tracks: Tracks;
  /** Media time of the first frame, ms. */
  readonly startMs: number;
  /** Wall clock at the arrival of that frame, ms since 1970. */
  readonly wallMs: number;
}

/** One `moof` + `mdat`. */
export interface PartEvent {
  readonly type: 'part';
  /** Consecutive buffers. */
  readonly data: readonly Buffer[];
  readonly bytes: number;
  readonly startMs: number;
  readonly durationMs: number;
  /** Decodable on its own. */
  readonly independent: boolean;
  readonly videoFrames: number;
  /** End of its longest track; sound may exceed the video at the end of a publish. */
  readonly endMs: number;
}

/** The parts since the last cut form a whole segment. */
interface SegmentEvent {
  readonly type: 'segment';
  readonly startMs: number;
  readonly durationMs: number;
  readonly independent: boolean;
}

/**
 * `unsupported_codec`: the track is left out. `bad_config`: a decoder configuration was ignored. `long_gop`: keyframes
 * are so far apart that players start late. `forced_cut`: a segment had to end without a keyframe. `timestamp_jump`: the
 * publisher's clock jumped, a discontinuity follows. `audio_dropped`: sound did not fit the timeline. `late_picture`:
 * video started when only sound was played.
 */
export type IssueCode =
  | 'unsupported_codec'
  | 'bad_config'
  | 'long_gop'
  | 'forced_cut'
  | 'timestamp_jump'
  | 'audio_dropped'
  | 'late_picture';

/** An issue for the stream's owner; packaging continues. At most one per code and discontinuity. */
interface IssueEvent {
  readonly type: 'issue';
  readonly code: IssueCode;
  readonly message: string;
}

/** An issue with this message is over. */
interface ResolvedEvent {
  readonly type: 'resolved';
  readonly message: string;
}

/** No track can be packaged, or the video is not accepted: nothing follows, and the publisher is disconnected. */
interface RefusedEvent {
  readonly type: 'refused';
  readonly message: string;
}

export type MediaEvent = InitEvent | PartEvent | SegmentEvent;
export type PackagerEvent = MediaEvent | IssueEvent | ResolvedEvent | RefusedEvent;
export type EmitPackagerEvent = (event: PackagerEvent) => void;
