import type { Clock } from '@/lib/infra/clock';
import { metrics } from '@/lib/infra/metrics/metrics';
import type { WindowObserver } from './window-segment';
import type { WindowSegment } from './window-segment';

type ClosedSegment = Pick<WindowSegment, 'period' | 'durationMs'>;

/** Measures how late the segments of one rendition are: the time for which a player at the live edge stalls. */
export class SegmentLateness {
  #lastClose: { readonly period: ClosedSegment['period']; readonly atMs: number } | null = null;

  /**
   * Records a closed segment.
   * @param nowMs monotonic milliseconds
   * @returns how much longer than its duration the segment took, ms; null for the first segment of its period
   */
  recordClose({ period, durationMs }: ClosedSegment, nowMs: number): number | null {
    const last = this.#lastClose;
    this.#lastClose = { period, atMs: nowMs };
    return last?.period === period ? Math.max(0, nowMs - last.atMs - durationMs) : null;
  }
}

/** A window observer that measures the lateness of one rendition's segments. */
export function observeLateness(rendition: 'source' | 'transcoded', clock: Clock): WindowObserver {
  const lateness = new SegmentLateness();
  return {
    onSegment(segment) {
      const ms = lateness.recordClose(segment, clock.monotonic());
      if (ms !== null) metrics.segmentLateness.observe({ rendition }, ms / 1_000);
    },
  };
}
