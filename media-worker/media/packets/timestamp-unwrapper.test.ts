import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createTimestampUnwrapper } from './timestamp-unwrapper';

const WRAP = 2 ** 32;
const unwrapAll = (timestamps: number[]): number[] => timestamps.map(createTimestampUnwrapper());

it('continues past 2^32', () => {
  expect(unwrapAll([WRAP - 40, WRAP - 20, 0, 20])).toEqual([WRAP - 40, WRAP - 20, WRAP, WRAP + 20]);
});

it('keeps audio and video together across the wrap', () => {
  expect(unwrapAll([WRAP - 5, 10, WRAP - 2, 20])).toEqual([WRAP - 5, WRAP + 10, WRAP - 2, WRAP + 20]);
});

it('follows an encoder that restarts at 0', () => {
  expect(unwrapAll([100_000, 0, 40])).toEqual([100_000, 0, 40]);
});

it('reads a step before the first timestamp as negative, not as 49 days', () => {
  expect(unwrapAll([0, WRAP - 10])).toEqual([0, -10]);
});

it('restores any clock whose steps are below 2^31', () => {
  const steps = fc.array(fc.integer({ min: -(2 ** 31) + 1, max: 2 ** 31 - 1 }), { maxLength: 50 });
  const start = fc.integer({ min: 0, max: WRAP - 1 });
  fc.assert(
    fc.property(start, steps, (first, moves) => {
      const clock = moves.reduce((times, step) => [...times, (times.at(-1) ?? 0) + step], [first]);
      const wrappedTimes = clock.map((time) => ((time % WRAP) + WRAP) % WRAP);
      expect(unwrapAll(wrappedTimes)).toEqual(clock);
    }),
    { numRuns: 200 },
  );
});
