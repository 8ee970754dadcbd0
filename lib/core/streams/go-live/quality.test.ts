import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  cameraConstraints,
  defaultQuality,
  encodingOf,
  encodingsOf,
  heights,
  layerCounts,
  scaleDownFactorOf,
} from './quality';

const size = fc.record({
  width: fc.integer({ min: 16, max: 8_000 }),
  height: fc.integer({ min: 16, max: 8_000 }),
});

test('no video is sent larger than chosen, in landscape or portrait, and none is enlarged', () =>
  fc.assert(
    fc.property(size, fc.constantFrom(...heights), ({ width, height }, limit) => {
      const scale = scaleDownFactorOf({ width, height }, { height: limit });
      const [short, long] = [Math.min(width, height) / scale, Math.max(width, height) / scale];
      expect(scale).toBeGreaterThanOrEqual(1);
      expect(short).toBeLessThanOrEqual(limit + 0.001);
      expect(long).toBeLessThanOrEqual(Math.round((limit * 16) / 9) + 0.001);
    }),
  ));

test('a portrait video is scaled by the same factor as a landscape video', () =>
  fc.assert(
    fc.property(size, fc.constantFrom(...heights), ({ width, height }, limit) => {
      const quality = { height: limit };
      expect(scaleDownFactorOf({ width, height }, quality)).toBe(
        scaleDownFactorOf({ width: height, height: width }, quality),
      );
    }),
  ));

test('a video of unknown size is not scaled', () => {
  expect(scaleDownFactorOf({}, defaultQuality)).toBe(1);
  expect(scaleDownFactorOf({ width: 0, height: 720 }, defaultQuality)).toBe(1);
});

test('camera and encoder get the limits of the quality', () => {
  expect(cameraConstraints(defaultQuality)).toMatchObject({
    width: { ideal: 1_280 },
    frameRate: { max: 30 },
  });
  expect(encodingOf(defaultQuality, { width: 1_920, height: 1_080 })).toEqual({
    maxBitrate: 2_500_000,
    maxFramerate: 30,
    scaleResolutionDownBy: 1.5,
  });
});

test('each size is smaller than the one before, and all smaller sizes need at most half of the bitrate', () =>
  fc.assert(
    fc.property(size, fc.constantFrom(...layerCounts), (frame, layerCount) => {
      const quality = { ...defaultQuality, layerCount };
      const [largest, ...smaller] = encodingsOf(quality, frame);
      expect(largest).toEqual(encodingOf(quality, frame));
      expect(smaller).toHaveLength(layerCount - 1);
      for (const [index, { scaleResolutionDownBy }] of smaller.entries())
        expect(scaleResolutionDownBy).toBe((largest?.scaleResolutionDownBy ?? 0) * 2 ** (index + 1));
      const bitrate = smaller.reduce((sum, { maxBitrate }) => sum + maxBitrate, 0);
      expect(bitrate).toBeLessThanOrEqual(quality.maxBitrate / 2);
    }),
  ));
