import type { Tracks } from '@/media-worker/media/cmaf/codec-config';
import type { MediaPacket } from '@/media-worker/media/packets/media-packet';
import type { Cut, CutQuestion } from './packager-cut';

/** What a period begins with, and who decides about it. */
export interface PeriodStart {
  readonly tracks: Tracks;
  /** The first frame: of video when there is a video track, and then a keyframe. It is not yet pushed. */
  readonly first: MediaPacket;
  readonly startMs: number;
  readonly wallMs: number;
  /** Called with every packaged frame and its time on the media timeline. */
  readonly onFrame?: ((frame: MediaPacket) => void) | undefined;
  /** What a segment may last now, ms; `limits.maxSegmentMs` is never exceeded. */
  readonly maxMs?: (() => number) | undefined;
  /** Where to cut instead of by the limits alone; `ms` is the frame's decode time on the media timeline. */
  readonly decide?: ((ms: number, question: CutQuestion) => Cut) | undefined;
}
