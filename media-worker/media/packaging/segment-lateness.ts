import type { Clock } from '@/lib/infra/clock';
import { metrics } from '@/lib/infra/metrics/metrics';
import type { WindowObserver } from './window-segment';
import type { WindowSegment } from './window-segment';

type ClosedSegment = Pick<WindowSegment, 'period' | 'durationMs'>;

/** How late the segments of one rendition are: the time for which a player at the live edge stalls. */
export class SegmentLateness {
  #last: { readonly period: ClosedSegment['period']; readonly at: number } | null = null;

  /**
   * Records a closed segment.
   * @param now monotonic milliseconds
   * @returns how much longer than its duration the segment took, ms; null for the first segment of its period
   */
  recordClose({ period, durationMs }: ClosedSegment, now: number): number | null {
    const last = this.#last;
    this.#last = { period, at: now };
    return last?.period === period ? Math.max(0, now - last.at - durationMs) : null;
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
