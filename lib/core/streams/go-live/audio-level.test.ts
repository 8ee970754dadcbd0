import fc from 'fast-check';
import { expect, test } from 'vitest';
import { floorDb, meterShare, nextLevel, peakOf, silence } from './audio-level';

const look = (peak: number, now: number) => ({ peak, now, elapsedMs: 100 });

test('a loud sound is shown immediately and falls slowly', () => {
  const loud = nextLevel(silence, look(0.5, 0));
  expect(loud.peakDb).toBeCloseTo(-6, 1);
  expect(nextLevel(loud, look(0, 100)).peakDb).toBeCloseTo(-8.4, 1);
});

test('clipping is shown for a moment', () => {
  const clipped = nextLevel(silence, look(1, 1_000));
  expect(clipped.clips).toBe(true);
  expect(nextLevel(clipped, look(0.1, 2_400)).clips).toBe(true);
  expect(nextLevel(clipped, look(0.1, 2_500)).clips).toBe(false);
});

test('the meter stays within its ends, and silence empties it', () =>
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0, max: 4, noNaN: true }), { maxLength: 40 }), (peaks) => {
      let level = silence;
      for (const [index, peak] of peaks.entries()) level = nextLevel(level, look(peak, index * 100));
      expect(meterShare(level)).toBeGreaterThanOrEqual(0);
      expect(meterShare(level)).toBeLessThanOrEqual(1);
      for (let at = 0; at < 30; at += 1) level = nextLevel(level, look(0, 10_000 + at * 100));
      expect(level).toMatchObject({ peakDb: floorDb, clips: false });
      expect(meterShare(level)).toBe(0);
    }),
  ));

test('the loudest sample counts, whichever side it is on', () =>
  expect(peakOf(Float32Array.of(0.25, -0.75, 0.5))).toBe(0.75));
