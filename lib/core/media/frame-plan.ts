import type { PresentedRange } from './presented-ranges';

/** The frames of a video track, in decode order. */
export interface VideoFrames {
  readonly count: number;
  /** Presentation time of a frame, in ticks of the track. */
  readonly pts: (frame: number) => number;
  /** Presentation end of the last frame. */
  readonly mediaEnd: number;
  /** Whether decoding can start at this frame, because it is an IDR picture. The keyframe table of the file may differ. */
  readonly isIdr: (frame: number) => boolean;
  /** Ticks per second of the track. */
  readonly timescale: number;
}

/** A run of frames in a plan, in decode order; `last` is included. */
export interface FrameRun {
  /** `copy`: the frames of the file are copied. `encode`: the shown frames are encoded, with a keyframe at the start. */
  readonly kind: 'copy' | 'encode';
  /** Whether every frame that is encoded becomes a keyframe. */
  readonly onlyKeyframes?: boolean;
  /** Index of the first and the last frame, in decode order. */
  readonly first: number;
  readonly last: number;
  /** The shown presentation times, in ticks of the track; `to` is exclusive. */
  readonly from: number;
  readonly to: number;
  /** Presentation time of the first frame, in seconds. It may be later than the timestamp of the frame. */
  readonly start: number;
  /** Seconds that are added to the timestamps of the frames for their presentation. */
  readonly shift: number;
  /** Presentation end of the last frame, in seconds: the frame is held until then. */
  readonly end: number;
}

/** Maximum duration of a frame, in seconds. A longer frame is repeated, so that players can seek into it. */
export const MAX_FRAME_SECONDS = 12;
/** Tolerance for times of edits, which are rounded to the ticks of the movie. */
const TOLERANCE_SECONDS = 0.002;

/**
 * Decides which frames are copied and which are encoded again. Frames that an edit cuts off are never shown: if an edit
 * starts between keyframes, or ends before frames that others refer to, the frames around the cut are encoded.
 * @param ranges the ranges that the edit list of the track presents
 */
export function planFrames(ranges: readonly PresentedRange[], frames: VideoFrames): FrameRun[] {
  if (frames.count === 0) return [];
  const presentation = new PresentationOrder(frames);
  const runs = ranges.flatMap((range) =>
    splitAtGaps(range, presentation).flatMap((part) => planRange(part, presentation)),
  );
  return runs.filter((run) => run.end > run.start);
}

/** The frames in presentation order. */
class PresentationOrder {
  readonly frames: VideoFrames;
  readonly order: Int32Array;

  constructor(frames: VideoFrames) {
    this.frames = frames;
    this.order = Int32Array.from({ length: frames.count }, (_, frame) => frame);
    const { pts } = frames;
    this.order.sort((a, b) => pts(a) - pts(b) || a - b);
  }

  frame(rank: number): number {
    return this.order[rank] ?? 0;
  }

  pts(rank: number): number {
    return rank < this.order.length ? this.frames.pts(this.frame(rank)) : this.frames.mediaEnd;
  }

  /** The rank, in presentation order, of the frame that is on screen at a time; 0 before the first frame. */
  rankAt(time: number): number {
    let [low, high] = [0, this.order.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.pts(middle) <= time) low = middle + 1;
      else high = middle;
    }
    return Math.max(0, low - 1);
  }
}

/** Splits a range after each frame that is on screen for longer than `MAX_FRAME_SECONDS`. */
function splitAtGaps(range: PresentedRange, presentation: PresentationOrder): PresentedRange[] {
  const { timescale } = presentation.frames;
  const parts: PresentedRange[] = [];
  let remainingRange = range;
  for (
    let rank = presentation.rankAt(range.from);
    presentation.pts(rank + 1) < range.to && rank + 1 < presentation.order.length;
    rank++
  ) {
    const next = presentation.pts(rank + 1);
    const shownFrom = Math.max(presentation.pts(rank), range.from);
    if (next - shownFrom <= MAX_FRAME_SECONDS * timescale) continue;
    const length = (next - remainingRange.from) / timescale;
    parts.push({ ...remainingRange, to: next, length });
    remainingRange = {
      from: next,
      to: range.to,
      at: remainingRange.at + length,
      length: remainingRange.length - length,
    };
  }
  return [...parts, remainingRange];
}

