import type { PresentedRange } from './presented-ranges';

/** The frames of a video track, in decode order. */
export interface PictureFrames {
  readonly count: number;
  /** Presentation time of a frame, in ticks of the track. */
  readonly pts: (frame: number) => number;
  /** Presentation time at which the last frame ends. */
  readonly mediaEnd: number;
  /** Whether decoding can begin with it: an IDR picture, whatever the table of keyframes says. */
  readonly isIdr: (frame: number) => boolean;
  /** Ticks per second of the track. */
  readonly timescale: number;
}

/** What a plan does with frames of the file. Decode order, `last` is part of it. */
export interface PictureRun {
  /** `copy`: the frames of the file. `encode`: those that are shown, encoded with a keyframe at the start. */
  readonly kind: 'copy' | 'encode';
  readonly first: number;
  readonly last: number;
  /** The presentation times that are shown, in ticks of the track; `to` is not part of it. */
  readonly from: number;
  readonly to: number;
  /** When its first frame is shown, in seconds; a frame may be shown later than its own time says. */
  readonly at: number;
  /** Seconds from the times of its frames to their presentation. */
  readonly shift: number;
  /** When its last frame ends, in seconds. Far behind it: the frame is held. */
  readonly until: number;
}

/** A frame that is shown longer is repeated, so that a player finds it after a seek. */
export const longestFrameSeconds = 12;
/** Durations of edits are rounded to the ticks of the movie. */
const toleranceSeconds = 0.002;

/**
 * Which frames are sent and which are encoded once more. Frames that an edit cuts off are never sent: where it starts
 * between keyframes or ends in front of frames that others refer to, the frames around it are encoded.
 * @param ranges from `presentedRanges`
 */
export function picturePlan(ranges: readonly PresentedRange[], frames: PictureFrames): PictureRun[] {
  if (frames.count === 0) return [];
  const shown = new ShownOrder(frames);
  const runs = ranges.flatMap((range) => splitAtHoles(range, shown).flatMap((part) => runsOf(part, shown)));
  return runs.filter((run) => run.until > run.at);
}

/** The frames in the order in which they are shown. */
class ShownOrder {
  readonly frames: PictureFrames;
  readonly order: Int32Array;

  constructor(frames: PictureFrames) {
    this.frames = frames;
    this.order = Int32Array.from({ length: frames.count }, (_, frame) => frame);
    const { pts } = frames;
    this.order.sort((a, b) => pts(a) - pts(b) || a - b);
  }

  frame(place: number): number {
    return this.order[place] ?? 0;
  }

  pts(place: number): number {
    return place < this.order.length ? this.frames.pts(this.frame(place)) : this.frames.mediaEnd;
  }

  /** The place of the frame that is on screen at a time, or of the first one. */
  placeAt(time: number): number {
    let [low, high] = [0, this.order.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.pts(middle) <= time) low = middle + 1;
      else high = middle;
    }
    return Math.max(0, low - 1);
  }
}

/** A range whose frames are on screen for a usual time, but for its last one. */
function splitAtHoles(range: PresentedRange, shown: ShownOrder): PresentedRange[] {
  const { timescale } = shown.frames;
  const parts: PresentedRange[] = [];
  let rest = range;
  for (
    let place = shown.placeAt(range.from);
    shown.pts(place + 1) < range.to && place + 1 < shown.order.length;
    place++
  ) {
    const next = shown.pts(place + 1);
    const since = Math.max(shown.pts(place), range.from);
    if (next - since <= longestFrameSeconds * timescale) continue;
    const length = (next - rest.from) / timescale;
    parts.push({ ...rest, to: next, length });
    rest = { from: next, to: range.to, at: rest.at + length, length: rest.length - length };
  }
  return [...parts, rest];
}

function runsOf(range: PresentedRange, shown: ShownOrder): PictureRun[] {
  const { timescale, pts, isIdr, count } = shown.frames;
  const tolerance = toleranceSeconds * timescale;
  const time = (media: number) => range.at + Math.max(0, media - range.from) / timescale;
  const shift = range.at - range.from / timescale;
  const end = range.at + range.length;
  let place = shown.placeAt(range.from);
  if (range.to > range.from && shown.pts(place + 1) <= range.from + tolerance && place + 1 < count)
    place += 1;
  const from = shown.pts(place);
  const to = range.to > range.from ? Math.max(range.to - tolerance, from + 1) : from + 1;
  const [start, last] = [shown.frame(place), lastShown(shown, place, to)];
  const idrBefore = (frame: number): number => {
    let found = frame;
    while (found > 0 && !isIdr(found)) found -= 1;
    return found;
  };
  const idrAfter = (frame: number): number => {
    let found = frame + 1;
    while (found <= last && !isIdr(found)) found += 1;
    return found;
  };
  const encode = (first: number, until: number, bounds: { from: number; to: number }): PictureRun => ({
    kind: 'encode',
    first,
    last: until,
    ...bounds,
    shift,
    at: time(bounds.from),
    until: bounds.to >= to ? end : time(bounds.to),
  });
  if (range.to === range.from) return [encode(idrBefore(start), last, { from, to })];
  const runs: PictureRun[] = [];
  let next = start;
  if (!isIdr(start)) {
    next = idrAfter(start);
    const shownTo = next <= last ? Math.min(pts(next), to) : to;
    runs.push(encode(idrBefore(start), Math.min(next - 1, last), { from, to: shownTo }));
  }
  if (next > last) return runs;
  let hidden = next;
  while (hidden <= last && pts(hidden) < to) hidden += 1;
  const copiedTo = hidden <= last ? idrBefore(hidden) : last + 1;
  if (copiedTo > next) {
    const shownTo = copiedTo <= last ? pts(copiedTo) : to;
    const until = copiedTo <= last ? time(shownTo) : end;
    runs.push({
      kind: 'copy',
      first: next,
      last: copiedTo - 1,
      from: pts(next),
      to: shownTo,
      at: time(pts(next)),
      shift,
      until,
    });
  }
  if (copiedTo <= last) runs.push(encode(copiedTo, last, { from: pts(copiedTo), to }));
  return runs;
}

/** The last frame in decode order that is shown before a time. */
function lastShown(shown: ShownOrder, place: number, to: number): number {
  let last = shown.frame(place);
  for (let at = place; at < shown.order.length && shown.pts(at) < to; at++)
    last = Math.max(last, shown.frame(at));
  return last;
}
