import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SampleClock } from './sample-clock';

const FRAME_MS = (1024 * 1_000) / 48_000;
const MAX_JITTER_MS = 300;

/** The placed times of frames that arrive at their true times. `stampOf` returns the timestamp of frame `n`. */
function placeFrames(count: number, stampOf: (trueMs: number, n: number) => number): number[] {
  const clock = new SampleClock(FRAME_MS);
  return Array.from({ length: count }, (_, n) => {
    const trueMs = n * FRAME_MS;
    return clock.place(Math.round(stampOf(trueMs, n)), trueMs);
  });
}

/** Differences of the placed times from the true times, in milliseconds. */
const errorsOf = (times: readonly number[]): number[] => times.map((ms, n) => ms - n * FRAME_MS);

it('absorbs jitter up to 300 ms: times rise, and stay within the jitter of the true times', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: MAX_JITTER_MS }), { minLength: 2, maxLength: 400 }),
      (jitter) => {
        let highest = 0;
        // The corrector before this clock gives rising timestamps.
        const times = placeFrames(
          jitter.length,
          (ms, n) => (highest = Math.max(highest + 1, ms + (jitter[n] ?? 0))),
        );
        for (const [n, ms] of times.slice(1).entries()) expect(ms).toBeGreaterThan(times[n] ?? 0);
        for (const error of errorsOf(times)) {
          expect(error).toBeGreaterThanOrEqual(-1);
          expect(error).toBeLessThanOrEqual(MAX_JITTER_MS + FRAME_MS);
        }
      },
    ),
  );
});

describe('follows', () => {
  it.each([1_000, -1_000])('a drift of %d ppm', (ppm) => {
    const times = placeFrames(20_000, (ms) => ms * (1 + ppm / 1e6));
    const drift = errorsOf(times).map((error, n) => error - (n * FRAME_MS * ppm) / 1e6);
    expect(Math.max(...drift.map(Math.abs))).toBeLessThan(5);
  });

  it.each([100, 200, 1_000])('a gap of %d ms at once if the arrival confirms it', (gapMs) => {
    const clock = new SampleClock(FRAME_MS);
    for (let n = 0; n < 100; n++) {
      const ms = n * FRAME_MS + (n >= 50 ? gapMs : 0);
      expect(Math.abs(clock.place(Math.round(ms), ms) - ms)).toBeLessThanOrEqual(1);
    }
  });

  it('a gap of 200 ms after a second if the frames arrive steadily', () => {
    const errorsMs = errorsOf(placeFrames(200, (ms, n) => ms + (n >= 50 ? 200 : 0)));
    // A second is 46.9 frames, so the gap at frame 50 is confirmed at frame 97.
    expect(Math.abs(errorsMs[90] ?? Infinity)).toBeLessThanOrEqual(1);
    expect(Math.abs((errorsMs[100] ?? 0) - 200)).toBeLessThanOrEqual(1);
  });

  it('a clock that goes back by 200 ms after three seconds', () => {
    const errorsMs = errorsOf(placeFrames(400, (ms, n) => ms - (n >= 50 ? 200 : 0)));
    // Three seconds are 140.6 frames, so the change at frame 50 is confirmed at frame 191.
    expect(Math.abs(errorsMs[180] ?? Infinity)).toBeLessThanOrEqual(1);
    expect(Math.abs((errorsMs[300] ?? 0) + 200)).toBeLessThanOrEqual(1);
  });
});

it('ignores single stray timestamps', () => {
  const errorsMs = errorsOf(placeFrames(400, (ms, n) => ms + (n % 50 === 49 ? 250 : 0)));
  expect(Math.max(...errorsMs.map(Math.abs))).toBeLessThanOrEqual(1);
});
