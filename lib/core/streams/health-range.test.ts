import { expect, test } from 'vitest';
import { resolveHealthRange, type HealthRangeQuery } from './health-range';

const NOW = 1_000_000_000;
const MINUTE_MS = 60_000;

test.each<[string, HealthRangeQuery, { from: number; to: number; bucketMs: number }]>([
  ['an empty query', {}, { from: NOW - 10 * MINUTE_MS, to: NOW, bucketMs: 0 }],
  // A point is the duration of the range divided by 240 points; 0 if that is at most the sample interval of 5 s.
  ['an hour', { minutes: 60 }, { from: NOW - 60 * MINUTE_MS, to: NOW, bucketMs: 15_000 }],
  ['few points', { points: 60 }, { from: NOW - 10 * MINUTE_MS, to: NOW, bucketMs: 10_000 }],
  ['until a time', { minutes: 1, to: 500_000 }, { from: 440_000, to: 500_000, bucketMs: 0 }],
  ['from a time', { from: NOW - 1_000 }, { from: NOW - 1_000, to: NOW, bucketMs: 0 }],
  ['a week', { minutes: 10_080 }, { from: NOW - 10_080 * MINUTE_MS, to: NOW, bucketMs: 2_520_000 }],
])('the range of %s is $2', (_name, query, range) => {
  expect(resolveHealthRange(query, NOW)).toEqual(range);
});

test.each<[string, HealthRangeQuery]>([
  ['minutes', { minutes: 10_081 }],
  ['points', { points: 1_001 }],
  ['minutes', { minutes: 5, from: 1 }],
  ['from', { from: NOW }],
  ['from', { from: NOW - 10_081 * MINUTE_MS }],
])('an issue of the parameter %s is returned for %j', (field, query) => {
  expect(resolveHealthRange(query, NOW)).toMatchObject({ field });
});
