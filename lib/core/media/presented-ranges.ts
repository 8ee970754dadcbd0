/**
 * One entry of an edit list (ISO/IEC 14496-12 §8.6.6): a part of the media, or an empty edit, during which nothing is
 * presented.
 */
export interface Edit {
  /** Duration in ticks of the movie. 0 in the last edit means until the end of the media. */
  readonly duration: number;
  /** Start of the part in the media, in ticks of the track; negative for an empty edit. */
  readonly mediaTime: number;
  /** 1 plays the part, 0 holds its first frame. */
  readonly rate: number;
}

/** A continuous range of the media of a track, and when it is presented. The presentation starts at second 0. */
export interface PresentedRange {
  /** Media times in ticks of the track; the end is exclusive, and equal to the start if one frame is held. */
  readonly fromTicks: number;
  readonly toTicks: number;
  /** When the range is presented, and for how long. */
  readonly startSeconds: number;
  readonly durationSeconds: number;
}

export interface EditedMedia {
  /** Ticks per second of the track. */
  readonly timescale: number;
  /** Ticks per second of the durations of edits. */
  readonly movieTimescale: number;
  /** Presentation times of the start of the first frame and the end of the last one, in ticks of the track. */
  readonly mediaStart: number;
  readonly mediaEnd: number;
}

/** Maximum difference of times that are equal except for rounding, in seconds. */
const MAX_ROUNDING_SECONDS = 0.002;
/** Maximum time by which the last edit is extended, in seconds: what was cut off is not shown. */
const MAX_EXTENSION_SECONDS = 0.1;
/** Maximum number of ranges: no edited video has as many cuts. */
const MAX_RANGES = 500;

/**
 * Applies the edit list of a track to its media.
 * @returns the presented ranges; null if an edit changes the speed, or if there are more than `MAX_RANGES`
 */
export function applyEditList(edits: readonly Edit[], media: EditedMedia): PresentedRange[] | null {
  const { timescale, movieTimescale, mediaStart, mediaEnd } = media;
  if (edits.length === 0)
    return [createRange(mediaStart, mediaEnd, { startSeconds: mediaStart / timescale, timescale })];
  // Both tolerances are in ticks of the track. Durations of edits are whole ticks of the movie, so a last edit that ends this
  // close to the end of the media is extended to it.
  const endTolerance = Math.max(1, Math.min(timescale / movieTimescale, MAX_EXTENSION_SECONDS * timescale));
  // A movie can have ticks of a second. Edits that are further apart than rounding explains are separate.
  const tolerance = Math.max(1, Math.min(endTolerance, MAX_ROUNDING_SECONDS * timescale));
  const ranges: PresentedRange[] = [];
  let startSeconds = 0;
  for (const [index, { duration, mediaTime, rate }] of edits.entries()) {
    const seconds = duration / movieTimescale;
    const isLast = index === edits.length - 1;
    const isToMediaEnd = duration === 0 && isLast;
    if (mediaTime >= 0 && rate === 0 && seconds > 0)
      ranges.push({ fromTicks: mediaTime, toTicks: mediaTime, startSeconds, durationSeconds: seconds });
    else if (mediaTime >= 0 && rate !== 1 && rate !== 0) return null;
    else if (mediaTime >= 0 && rate === 1 && (seconds > 0 || isToMediaEnd)) {
      const editEnd = mediaTime + seconds * timescale;
      const isNearEnd = editEnd > mediaEnd - (isLast ? endTolerance : tolerance);
      const toTicks = isToMediaEnd || isNearEnd ? mediaEnd : editEnd;
      if (toTicks > mediaTime)
        addRange(ranges, createRange(mediaTime, toTicks, { startSeconds, timescale }), tolerance);
    }
    startSeconds += seconds;
  }
  return ranges.length > MAX_RANGES ? null : ranges;
}

function createRange(
  fromTicks: number,
  toTicks: number,
  { startSeconds, timescale }: { readonly startSeconds: number; readonly timescale: number },
): PresentedRange {
  return { fromTicks, toTicks, startSeconds, durationSeconds: (toTicks - fromTicks) / timescale };
}

/** Merges adjacent edits: editors write one edit per cut, even if the media continues. */
function addRange(ranges: PresentedRange[], next: PresentedRange, tolerance: number): void {
  const previous = ranges.at(-1);
  const isContiguous =
    previous &&
    previous.toTicks > previous.fromTicks &&
    Math.abs(previous.toTicks - next.fromTicks) <= tolerance &&
    Math.abs(previous.startSeconds + previous.durationSeconds - next.startSeconds) < MAX_ROUNDING_SECONDS;
  if (isContiguous)
    ranges.splice(-1, 1, {
      ...previous,
      toTicks: next.toTicks,
      durationSeconds: next.startSeconds + next.durationSeconds - previous.startSeconds,
    });
  else ranges.push(next);
}
