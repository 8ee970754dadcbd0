import type { SourceVideo } from './reencode';
import type { SampleList } from './sample-list';

/** Maximum number of frames that an H.264 decoder holds back. */
export const MAX_REORDERED = 16;

/** Makes presentation times distinct: of frames with the same time, players would show only one. */
export class DistinctTimes {
  /** Number of frames at each of the last times. */
  readonly #recent = new Map<number, number>();

  next(ticks: number): number {
    const count = this.#recent.get(ticks) ?? 0;
    this.#recent.delete(ticks);
    this.#recent.set(ticks, count + 1);
    const [oldest] = this.#recent.keys();
    if (this.#recent.size > MAX_REORDERED && oldest !== undefined) this.#recent.delete(oldest);
    return ticks + count;
  }
}

/** Maximum delay of an encoder. A longer one is a pause: its frame is decoded before it and shown after it. */
const MAX_DELAY_SECONDS = 1;

/** Ticks between decode and presentation time of keyframes. */
export function decodeDelayOf(
  { samples, timescale, isFullyReencoded }: SourceVideo,
  idr: Uint8Array,
): number {
  let delay: number | undefined;
  for (let frame = 0; frame < samples.count; frame++) {
    const shift = samples.shift[frame] ?? 0;
    if (idr[frame] === 1 && shift <= MAX_DELAY_SECONDS * timescale) delay = Math.max(delay ?? 0, shift);
  }
  return delay ?? (isFullyReencoded ? 0 : Math.min(reorderingOf(samples), MAX_DELAY_SECONDS * timescale));
}

/** Ticks by which frames must be decoded before they are shown, because of their order alone. */
function reorderingOf(samples: SampleList): number {
  const ptsInOrder = Float64Array.from({ length: samples.count }, (_, frame) =>
    samples.pts(frame),
  ).toSorted();
  return ptsInOrder.reduce((maxOffset, pts, frame) => Math.max(maxOffset, pts - samples.pts(frame)), 0);
}

/** Whether the last frame in decode order is also shown last, so that it can have any duration. */
export function isShownLast(samples: SampleList): boolean {
  const last = samples.count - 1;
  for (let frame = last - 1; frame >= 0 && last - frame <= MAX_REORDERED; frame--)
    if (samples.pts(frame) > samples.pts(last)) return false;
  return true;
}
