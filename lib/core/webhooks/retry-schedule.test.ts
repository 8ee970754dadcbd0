import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MAX_DELIVERY_ATTEMPTS, nextAttemptAt, readRetryAfter } from './retry-schedule';

interface Receiver {
  readonly attemptMs: (attempt: number) => number;
  readonly random: (attempt: number) => number;
  readonly retryAfterMs?: (attempt: number) => number | undefined;
  readonly baseMs?: number;
}

/** Start times of all attempts at a receiver that never accepts, relative to the first attempt. */
function startTimesOf({ attemptMs, random, retryAfterMs, baseMs = 5_000 }: Receiver): number[] {
  const starts: number[] = [];
  for (let attemptAt: number | null = 0; attemptAt !== null;) {
    starts.push(attemptAt);
    const attempts = starts.length;
    const endedAt: number = attemptAt + attemptMs(attempts);
    attemptAt = nextAttemptAt({
      attempts,
      firstAt: 0,
      startedAt: attemptAt,
      endedAt,
      random: random(attempts),
      retryAfterMs: retryAfterMs?.(attempts),
      baseMs,
    });
  }
  return starts;
}

const gapsOf = (starts: readonly number[]) =>
  starts.slice(1).map((start, index) => start - (starts[index] ?? 0));

describe('for a receiver that fails immediately', () => {
  test('the schedule without jitter is the documented one', () => {
    const seconds = startTimesOf({ attemptMs: () => 0, random: () => 0.5 }).map(
      (ms) => Math.round(ms / 100) / 10,
    );
    expect(seconds).toEqual([0, 5, 12.5, 23.8, 40.6, 65.9, 103.9, 160.9, 246.3, 374.4, 566.7, 855]);
  });

  test('the base scales the whole schedule', () => {
    const full = startTimesOf({ attemptMs: () => 0, random: () => 0.3 });
    const tenth = startTimesOf({ attemptMs: () => 0, random: () => 0.3, baseMs: 500 });
    expect(tenth.map((ms) => Math.round(ms * 10))).toEqual(full.map((ms) => Math.round(ms)));
  });
});

const anyRandom = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const listOf = <T>(values: fc.Arbitrary<T>) =>
  fc.array(values, { minLength: MAX_DELIVERY_ATTEMPTS, maxLength: MAX_DELIVERY_ATTEMPTS });
const valueOfAttempt = <T>(values: readonly T[], attempt: number): T => values[attempt - 1] as T;

describe('for every receiver', () => {
  const receiver = fc.record({
    durations: listOf(fc.integer({ min: 0, max: 15_000 })),
    chances: listOf(anyRandom),
    retryAfter: listOf(fc.option(fc.integer({ min: 0, max: 10_000_000 }), { nil: undefined })),
  });

  test('there are at most 12 attempts within 15 minutes, and the last one starts at 12.75 minutes or later', () => {
    fc.assert(
      fc.property(receiver, ({ durations, chances, retryAfter }) => {
        const starts = startTimesOf({
          attemptMs: (attempt) => valueOfAttempt(durations, attempt),
          random: (attempt) => valueOfAttempt(chances, attempt),
          retryAfterMs: (attempt) => valueOfAttempt(retryAfter, attempt),
        });
        const last = starts.at(-1) ?? 0;
        expect(starts.length).toBeLessThanOrEqual(MAX_DELIVERY_ATTEMPTS);
        expect(last).toBeLessThanOrEqual(900_000);
        expect(last).toBeGreaterThanOrEqual(765_000);
      }),
    );
  });

  test('delays grow, except for the last one if the window shortens it', () => {
    fc.assert(
      fc.property(receiver, ({ chances }) => {
        const starts = startTimesOf({
          attemptMs: () => 0,
          random: (attempt) => valueOfAttempt(chances, attempt),
        });
        const gaps = gapsOf(starts.at(-1) === 900_000 ? starts.slice(0, -1) : starts);
        for (const [index, gap] of gaps.entries()) expect(gap).toBeGreaterThan(gaps[index - 1] ?? 0);
      }),
    );
  });

  test('Retry-After lengthens a delay, at most to twice the delay', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10_000_000 }), fc.integer({ min: 1, max: 8 }), anyRandom, (retryAfterMs, attempts, random) => {
        const failedAttempt = { attempts, firstAt: 0, startedAt: 0, endedAt: 0, random, baseMs: 5_000 };
        const gap = nextAttemptAt(failedAttempt) ?? 0;
        const wait = nextAttemptAt({ ...failedAttempt, retryAfterMs }) ?? 0;
        expect(wait).toBe(Math.min(Math.max(retryAfterMs, gap), 2 * gap));
      }),
    ); // prettier-ignore
  });
});

describe('Retry-After', () => {
  const now = Date.parse('Thu, 01 Jan 2026 00:00:00 GMT');
  test.each([
    ['120', 120_000],
    ['0', 0],
    ['Thu, 01 Jan 2026 00:01:00 GMT', 60_000],
    ['Wed, 31 Dec 2025 23:00:00 GMT', 0],
    [undefined, undefined],
    ['', undefined],
    ['-1', undefined],
    ['1.5', undefined],
    ['soon', undefined],
    ['99999999999999', undefined],
    ['2026', 2_026_000],
  ])('the header %j is a delay of %s ms', (value, ms) => {
    expect(readRetryAfter(value, now)).toBe(ms);
  });
});
