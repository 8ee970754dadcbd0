import type { FrameRun, VideoFrames } from './frame-plan';
import { MAX_CUT_SECONDS } from './segment-cuts';

/** Minimum average duration of the frames of a sparse GOP, in seconds. */
const SPARSE_FRAME_SECONDS = 1;

/** A part of a run that is copied, of whole GOPs. */
interface GopSpan {
  /** Indexes of the first and the last frame, in decode order. */
  readonly firstFrame: number;
  readonly lastFrame: number;
  /** Presentation times in ticks of the track; the end is exclusive. */
  readonly fromTicks: number;
  readonly toTicks: number;
  readonly isSparse: boolean;
}

/**
 * Plans that sparse GOPs are re-encoded as keyframes: GOPs that have at most one frame a second, like those of slide shows, and
 * are longer than a segment or have reordered frames. Players cannot seek between keyframes, and reordered frames are decoded
 * seconds before they are shown, which Shaka Player takes for the time at which they are shown.
 * @param maxFrames maximum number of encoded frames; with more, the runs are unchanged
 */
export function planSparseGopEncoding(
  runs: readonly FrameRun[],
  frames: VideoFrames,
  maxFrames: number,
): readonly FrameRun[] {
  let encodedCount = 0;
  const splitRuns = runs.flatMap((run): FrameRun[] => {
    if (run.kind === 'encode') return [run];
    const spans = mergeSpans(findGops(run, frames));
    for (const { firstFrame, lastFrame, isSparse } of spans)
      if (isSparse) encodedCount += lastFrame - firstFrame + 1;
    const startSecondsOf = (span: GopSpan) =>
      run.startSeconds + (span.fromTicks - run.fromTicks) / frames.timescale;
    return spans.map((span, index): FrameRun => {
      const { isSparse, ...range } = span;
      const nextSpan = spans[index + 1];
      const times = {
        startSeconds: startSecondsOf(span),
        endSeconds: nextSpan ? startSecondsOf(nextSpan) : run.endSeconds,
      };
      return { ...run, ...range, ...times, ...(isSparse ? { kind: 'encode', onlyKeyframes: true } : {}) };
    });
  });
  return encodedCount <= maxFrames ? splitRuns : runs;
}

/** The GOPs of a run. `first` and `next` are the first frames of a GOP and of the GOP after it. */
function findGops(run: FrameRun, { pts, isIdr, timescale }: VideoFrames): GopSpan[] {
  const gops: GopSpan[] = [];
  for (let first = run.firstFrame; first <= run.lastFrame;) {
    let next = first + 1;
    while (next <= run.lastFrame && !isIdr(next)) next += 1;
    const fromTicks = first === run.firstFrame ? run.fromTicks : pts(first);
    const toTicks = next <= run.lastFrame ? pts(next) : run.toTicks;
    const seconds = (toTicks - fromTicks) / timescale;
    const isSparse =
      next - first > 1 &&
      seconds >= (next - first - 1) * SPARSE_FRAME_SECONDS &&
      (seconds > MAX_CUT_SECONDS || isReordered(pts, first, next));
    gops.push({ firstFrame: first, lastFrame: next - 1, fromTicks, toTicks, isSparse });
    first = next;
  }
  return gops;
}

/** Whether a frame is shown before one that is decoded earlier. */
function isReordered(pts: VideoFrames['pts'], first: number, end: number): boolean {
  for (let frame = first + 1; frame < end; frame++) if (pts(frame) < pts(frame - 1)) return true;
  return false;
}

/** Merges consecutive GOPs that are all sparse, or all not. */
function mergeSpans(gops: readonly GopSpan[]): GopSpan[] {
  const spans: GopSpan[] = [];
  for (const gop of gops) {
    const previous = spans.at(-1);
    if (previous?.isSparse === gop.isSparse)
      spans[spans.length - 1] = { ...previous, lastFrame: gop.lastFrame, toTicks: gop.toTicks };
    else spans.push(gop);
  }
  return spans;
}
