import { expect, test } from 'vitest';
import { SegmentLateness } from './segment-lateness';
import type { WindowPeriod } from './window-segment';

const createPeriod = (init: string) => ({ init }) as WindowPeriod;

test('the lateness of a segment is the time that it took beyond its duration; the first one of a period has none', () => {
  const lateness = new SegmentLateness();
  const [first, second] = [createPeriod('a'), createPeriod('b')];
  expect(lateness.recordClose({ period: first, durationMs: 2_000 }, 10_000)).toBeNull();
  expect(lateness.recordClose({ period: first, durationMs: 2_000 }, 12_000)).toBe(0);
  expect(lateness.recordClose({ period: first, durationMs: 2_000 }, 15_500)).toBe(1_500);
  // The segment took 500 ms. Lateness is never negative.
  expect(lateness.recordClose({ period: first, durationMs: 2_000 }, 16_000)).toBe(0);
  // The pause before a reconnect is not lateness.
  expect(lateness.recordClose({ period: second, durationMs: 2_000 }, 30_000)).toBeNull();
  expect(lateness.recordClose({ period: second, durationMs: 1_000 }, 31_250)).toBe(250);
});
