import { describe, expect, test } from 'vitest';
import { encodeCost, pictureOf, pixelsPerSecond, renditionOf } from './encode-cost';
import type { FileSpec } from './video-spec';

const sound = { type: 'audio', codec: 'aac', bitrate: 1, channels: 2, duration: 10, sampleRate: 48_000 };
const spec = (width: number, height: number, fps: number): FileSpec => ({
  format: 'mp4',
  duration: 10,
  tracks: [
    { type: 'video', codec: 'h264', fps, width, height, bitrate: 1, duration: 10, pixelFormat: 'yuv420p' },
    { ...sound, type: 'audio' },
  ],
});
const profile = (width: number, height: number, fps = 0) => ({
  name: 'x',
  width,
  height,
  bitrate: 100_000,
  fps,
});

describe('renditionOf', () => {
  test.each([
    [spec(320, 180, 10), profile(160, 90), 160, 90],
    [spec(320, 180, 10), profile(3072, 3072), 3072, 1728],
    [spec(180, 320, 10), profile(640, 360), 360, 640],
  ])('fits the picture into the size that was asked for', (source, wanted, width, height) => {
    expect(renditionOf(wanted, source)).toMatchObject({ width, height });
  });

  test('sound alone has none, and costs nothing', () => {
    const radio = { ...spec(1, 1, 1), tracks: spec(1, 1, 1).tracks.slice(1) };
    expect(pictureOf(radio)).toBeNull();
    expect(renditionOf(profile(160, 90), radio)).toBeNull();
    expect(encodeCost(profile(160, 90), radio)).toBe(0);
  });
});

test('the cost is the pixels read and written', () => {
  const source = spec(320, 180, 10);
  expect(encodeCost(profile(160, 90, 5), source)).toBe((320 * 180 * 10 + 160 * 90 * 5) * 10);
  const rendition = renditionOf(profile(3072, 1728), source);
  expect(rendition && pixelsPerSecond(rendition, source)).toBe((320 * 180 + 3072 * 1728) * 10);
});
