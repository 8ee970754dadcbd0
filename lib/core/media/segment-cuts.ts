/**
 * Where segments of stored files are cut. Segments of live streams and their renditions are cut while frames arrive, by
 * `decideCut` (media-worker/media/packaging/packager-cut.ts).
 */

/** The frames of a presentation, in decode order. */
export interface CutFrames {
  readonly count: number;
  /** Presentation time of a frame. */
  readonly shownAtSeconds: (frame: number) => number;
  readonly isKeyframe: (frame: number) => boolean;
}

/** The start of a segment. */
export interface Cut {
  /** Index of its first frame, in decode order. */
  readonly frame: number;
  /** Presentation time of its first frame. */
  readonly startSeconds: number;
  /** Whether decoding can start at this frame. */
  readonly independent: boolean;
}

/** Tolerance for times, which are sums of rounded ticks. */
const ROUNDING_SECONDS = 0.001;
/** Duration after which a segment ends at the next keyframe. */
const SEGMENT_SECONDS = 6 - ROUNDING_SECONDS;
/** Maximum duration, in seconds, of a segment that does not end at a keyframe, and of most others. */
export const MAX_CUT_SECONDS = 12 + ROUNDING_SECONDS;
/**
 * Maximum duration, in seconds, of a segment that ends at the next keyframe. Players that seek into a segment without a
 * keyframe show nothing, or the next keyframe, until they reach that keyframe.
 */
const MAX_GOP_SECONDS = 20 + ROUNDING_SECONDS;
/**
 * Maximum duration and number of frames of a segment of slow video that ends at the next keyframe. By default, x264 makes a
 * keyframe every 250 frames, which last minutes in a slide show.
 */
const sparseGop = { seconds: 300 + ROUNDING_SECONDS, frames: 300 };
/** Minimum duration, in seconds, of a segment that ends at a keyframe before `SEGMENT_SECONDS`. */
export const MIN_SEGMENT_SECONDS = 2;

const isTooLong = (seconds: number, frames: number): boolean =>
  seconds > (frames > sparseGop.frames ? MAX_GOP_SECONDS : sparseGop.seconds);

/**
 * Finds the frames that start segments: the first keyframe after six seconds, or, if none follows within twelve seconds, an
 * earlier or a later keyframe. Only if the segment would become too long, another frame starts the next one. A frame can
 * start a segment only if all frames before it in decode order are shown earlier, and all frames after it later.
 */
export function findSegmentCuts(frames: CutFrames): Cut[] {
  const { count, shownAtSeconds, isKeyframe } = frames;
  if (count === 0) return [];
  // earliestSeconds[n]: the earliest presentation time of frame n and all frames after it in decode order.
  const earliestSeconds = new Float64Array(count + 1).fill(Infinity);
  for (let frame = count - 1; frame >= 0; frame--)
    earliestSeconds[frame] = Math.min(earliestSeconds[frame + 1] ?? Infinity, shownAtSeconds(frame));
  const cuts: Cut[] = [{ frame: 0, startSeconds: earliestSeconds[0] ?? 0, independent: isKeyframe(0) }];
  let latestSeconds = shownAtSeconds(0);
  // Cuts to which the search returns if the segment becomes too long: the last keyframe, and the last other frame.
  let keyframeCut: Cut | null = null;
  let otherCut: Cut | null = null;
  // Adds a cut, and returns its frame, from which the search continues.
  const addCut = (nextCut: Cut): number => {
    cuts.push(nextCut);
    [keyframeCut, otherCut] = [null, null];
    latestSeconds = shownAtSeconds(nextCut.frame);
    return nextCut.frame;
  };
  for (let frame = 1; frame < count; frame++) {
    const shownSeconds = earliestSeconds[frame] ?? 0;
    const segment = cuts.at(-1) ?? { frame: 0, startSeconds: 0 };
    const elapsedSeconds = shownSeconds - segment.startSeconds;
    const isCuttable = latestSeconds < shownSeconds;
    latestSeconds = Math.max(latestSeconds, shownAtSeconds(frame));
    const isLate = elapsedSeconds > MAX_CUT_SECONDS;
    const isOverdue = isLate && isTooLong(elapsedSeconds, frame - segment.frame);
    const previousCut: Cut | null = (isLate ? keyframeCut : null) ?? (isOverdue ? otherCut : null);
    if (previousCut) frame = addCut(previousCut);
    else if (isCuttable && (isOverdue || (isKeyframe(frame) && elapsedSeconds >= SEGMENT_SECONDS)))
      frame = addCut({ frame, startSeconds: shownSeconds, independent: isKeyframe(frame) });
    else if (isCuttable && isKeyframe(frame) && elapsedSeconds >= MIN_SEGMENT_SECONDS)
      keyframeCut = { frame, startSeconds: shownSeconds, independent: true };
    else if (isCuttable && !isLate && elapsedSeconds >= SEGMENT_SECONDS)
      otherCut = { frame, startSeconds: shownSeconds, independent: false };
  }
  return cuts;
}
