import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MAX_PULL_IDLE_MS, isPullExpired, pullRetryDelayMs } from './pull-state';

test('the delay grows to a minute, with a fifth of jitter', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 1_000 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (failures, random) => {
        const ms = pullRetryDelayMs(failures, random);
        expect(ms).toBeGreaterThanOrEqual(800);
        expect(ms).toBeLessThanOrEqual(72_000);
        expect(pullRetryDelayMs(failures + 1, random)).toBeGreaterThanOrEqual(ms);
      },
    ),
  );
});

test('a pull is given up a day after its start or its last media', () => {
  expect(isPullExpired({ startedAt: 0, mediaAt: undefined }, MAX_PULL_IDLE_MS - 1)).toBe(false);
  expect(isPullExpired({ startedAt: 0, mediaAt: undefined }, MAX_PULL_IDLE_MS)).toBe(true);
  expect(isPullExpired({ startedAt: 0, mediaAt: 1 }, MAX_PULL_IDLE_MS)).toBe(false);
});
