import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { maxTries, nextTry, readRetryAfter } from './retry-schedule';

interface Receiver {
  readonly attemptMs: (attempt: number) => number;
  readonly random: (attempt: number) => number;
  readonly retryAfterMs?: (attempt: number) => number | undefined;
  readonly baseMs?: number;
}

/** Begins of all attempts against a receiver that never accepts, the first at 0. */
function begins({ attemptMs, random, retryAfterMs, baseMs = 5_000 }: Receiver): number[] {
  const starts: number[] = [];
  for (let at: number | null = 0; at !== null;) {
    starts.push(at);
    const tries = starts.length;
    const endedAt: number = at + attemptMs(tries);
    const asked = retryAfterMs?.(tries);
    at = nextTry({
      tries,
      firstAt: 0,
      startedAt: at,
      endedAt,
      random: random(tries),
      retryAfterMs: asked,
      baseMs,
    });
  }
  return starts;
}

const gapsOf = (starts: readonly number[]) =>
  starts.slice(1).map((start, index) => start - (starts[index] ?? 0));

describe('against a receiver that fails at once', () => {
  test('without jitter it is the published schedule', () => {
    const seconds = begins({ attemptMs: () => 0, random: () => 0.5 }).map((ms) => Math.round(ms / 100) / 10);
    expect(seconds).toEqual([0, 5, 12.5, 23.8, 40.6, 65.9, 103.9, 160.9, 246.3, 374.4, 566.7, 855]);
  });

  test('the base scales all of it', () => {
    const full = begins({ attemptMs: () => 0, random: () => 0.3 });
    const tenth = begins({ attemptMs: () => 0, random: () => 0.3, baseMs: 500 });
    expect(tenth.map((ms) => Math.round(ms * 10))).toEqual(full.map((ms) => Math.round(ms)));
  });
});

const chance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const list = <T>(of: fc.Arbitrary<T>) => fc.array(of, { minLength: maxTries, maxLength: maxTries });
const at = <T>(values: readonly T[], attempt: number): T => values[attempt - 1] as T;

describe('whatever the receiver does', () => {
  const receiver = fc.record({
    durations: list(fc.integer({ min: 0, max: 15_000 })),
    chances: list(chance),
    asked: list(fc.option(fc.integer({ min: 0, max: 10_000_000 }), { nil: undefined })),
  });

  test('attempts stay within 15 minutes, 12 at most, and the last one is late', () => {
    fc.assert(
      fc.property(receiver, ({ durations, chances, asked }) => {
        const starts = begins({
          attemptMs: (attempt) => at(durations, attempt),
          random: (attempt) => at(chances, attempt),
          retryAfterMs: (attempt) => at(asked, attempt),
        });
        const last = starts.at(-1) ?? 0;
        expect(starts.length).toBeLessThanOrEqual(maxTries);
        expect(last).toBeLessThanOrEqual(900_000);
        expect(last).toBeGreaterThanOrEqual(765_000);
      }),
    );
  });

  test('gaps grow, except for a last one that the window cuts', () => {
    fc.assert(
      fc.property(receiver, ({ chances }) => {
        const starts = begins({ attemptMs: () => 0, random: (attempt) => at(chances, attempt) });
        const gaps = gapsOf(starts.at(-1) === 900_000 ? starts.slice(0, -1) : starts);
        for (const [index, gap] of gaps.entries()) expect(gap).toBeGreaterThan(gaps[index - 1] ?? 0);
      }),
    );
  });

  test('Retry-After lengthens a gap, at most to twice its length', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10_000_000 }), fc.integer({ min: 1, max: 8 }), chance, (asked, tries, random) => {
        const failed = { tries, firstAt: 0, startedAt: 0, endedAt: 0, random, baseMs: 5_000 };
        const gap = nextTry(failed) ?? 0;
        const wait = nextTry({ ...failed, retryAfterMs: asked }) ?? 0;
        expect(wait).toBe(Math.min(Math.max(asked, gap), 2 * gap));
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
  ])('%j is %s', (value, ms) => {
    expect(readRetryAfter(value, now)).toBe(ms);
  });
});
