import type { PresentedRange } from './presented-ranges';

/** The frames of a video track, in decode order. */
export interface VideoFrames {
  readonly count: number;
  /** Presentation time of a frame, in ticks of the track. */
  readonly pts: (frame: number) => number;
  /** End of the presentation of the last frame, in ticks of the track. */
  readonly mediaEndTicks: number;
  /** Whether decoding can start at this frame, because it is an IDR picture. The keyframe table of the file may differ. */
  readonly isIdr: (frame: number) => boolean;
  /** Ticks per second of the track. */
  readonly timescale: number;
}

/** A run of frames in a plan, in decode order. */
export interface FrameRun {
  /** `copy`: the frames of the file are copied. `encode`: the shown frames are encoded, with a keyframe at the start. */
  readonly kind: 'copy' | 'encode';
  /** Whether every frame that is encoded becomes a keyframe. */
  readonly onlyKeyframes?: boolean;
  /** Indexes of the first and the last frame, in decode order. */
  readonly firstFrame: number;
  readonly lastFrame: number;
  /** The presented times, in ticks of the track; the end is exclusive. */
  readonly fromTicks: number;
  readonly toTicks: number;
  /** Presentation time of the first frame. It may be later than the timestamp of the frame. */
  readonly startSeconds: number;
  /** Time that is added to the timestamps of the frames for their presentation. */
  readonly shiftSeconds: number;
  /** Presentation end of the last frame: the frame is held until then. */
  readonly endSeconds: number;
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
  return runs.filter((run) => run.endSeconds > run.startSeconds);
}

/** The frames in presentation order. */
class PresentationOrder {
  readonly frames: VideoFrames;
  /** Indexes of the frames in decode order, by rank. */
  readonly order: Int32Array;

  constructor(frames: VideoFrames) {
    this.frames = frames;
    this.order = Int32Array.from({ length: frames.count }, (_, frame) => frame);
    const { pts } = frames;
    this.order.sort((a, b) => pts(a) - pts(b) || a - b);
  }

  /** Index, in decode order, of the frame with a rank in presentation order. */
  frame(rank: number): number {
    return this.order[rank] ?? 0;
  }

  /** Presentation time of the frame with a rank, in ticks; behind the last frame, the end of the media. */
  pts(rank: number): number {
    return rank < this.order.length ? this.frames.pts(this.frame(rank)) : this.frames.mediaEndTicks;
  }

  /** The rank of the frame that is on screen at a time, in ticks; 0 before the first frame. */
  rankAt(ticks: number): number {
    let [low, high] = [0, this.order.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.pts(middle) <= ticks) low = middle + 1;
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
    let rank = presentation.rankAt(range.fromTicks);
    presentation.pts(rank + 1) < range.toTicks && rank + 1 < presentation.order.length;
    rank++
  ) {
    const nextPts = presentation.pts(rank + 1);
    const shownFrom = Math.max(presentation.pts(rank), range.fromTicks);
    if (nextPts - shownFrom <= MAX_FRAME_SECONDS * timescale) continue;
    const durationSeconds = (nextPts - remainingRange.fromTicks) / timescale;
    parts.push({ ...remainingRange, toTicks: nextPts, durationSeconds });
    remainingRange = {
      fromTicks: nextPts,
      toTicks: range.toTicks,
      startSeconds: remainingRange.startSeconds + durationSeconds,
      durationSeconds: remainingRange.durationSeconds - durationSeconds,
    };
  }
  return [...parts, remainingRange];
}

/** The runs of one range in which no frame is on screen for too long. */
function planRange(range: PresentedRange, presentation: PresentationOrder): FrameRun[] {
  const { frames } = presentation;
  const { timescale, pts, isIdr } = frames;
  const tolerance = TOLERANCE_SECONDS * timescale;
  const secondsAt = (ticks: number) => range.startSeconds + Math.max(0, ticks - range.fromTicks) / timescale;
  const shiftSeconds = range.startSeconds - range.fromTicks / timescale;
  const rangeEndSeconds = range.startSeconds + range.durationSeconds;
  const rank = firstShownRank(range, presentation, tolerance);
  const fromTicks = presentation.pts(rank);
  // The first frame is always shown, for at least one tick.
  const toTicks =
    range.toTicks > range.fromTicks ? Math.max(range.toTicks - tolerance, fromTicks + 1) : fromTicks + 1;
  const [firstShown, lastShown] = [presentation.frame(rank), lastShownFrame(presentation, rank, toTicks)];
  const createEncodedRun = (
    firstFrame: number,
    lastFrame: number,
    shown: { readonly fromTicks: number; readonly toTicks: number },
  ): FrameRun => ({
    kind: 'encode',
    firstFrame,
    lastFrame,
    ...shown,
    shiftSeconds,
    startSeconds: secondsAt(shown.fromTicks),
    endSeconds: shown.toTicks >= toTicks ? rangeEndSeconds : secondsAt(shown.toTicks),
  });
  const encodeStart = idrAtOrBefore(firstShown, frames);
  if (range.toTicks === range.fromTicks)
    return [createEncodedRun(encodeStart, lastShown, { fromTicks, toTicks })];
  const runs: FrameRun[] = [];
  let copyStart = firstShown;
  if (!isIdr(firstShown)) {
    copyStart = nextIdr(firstShown, lastShown, frames);
    const encodedTo = copyStart <= lastShown ? Math.min(pts(copyStart), toTicks) : toTicks;
    const encodeEnd = Math.min(copyStart - 1, lastShown);
    runs.push(createEncodedRun(encodeStart, encodeEnd, { fromTicks, toTicks: encodedTo }));
  }
  if (copyStart > lastShown) return runs;
  // The GOP that contains the first frame after the cut is encoded, because its other frames may refer to that frame.
  let hiddenFrame = copyStart;
  while (hiddenFrame <= lastShown && pts(hiddenFrame) < toTicks) hiddenFrame += 1;
  const copyEnd = hiddenFrame <= lastShown ? idrAtOrBefore(hiddenFrame, frames) : lastShown + 1;
  if (copyEnd > copyStart) {
    const copiedTo = copyEnd <= lastShown ? pts(copyEnd) : toTicks;
    runs.push({
      kind: 'copy',
      firstFrame: copyStart,
      lastFrame: copyEnd - 1,
      fromTicks: pts(copyStart),
      toTicks: copiedTo,
      startSeconds: secondsAt(pts(copyStart)),
      shiftSeconds,
      endSeconds: copyEnd <= lastShown ? secondsAt(copiedTo) : rangeEndSeconds,
    });
  }
  if (copyEnd <= lastShown)
    runs.push(createEncodedRun(copyEnd, lastShown, { fromTicks: pts(copyEnd), toTicks }));
  return runs;
}

/**
 * The rank of the first frame that a range shows. If the next frame starts within `tolerance` (ticks), the range starts
 * with that frame.
 */
function firstShownRank(
  { fromTicks, toTicks }: PresentedRange,
  presentation: PresentationOrder,
  tolerance: number,
): number {
  const rank = presentation.rankAt(fromTicks);
  const startsWithNext =
    toTicks > fromTicks &&
    presentation.pts(rank + 1) <= fromTicks + tolerance &&
    rank + 1 < presentation.frames.count;
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

/** The last frame in decode order among those from a rank on that are shown before a time, in ticks. */
function lastShownFrame(presentation: PresentationOrder, rank: number, toTicks: number): number {
  let last = presentation.frame(rank);
  for (
    let position = rank;
    position < presentation.order.length && presentation.pts(position) < toTicks;
    position++
  )
    last = Math.max(last, presentation.frame(position));
  return last;
}
