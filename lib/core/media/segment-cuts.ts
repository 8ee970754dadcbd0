/**
 * Where segments of stored files are cut. Those of live streams and their renditions are cut while frames arrive, by
 * `decideCut` (media-worker/media/packaging/packager-cut.ts).
 */

/** The frames of a presentation, in decode order. */
export interface CutFrames {
  readonly count: number;
  /** Seconds. */
  readonly shownAt: (frame: number) => number;
  readonly isKey: (frame: number) => boolean;
}

export interface Cut {
  readonly frame: number;
  /** Seconds. */
  readonly at: number;
  /** Whether decoding can start at this frame. */
  readonly independent: boolean;
}

/** Times are sums of rounded ticks. */
const roundingSeconds = 0.001;
const segmentSeconds = 6 - roundingSeconds;
/** Without a keyframe within this time, a segment starts with another frame. */
export const maxCutSeconds = 12 + roundingSeconds;
/** Minimum duration of a segment that an early keyframe ends. */
const minSegmentSeconds = 2;

/**
 * Where segments start: at the first keyframe after six seconds. A frame can start a segment if all frames before it in
 * decode order are shown earlier, and all frames after it later.
 */
export function segmentCuts(frames: CutFrames): Cut[] {
  const { count, shownAt, isKey } = frames;
  if (count === 0) return [];
  const earliestFrom = new Float64Array(count + 1).fill(Infinity);
  for (let frame = count - 1; frame >= 0; frame--)
    earliestFrom[frame] = Math.min(earliestFrom[frame + 1] ?? Infinity, shownAt(frame));
  const cuts: Cut[] = [{ frame: 0, at: earliestFrom[0] ?? 0, independent: isKey(0) }];
  let latest = shownAt(0);
  let key: Cut | null = null;
  let audioCut: Cut | null = null;
  const cutAt = (nextCut: Cut): number => {
    cuts.push(nextCut);
    [key, audioCut] = [null, null];
    latest = shownAt(nextCut.frame);
    return nextCut.frame;
  };
  for (let frame = 1; frame < count; frame++) {
    const at = earliestFrom[frame] ?? 0;
    const elapsedMs = at - (cuts.at(-1)?.at ?? 0);
    const divides = latest < at;
    latest = Math.max(latest, shownAt(frame));
    const late = elapsedMs > maxCutSeconds;
    const earlier: Cut | null = late ? (key ?? audioCut) : null;
    if (earlier) frame = cutAt(earlier);
    else if (divides && (late || (isKey(frame) && elapsedMs >= segmentSeconds)))
      frame = cutAt({ frame, at, independent: isKey(frame) });
    else if (divides && isKey(frame) && elapsedMs >= minSegmentSeconds)
      key = { frame, at, independent: true };
    else if (divides && elapsedMs >= segmentSeconds) audioCut = { frame, at, independent: false };
  }
  return cuts;
}
