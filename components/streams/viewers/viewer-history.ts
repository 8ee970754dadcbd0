import { MINUTE_MS } from '@/lib/core/units';
import type { Translator } from '@/components/i18n/messages';
import type { StreamViewersObject } from '@/lib/contract/streams/viewers';

/** Periods of the chart: their length in minutes, as the API expects it, and the minutes that one point averages. */
export const viewerChartPeriods = [
  { name: 'hour', minutes: '60', minutesPerPoint: 1 },
  { name: 'day', minutes: '1440', minutesPerPoint: 10 },
  { name: 'week', minutes: '10080', minutesPerPoint: 60 },
] as const;

export type ViewerChartPeriod = (typeof viewerChartPeriods)[number];

/** Point of the chart: average number of viewers, and number of views that started. */
export interface ViewerPoint {
  /** Start of the period of the point, in Unix milliseconds. */
  readonly at: number;
  readonly viewers: number;
  readonly views: number;
}

/**
 * Points of the whole period, oldest first. Minutes that are not listed had no viewers. The average of the last point
 * covers only its elapsed minutes.
 * @param now Unix milliseconds
 */
export function viewerPoints(
  viewerMinutes: StreamViewersObject['minutes'],
  { minutes, minutesPerPoint }: ViewerChartPeriod,
  now: number,
): ViewerPoint[] {
  const pointMs = minutesPerPoint * MINUTE_MS;
  // Points are numbered from 1970, so that they start at round times.
  const lastPoint = Math.floor(now / pointMs);
  const count = Number(minutes) / minutesPerPoint;
  const sums = new Map<number, { viewers: number; views: number }>();
  for (const { at, viewers, views } of viewerMinutes) {
    const point = Math.floor(at / pointMs);
    const sum = sums.get(point) ?? { viewers: 0, views: 0 };
    sums.set(point, { viewers: sum.viewers + viewers, views: sum.views + views });
  }
  return Array.from({ length: count }, (_, index) => {
    const point = lastPoint - count + 1 + index;
    const { viewers = 0, views = 0 } = sums.get(point) ?? {};
    const elapsedMinutes = Math.min(minutesPerPoint, Math.floor((now - point * pointMs) / MINUTE_MS) + 1);
    return { at: point * pointMs, viewers: Math.round((viewers / elapsedMinutes) * 10) / 10, views };
  });
}

/** Highest number of viewers of a minute, which is an average and may be a fraction; 0 without minutes. */
export function peakOf(minutes: StreamViewersObject['minutes']): number {
  return minutes.reduce((peak, { viewers }) => Math.max(peak, viewers), 0);
}

/** "12 watching"; empty while loading. */
export function formatCurrentViewers(
  t: Translator<'streams.viewerHistory'>,
  viewers: number | undefined,
): string {
  return viewers === undefined ? '' : t('watching', { viewers });
}
