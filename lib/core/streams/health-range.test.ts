import { expect, test } from 'vitest';
import { healthRange, type HealthRangeQuery } from './health-range';

const now = 1_000_000_000;
const minute = 60_000;

test.each<[string, HealthRangeQuery, { from: number; to: number; bucketMs: number }]>([
  ['nothing', {}, { from: now - 10 * minute, to: now, bucketMs: 0 }],
  ['an hour', { minutes: 60 }, { from: now - 60 * minute, to: now, bucketMs: 15_000 }],
  ['few points', { points: 60 }, { from: now - 10 * minute, to: now, bucketMs: 10_000 }],
  ['until a time', { minutes: 1, to: 500_000 }, { from: 440_000, to: 500_000, bucketMs: 0 }],
  ['from a time', { from: now - 1_000 }, { from: now - 1_000, to: now, bucketMs: 0 }],
  ['a week', { minutes: 10_080 }, { from: now - 10_080 * minute, to: now, bucketMs: 2_520_000 }],
])('%s', (_name, query, range) => {
  expect(healthRange(query, now)).toEqual(range);
});

test.each<[string, HealthRangeQuery]>([
  ['minutes', { minutes: 10_081 }],
  ['points', { points: 1_001 }],
  ['minutes', { minutes: 5, from: 1 }],
  ['from', { from: now }],
  ['from', { from: now - 10_081 * minute }],
])('the parameter %s is named by the refusal of %j', (field, query) => {
  expect(healthRange(query, now)).toMatchObject({ field });
});
