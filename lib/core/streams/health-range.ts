import type { FieldIssue } from '@/lib/core/errors';
import { MINUTE_MS } from '@/lib/core/units';

/** The requested range; `from` and `to` are in Unix milliseconds. */
export interface HealthRangeQuery {
  /** Duration of the range if `from` is absent. */
  readonly minutes?: number | undefined;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  /** Maximum number of points in the answer. */
  readonly points?: number | undefined;
}

/** The range, in Unix milliseconds, and the duration of one point, which is 0 if every sample is a point. */
export interface HealthRange {
  readonly from: number;
  readonly to: number;
  readonly bucketMs: number;
}

/** Interval at which a stream's health is sampled. */
export const SAMPLE_MS = 5_000;
/** A week. */
const MAX_MINUTES = 10_080;
const MAX_POINTS = 1_000;
const defaults = { minutes: 10, points: 240 };

/**
 * Resolves the requested range.
 * @returns the range, or the requirement that a parameter violates
 */
export function resolveHealthRange(query: HealthRangeQuery, now: number): HealthRange | FieldIssue {
  const { minutes = defaults.minutes, points = defaults.points, to = now } = query;
  if (minutes > MAX_MINUTES) return { field: 'minutes', message: `must be ${MAX_MINUTES} or less` };
  if (points > MAX_POINTS) return { field: 'points', message: `must be ${MAX_POINTS} or less` };
  if (query.minutes !== undefined && query.from !== undefined)
    return { field: 'minutes', message: 'cannot be combined with from' };
  const from = query.from ?? to - minutes * MINUTE_MS;
  if (from >= to) return { field: 'from', message: 'must be before to' };
  const durationMs = to - from;
  if (durationMs > MAX_MINUTES * MINUTE_MS)
    return { field: 'from', message: `must be at most ${MAX_MINUTES} minutes before to` };
  const bucketMs = Math.ceil(durationMs / points);
  return { from: Math.max(0, from), to, bucketMs: bucketMs <= SAMPLE_MS ? 0 : bucketMs };
}
