import fc from 'fast-check';
import { expect, test } from 'vitest';
import { maxIdleMs, isPullExpired, pullDelayMs } from './pull-state';

test('the delay grows to a minute, with a fifth of jitter', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 1_000 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (nth, random) => {
        const ms = pullDelayMs(nth, random);
        expect(ms).toBeGreaterThanOrEqual(800);
        expect(ms).toBeLessThanOrEqual(72_000);
        expect(pullDelayMs(nth + 1, random)).toBeGreaterThanOrEqual(ms);
      },
    ),
  );
});

test('a pull is given up a day after its start or its last media', () => {
  expect(isPullExpired({ startedAt: 0, mediaAt: undefined }, maxIdleMs - 1)).toBe(false);
  expect(isPullExpired({ startedAt: 0, mediaAt: undefined }, maxIdleMs)).toBe(true);
  expect(isPullExpired({ startedAt: 0, mediaAt: 1 }, maxIdleMs)).toBe(false);
});