/** The runs of one range in which no frame is on screen for too long. */
function planRange(range: PresentedRange, presentation: PresentationOrder): FrameRun[] {
  const { frames } = presentation;
  const { timescale, pts, isIdr } = frames;
  const tolerance = TOLERANCE_SECONDS * timescale;
  const secondsAt = (mediaTicks: number) => range.at + Math.max(0, mediaTicks - range.from) / timescale;
  const shift = range.at - range.from / timescale;
  const end = range.at + range.length;
  const rank = firstShownRank(range, presentation, tolerance);
  const from = presentation.pts(rank);
  const to = range.to > range.from ? Math.max(range.to - tolerance, from + 1) : from + 1;
  const [start, last] = [presentation.frame(rank), lastShownFrame(presentation, rank, to)];
  const createEncodedRun = (
    first: number,
    lastFrame: number,
    bounds: { from: number; to: number },
  ): FrameRun => ({
    kind: 'encode',
    first,
    last: lastFrame,
    ...bounds,
    shift,
    start: secondsAt(bounds.from),
    end: bounds.to >= to ? end : secondsAt(bounds.to),
  });
  if (range.to === range.from) return [createEncodedRun(idrAtOrBefore(start, frames), last, { from, to })];
  const runs: FrameRun[] = [];
  let next = start;
  if (!isIdr(start)) {
    next = nextIdr(start, last, frames);
    const shownTo = next <= last ? Math.min(pts(next), to) : to;
    runs.push(
      createEncodedRun(idrAtOrBefore(start, frames), Math.min(next - 1, last), { from, to: shownTo }),
    );
  }
  if (next > last) return runs;
  // The GOP that contains the first frame after the cut is encoded, because its other frames may refer to that frame.
  let hiddenFrame = next;
  while (hiddenFrame <= last && pts(hiddenFrame) < to) hiddenFrame += 1;
  const copiedTo = hiddenFrame <= last ? idrAtOrBefore(hiddenFrame, frames) : last + 1;
  if (copiedTo > next) {
    const shownTo = copiedTo <= last ? pts(copiedTo) : to;
    const endSeconds = copiedTo <= last ? secondsAt(shownTo) : end;
    runs.push({
      kind: 'copy',
      first: next,
      last: copiedTo - 1,
      from: pts(next),
      to: shownTo,
      start: secondsAt(pts(next)),
      shift,
      end: endSeconds,
    });
  }
  if (copiedTo <= last) runs.push(createEncodedRun(copiedTo, last, { from: pts(copiedTo), to }));
  return runs;
}

/**
 * The rank of the first frame that a range shows. If the next frame starts within `tolerance` (ticks), the range starts
 * with that frame.
 */
function firstShownRank(
  { from, to }: PresentedRange,
  presentation: PresentationOrder,
  tolerance: number,
): number {
  const rank = presentation.rankAt(from);
  const startsWithNext =
    to > from && presentation.pts(rank + 1) <= from + tolerance && rank + 1 < presentation.frames.count;
  return startsWithNext ? rank + 1 : rank;
}

/** The IDR picture from which a frame can be decoded; frame 0 if there is none. */
function idrAtOrBefore(frame: number, { isIdr }: VideoFrames): number {
  let keyframe = frame;
  while (keyframe > 0 && !isIdr(keyframe)) keyframe -= 1;
  return keyframe;
}

/** The first IDR picture after a frame, in decode order; `last + 1` if there is none up to `last`. */
function nextIdr(frame: number, last: number, { isIdr }: VideoFrames): number {
  let keyframe = frame + 1;
  while (keyframe <= last && !isIdr(keyframe)) keyframe += 1;
  return keyframe;
}

/** The last frame in decode order among those from a rank on that are shown before a time. */
function lastShownFrame(presentation: PresentationOrder, rank: number, to: number): number {
  let last = presentation.frame(rank);
  for (
    let position = rank;
    position < presentation.order.length && presentation.pts(position) < to;
    position++
  )
    last = Math.max(last, presentation.frame(position));
  return last;
}
