import type { FieldIssue } from '@/lib/core/errors';
import { minuteMs } from '@/lib/core/units';

/** The requested range; times in Unix milliseconds. */
export interface HealthRangeQuery {
  readonly minutes?: number | undefined;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly points?: number | undefined;
}

/** The range and the duration of one point; 0: every sample is a point. */
export interface HealthRange {
  readonly from: number;
  readonly to: number;
  readonly bucketMs: number;
}

export const sampleMs = 5_000;
const maxMinutes = 10_080;
const maxPoints = 1_000;
const defaults = { minutes: 10, points: 240 };

/** The resolved range, or what is wrong with a parameter. */
export function healthRange(query: HealthRangeQuery, now: number): HealthRange | FieldIssue {
  const { minutes = defaults.minutes, points = defaults.points, to = now } = query;
  if (minutes > maxMinutes) return { field: 'minutes', message: `must be ${maxMinutes} or less` };
  if (points > maxPoints) return { field: 'points', message: `must be ${maxPoints} or less` };
  if (query.minutes !== undefined && query.from !== undefined)
    return { field: 'minutes', message: 'cannot be combined with from' };
  const from = query.from ?? to - minutes * minuteMs;
  if (from >= to) return { field: 'from', message: 'must be before to' };
  const ms = to - from;
  if (ms > maxMinutes * minuteMs)
    return { field: 'from', message: `must be at most ${maxMinutes} minutes before to` };
  const bucketMs = Math.ceil(ms / points);
  return { from: Math.max(0, from), to, bucketMs: bucketMs <= sampleMs ? 0 : bucketMs };
}
