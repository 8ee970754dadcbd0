import type { PackagerLimits } from './packager-limits';

/** The moment before a frame is added: what has gathered, and what the frame is. Times in media milliseconds. */
export interface CutQuestion {
  readonly sinceSegmentMs: number;
  readonly sincePartMs: number;
  readonly segmentBytes: number;
  readonly partSamples: number;
  /** Usual distance of two frames. */
  readonly frameMs: number;
  /** A segment may begin with the frame: a keyframe, or any frame where there are no pictures. */
  readonly entry: boolean;
}

/** `forced`: a segment ends here, and the next one cannot be decoded by itself. */
export type Cut = 'none' | 'part' | 'segment' | 'forced';

/** A keyframe a little early still ends the segment: stamps are rounded, and the next one may be a whole GOP away. */
const EARLY_MS = 50;

export function decideCut(question: CutQuestion, limits: PackagerLimits): Cut {
  const { sinceSegmentMs, sincePartMs, segmentBytes, partSamples, frameMs } = question;
  if (sincePartMs <= 0) return 'none'; // nothing that would have a duration
  if (question.entry && sinceSegmentMs >= limits.segmentMs - EARLY_MS) return 'segment';
  if (sinceSegmentMs >= limits.maxSegmentMs || segmentBytes >= limits.maxSegmentBytes) return 'forced';
  if (sincePartMs + frameMs / 2 > limits.partMs || partSamples >= limits.maxPartSamples) return 'part';
  return 'none';
}
