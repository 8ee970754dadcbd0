/** One entry of an edit list: a piece of the media, or an empty edit (ISO/IEC 14496-12 §8.6.6). */
export interface Edit {
  /** In ticks of the movie. 0 in the last edit: to the end of the media. */
  readonly duration: number;
  /** In ticks of the track. Negative: empty edit. */
  readonly mediaTime: number;
  /** 1 plays, 0 holds one frame. */
  readonly rate: number;
}

/** Continuous media of a track. */
export interface PresentedRange {
  /** In ticks of the track, `to` exclusive. Equal if one frame is held. */
  readonly from: number;
  readonly to: number;
  /** Presentation time in seconds. */
  readonly at: number;
  /** Seconds. */
  readonly length: number;
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

/** More cuts than editors make in a film. */
const maxRanges = 500;

/**
 * The presented ranges of a track, with its edit list applied.
 * @returns null if the list changes the speed, or has more cuts than any film
 */
export function presentedRanges(edits: readonly Edit[], media: EditedMedia): PresentedRange[] | null {
  const { timescale, movieTimescale, mediaStart, mediaEnd } = media;
  if (edits.length === 0) return [range(mediaStart, mediaEnd, { at: mediaStart / timescale, timescale })];
  // Durations are whole ticks of the movie: an edit that ends this close to the end of the media ends with the media.
  const tolerance = Math.max(1, timescale / movieTimescale);
  const ranges: PresentedRange[] = [];
  let at = 0;
  for (const [index, { duration, mediaTime, rate }] of edits.entries()) {
    const seconds = duration / movieTimescale;
    const toTheEnd = duration === 0 && index === edits.length - 1;
    if (mediaTime >= 0 && rate === 0 && seconds > 0)
      ranges.push({ from: mediaTime, to: mediaTime, at, length: seconds });
    else if (mediaTime >= 0 && rate !== 1 && rate !== 0) return null;
    else if (mediaTime >= 0 && rate === 1 && (seconds > 0 || toTheEnd)) {
      const endTime = mediaTime + seconds * timescale;
      const to = toTheEnd || endTime > mediaEnd - tolerance ? mediaEnd : endTime;
      if (to > mediaTime) addRange(ranges, range(mediaTime, to, { at, timescale }), tolerance);
    }
    at += seconds;
  }
  return ranges.length > maxRanges ? null : ranges;
}

function range(
  from: number,
  to: number,
  { at, timescale }: { readonly at: number; readonly timescale: number },
): PresentedRange {
  return { from, to, at, length: (to - from) / timescale };
}

/** Merges adjacent edits: editors write one edit per cut, even if the media continues. */
function addRange(ranges: PresentedRange[], next: PresentedRange, tolerance: number): void {
  const last = ranges.at(-1);
  const isContiguous =
    last &&
    last.to > last.from &&
    Math.abs(last.to - next.from) <= tolerance &&
    Math.abs(last.at + last.length - next.at) < 0.002;
  if (isContiguous) ranges.splice(-1, 1, { ...last, to: next.to, length: next.at + next.length - last.at });
  else ranges.push(next);
}
