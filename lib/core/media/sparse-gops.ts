import type { FrameRun, VideoFrames } from './frame-plan';
import { MAX_CUT_SECONDS } from './segment-cuts';

/** Minimum average duration of the frames of a sparse GOP, in seconds. */
const SPARSE_FRAME_SECONDS = 1;

/** A part of a run that is copied: whole GOPs, `last` is included. */
interface GopSpan {
  readonly first: number;
  readonly last: number;
  /** Presentation times in ticks; `to` is exclusive. */
  readonly from: number;
  readonly to: number;
  readonly isSparse: boolean;
}

/**
 * Encodes sparse GOPs as keyframes: GOPs that have at most one frame a second, like those of slide shows, and are longer than
 * a segment or have reordered frames. Players cannot seek between keyframes, and reordered frames are decoded seconds before
 * they are shown, which Shaka Player takes for the time at which they are shown.
 * @param maxFrames maximum number of encoded frames; with more, the runs are unchanged
 */
export function encodeSparseGops(
  runs: readonly FrameRun[],
  frames: VideoFrames,
  maxFrames: number,
): readonly FrameRun[] {
  let encodedCount = 0;
  const splitRuns = runs.flatMap((run): FrameRun[] => {
    if (run.kind === 'encode') return [run];
    const spans = mergeSpans(findGops(run, frames));
    for (const { first, last, isSparse } of spans) if (isSparse) encodedCount += last - first + 1;
    const startOf = (span: GopSpan) => run.start + (span.from - run.from) / frames.timescale;
    return spans.map((span, index): FrameRun => {
      const { isSparse, ...range } = span;
      const next = spans[index + 1];
      const times = { start: startOf(span), end: next ? startOf(next) : run.end };
      return { ...run, ...range, ...times, ...(isSparse ? { kind: 'encode', onlyKeyframes: true } : {}) };
    });
  });
  return encodedCount <= maxFrames ? splitRuns : runs;
}

function findGops(run: FrameRun, { pts, isIdr, timescale }: VideoFrames): GopSpan[] {
  const gops: GopSpan[] = [];
  for (let first = run.first; first <= run.last;) {
    let next = first + 1;
    while (next <= run.last && !isIdr(next)) next += 1;
    const from = first === run.first ? run.from : pts(first);
    const to = next <= run.last ? pts(next) : run.to;
    const seconds = (to - from) / timescale;
    const isSparse =
      next - first > 1 &&
      seconds >= (next - first - 1) * SPARSE_FRAME_SECONDS &&
      (seconds > MAX_CUT_SECONDS || isReordered(pts, first, next));
    gops.push({ first, last: next - 1, from, to, isSparse });
    first = next;
  }
  return gops;
}

/** Whether a frame is shown before one that is decoded earlier. */
function isReordered(pts: VideoFrames['pts'], first: number, end: number): boolean {
  for (let frame = first + 1; frame < end; frame++) if (pts(frame) < pts(frame - 1)) return true;
  return false;
}

function mergeSpans(gops: readonly GopSpan[]): GopSpan[] {
  const spans: GopSpan[] = [];
  for (const gop of gops) {
    const previous = spans.at(-1);
    if (previous?.isSparse === gop.isSparse)
      spans[spans.length - 1] = { ...previous, last: gop.last, to: gop.to };
    else spans.push(gop);
  }
  return spans;
}
