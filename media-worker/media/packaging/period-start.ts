import type { Tracks } from '@/media-worker/media/cmaf/codec-config';
import type { MediaPacket } from '@/media-worker/media/packets/media-packet';
import type { Cut, CutInput } from './packager-cut';

/** The start of a period, and how it decides cuts. */
export interface PeriodStart {
  readonly tracks: Tracks;
  /** The first frame, not yet pushed: a keyframe if there is video. */
  readonly firstPacket: MediaPacket;
  readonly startMs: number;
  readonly wallClockMs: number;
  /** Called with every packaged frame at its time on the media timeline. */
  readonly onFrame?: ((frame: MediaPacket) => void) | undefined;
  /** Returns the current maximum duration of a segment, ms. `limits.maxSegmentMs` applies as well. */
  readonly maxSegmentMs?: (() => number) | undefined;
  /** Overrides the cut decision; `ms` is the frame's decode time on the media timeline. */
  readonly decideCut?: ((ms: number, input: CutInput) => Cut) | undefined;
}
