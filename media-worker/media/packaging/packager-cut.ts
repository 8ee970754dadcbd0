import type { PackagerLimits } from './packager-limits';

/** The open segment and the next frame. Media times in milliseconds. */
export interface CutInput {
  /** Time from the start of the segment to the frame. */
  readonly sinceSegmentMs: number;
  /** Time from the start of the part to the frame. */
  readonly sincePartMs: number;
  readonly segmentBytes: number;
  readonly partSamples: number;
  /** Usual distance between two frames. */
  readonly frameMs: number;
  /** Whether a segment may begin at the frame: it is a keyframe, or there is no video. */
  readonly canStartSegment: boolean;
  /** Whether the current segment starts with a frame that can begin a segment. */
  readonly isIndependent: boolean;
  /** Maximum duration of the segment, ms. */
  readonly maxMs: number;
}

/** What ends before a frame. `forced`: a segment, although the next one does not start with a keyframe. */
export type Cut = 'none' | 'part' | 'segment' | 'forced';

/**
 * How early a keyframe may end a segment, because the next keyframe may be a whole GOP away: timestamps are rounded, and the
 * keyframe of an open GOP is usually decoded two frames early.
 */
const EARLY_MS = { min: 50, max: 130 };
const EARLY_FRAMES = 2.2;

/**
 * Whether a segment or part of a live stream or its renditions ends before a frame. Segments of stored files are cut by
 * `findSegmentCuts` (lib/core/media/segment-cuts.ts).
 */
export function decideCut(input: CutInput, limits: PackagerLimits): Cut {
  const { sinceSegmentMs, sincePartMs, segmentBytes, partSamples, frameMs, maxMs } = input;
  if (sincePartMs <= 0) return 'none'; // an empty part has no duration
  // After a forced cut, the next keyframe starts a segment immediately: players can start and switch there.
  const earlyMs = Math.min(Math.max(EARLY_MS.min, EARLY_FRAMES * frameMs), EARLY_MS.max);
  const isDue = sinceSegmentMs >= limits.segmentMs - earlyMs || !input.isIndependent;
  if (input.canStartSegment && isDue) return 'segment';
  if (sinceSegmentMs + frameMs > maxMs || segmentBytes >= limits.maxSegmentBytes) return 'forced';
  if (isPartFull(sincePartMs, frameMs, limits.partMs) || partSamples >= limits.maxPartSamples) return 'part';
  return 'none';
}

/** The declared part duration is a tenth above the target. Each part has to fill 85 % of it (rfc8216bis §4.4.4.9). */
const DECLARED_FACTOR = 1.1;
const FILLED_FACTOR = 0.85 * DECLARED_FACTOR;

/** Whether the part ends here: this frame boundary is nearest to its target, unless it is too short and one more frame fits. */
function isPartFull(sincePartMs: number, frameMs: number, partMs: number): boolean {
  if (sincePartMs + frameMs / 2 <= partMs) return false;
  return sincePartMs >= FILLED_FACTOR * partMs || sincePartMs + frameMs > DECLARED_FACTOR * partMs;
}
