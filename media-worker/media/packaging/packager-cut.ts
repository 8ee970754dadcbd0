/** Every number the packager cuts, waits or gives up by. Times in milliseconds. */
export interface PackagerLimits {
  /** Length of a part; cut at the frame boundary nearest to it. */
  readonly partMs: number;
  /** Shortest segment: the first keyframe from here on ends it. */
  readonly segmentMs: number;
  /** A keyframe interval this long is reported. */
  readonly longGopMs: number;
  /**
   * The first segment of a window ends here at the latest, keyframe or not; the others are no longer than it declared.
   */
  readonly maxSegmentMs: number;
  readonly maxSegmentBytes: number;
  /** A part ends here at the latest, whatever its time stamps claim. */
  readonly maxPartSamples: number;
  /** How much media may pass before the second track is given up. */
  readonly secondTrackWaitMs: number;
  /** How much media may pass until one usable track must have been configured. */
  readonly firstTrackWaitMs: number;
  readonly maxWaitingBytes: number;
  readonly maxWaitingPackets: number;
  /** If video stalls for this long, audio no longer waits for it. */
  readonly stalledVideoMs: number;
  /** Shortest time between two discontinuities, so that a flapping encoder cannot fill playlists with them. */
  readonly minPeriodMs: number;
}

export const PACKAGER_LIMITS: PackagerLimits = {
  partMs: 500,
  segmentMs: 2000,
  longGopMs: 6000,
  maxSegmentMs: 10_400,
  maxSegmentBytes: 64 * 1024 * 1024,
  maxPartSamples: 4096,
  secondTrackWaitMs: 1000,
  firstTrackWaitMs: 5000,
  maxWaitingBytes: 16 * 1024 * 1024,
  maxWaitingPackets: 4096,
  stalledVideoMs: 3000,
  minPeriodMs: 1000,
};

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
  /** The current segment starts with such a frame. */
  readonly independent: boolean;
  /** What a segment may last. */
  readonly maxMs: number;
}

/** `forced`: a segment ends here, and the next one does not start with a keyframe. */
export type Cut = 'none' | 'part' | 'segment' | 'forced';

/** A keyframe a little early still ends the segment: stamps are rounded, and the next one may be a whole GOP away. */
const EARLY_MS = 50;

export function decideCut(question: CutQuestion, limits: PackagerLimits): Cut {
  const { sinceSegmentMs, sincePartMs, segmentBytes, partSamples, frameMs, maxMs } = question;
  if (sincePartMs <= 0) return 'none'; // nothing that would have a duration
  // After a forced cut, the next keyframe starts a segment at once: players start and switch there.
  const isDue = sinceSegmentMs >= limits.segmentMs - EARLY_MS || !question.independent;
  if (question.entry && isDue) return 'segment';
  if (sinceSegmentMs + frameMs > maxMs || segmentBytes >= limits.maxSegmentBytes) return 'forced';
  if (fullPart(sincePartMs, frameMs, limits.partMs) || partSamples >= limits.maxPartSamples) return 'part';
  return 'none';
}

/**
 * The declared part duration is a tenth longer than the target. Each part has to fill 85 % of it
 * (rfc8216bis §4.4.4.9).
 */
const PROMISED = 1.1;
const FILLED = 0.85 * PROMISED;

/**
 * The frame boundary nearest to the length of a part is here, unless that is too short and one frame more still fits.
 */
function fullPart(sincePartMs: number, frameMs: number, partMs: number): boolean {
  if (sincePartMs + frameMs / 2 <= partMs) return false;
  return sincePartMs >= FILLED * partMs || sincePartMs + frameMs > PROMISED * partMs;
}
