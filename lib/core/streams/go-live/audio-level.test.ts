import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FLOOR_DB, meterFraction, updateLevel, peakOf, silentLevel } from './audio-level';

const createMeasurement = (peak: number, now: number) => ({ peak, now, elapsedMs: 100 });

test('a loud sound is shown immediately and falls slowly', () => {
  const loudLevel = updateLevel(silentLevel, createMeasurement(0.5, 0));
  // Half of the full scale is -6 dB. The level falls by 2.4 dB in 100 ms.
  expect(loudLevel.peakDb).toBeCloseTo(-6, 1);
  expect(updateLevel(loudLevel, createMeasurement(0, 100)).peakDb).toBeCloseTo(-8.4, 1);
});

test('clipping is shown for 1.5 seconds', () => {
  const clippedLevel = updateLevel(silentLevel, createMeasurement(1, 1_000));
  expect(clippedLevel.isClipping).toBe(true);
  expect(updateLevel(clippedLevel, createMeasurement(0.1, 2_400)).isClipping).toBe(true);
  expect(updateLevel(clippedLevel, createMeasurement(0.1, 2_500)).isClipping).toBe(false);
});

test('the meter is filled by 0 to 1, and silence empties it', () =>
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0, max: 4, noNaN: true }), { maxLength: 40 }), (peaks) => {
      let level = silentLevel;
      for (const [index, peak] of peaks.entries())
        level = updateLevel(level, createMeasurement(peak, index * 100));
      expect(meterFraction(level)).toBeGreaterThanOrEqual(0);
      expect(meterFraction(level)).toBeLessThanOrEqual(1);
      // Three seconds of silence: the level falls by 24 dB per second, and clipping is shown for 1.5 s.
      for (let index = 0; index < 30; index += 1)
        level = updateLevel(level, createMeasurement(0, 10_000 + index * 100));
      expect(level).toMatchObject({ peakDb: FLOOR_DB, isClipping: false });
      expect(meterFraction(level)).toBe(0);
    }),
  ));

test('peakOf returns the largest absolute value', () =>
  expect(peakOf(Float32Array.of(0.25, -0.75, 0.5))).toBe(0.75));
