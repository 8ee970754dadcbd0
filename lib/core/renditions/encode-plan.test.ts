import { describe, expect, test } from 'vitest';
import fc from 'fast-check';
import type { FileSpec } from '@/lib/core/media/video-spec';
import {
  planChunks,
  encodeCost,
  encodersToRun,
  maxEncoders,
  sourceFormatOf,
  encodedPixelsPerSecond,
  createTranscodeRendition,
  threadsPerEncoderFor,
} from './encode-plan';

const audio = { type: 'audio', codec: 'aac', bitrate: 1, channels: 2, duration: 10, sampleRate: 48_000 };
const createSpec = (width: number, height: number, fps: number): FileSpec => ({
  format: 'mp4',
  duration: 10,
  tracks: [
    { type: 'video', codec: 'h264', fps, width, height, bitrate: 1, duration: 10, pixelFormat: 'yuv420p' },
    { ...audio, type: 'audio' },
  ],
});
const createProfile = (width: number, height: number, fps = 0) => ({
  name: 'x',
  width,
  height,
  bitrate: 100_000,
  fps,
});

describe('createTranscodeRendition', () => {
  test.each([
    [createSpec(320, 180, 10), createProfile(160, 90), 160, 90],
    [createSpec(320, 180, 10), createProfile(3072, 3072), 3072, 1728],
    [createSpec(180, 320, 10), createProfile(640, 360), 360, 640],
  ])('fits the picture into the requested size: $2 × $3', (source, requestedProfile, width, height) => {
    expect(createTranscodeRendition(requestedProfile, source)).toMatchObject({ width, height });
  });

  test('is null for audio-only files, which cost nothing', () => {
    const audioOnly = { ...createSpec(1, 1, 1), tracks: createSpec(1, 1, 1).tracks.slice(1) };
    expect(sourceFormatOf(audioOnly)).toBeNull();
    expect(createTranscodeRendition(createProfile(160, 90), audioOnly)).toBeNull();
    expect(encodeCost(createProfile(160, 90), audioOnly)).toBe(0);
  });
});

test('the cost of a transcode task is the number of pixels it reads and writes', () => {
  const source = createSpec(320, 180, 10);
  expect(encodeCost(createProfile(160, 90, 5), source)).toBe((320 * 180 * 10 + 160 * 90 * 5) * 10);
  const rendition = createTranscodeRendition(createProfile(3072, 1728), source);
  expect(rendition && encodedPixelsPerSecond(rendition, source)).toBe((320 * 180 + 3072 * 1728) * 10);
});

describe('planChunks', () => {
  test.each([
    [600, 2, 2, [0, 100, 200, 300, 400, 500]],
    [130, 2, 2, [0, 66]],
    [130, 2.5, 2, [0, 65]],
    [60, 2, 2, [0, 30]],
    [600, 2, 1, [0, 300]],
    [700, 20, 1, [0, 240, 480]],
    [59.9, 2, 8, [0]],
    [0, 2, 2, [0]],
  ])(
    'splits %d s with a keyframe every %d s for %d encoders at the seconds %j',
    (duration, gop, encoders, starts) => {
      const chunks = planChunks(duration, gop, encoders, 0);
      expect(chunks.map(({ startSeconds }) => startSeconds)).toEqual(starts);
      expect(chunks.map(({ endSeconds }) => endSeconds)).toEqual([...starts.slice(1), null]);
    },
  );

  test('returns consecutive chunks of whole seconds, of equal lengths and limited size', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.1, max: 43_200, noNaN: true }),
        fc.constantFrom(0.5, 1, 2, 2.002, 4, 10, 20),
        fc.integer({ min: 1, max: 64 }),
        fc.integer({ min: 0, max: 2 ** 34 }),
        (duration, gop, encoders, pixels) => {
          const chunks = planChunks(duration, gop, encoders, pixels);
          const chunkSeconds = chunks[0]?.endSeconds ?? duration;
          const starts = chunks.map(({ startSeconds }) => startSeconds);
          expect(starts).toEqual(chunks.map((_, index) => index * chunkSeconds || 0));
          expect(chunks.map(({ endSeconds }) => endSeconds)).toEqual([...starts.slice(1), null]);
          expect(starts.at(-1)).toBeLessThan(duration);
          if (chunks.length > 1) expect(Number.isInteger(chunkSeconds)).toBe(true);
          // Chunks of at most 300 s are extended to the next keyframe, 20 s later at most.
          expect(chunkSeconds).toBeLessThanOrEqual(300 + 20);
        },
      ),
    );
  });
});

describe('chunk size', () => {
  const pixels = (width: number, height: number, fps: number) => width * height * fps;
  const chunkDurations = (duration: number, pixelsPerSecond: number, encoders = 2) =>
    planChunks(duration, 2, encoders, pixelsPerSecond).map(
      ({ startSeconds, endSeconds }) => (endSeconds ?? duration) - startSeconds,
    );

  test('is smaller for large pictures', () => {
    // A chunk reads and writes at most the pixels of a minute of 1080p30.
    expect(Math.max(...chunkDurations(1_200, pixels(854, 480, 30)))).toBe(120);
    expect(Math.max(...chunkDurations(1_200, 2 * pixels(1920, 1080, 30)))).toBe(60);
    expect(Math.max(...chunkDurations(1_200, pixels(3072, 3072, 25)))).toBeLessThanOrEqual(34);
    expect(Math.max(...chunkDurations(1_200, pixels(7680, 4320, 240)))).toBeLessThanOrEqual(6);
  });

  test('is that of the whole video of 50 s unless its pictures are large', () => {
    expect(chunkDurations(50, pixels(854, 480, 30))).toEqual([50]);
    expect(chunkDurations(50, pixels(3072, 3072, 25)).length).toBeLessThanOrEqual(2);
    expect(chunkDurations(50, pixels(7680, 4320, 240)).length).toBeGreaterThan(8);
  });
});

describe('number of encoders', () => {
  test.each([
    [1, 1, 1],
    [2, 2, 1],
    [3, 2, 1],
    [4, 2, 2],
    [8, 4, 2],
    [16, 8, 2],
  ])('%d cores run at most %d encoders with %d threads each', (cores, encoders, threads) => {
    expect(maxEncoders(cores)).toBe(encoders);
    expect(threadsPerEncoderFor(cores)).toBe(threads);
  });

  test.each([
    [{ cores: 1, busyCores: 0 }, 1],
    [{ cores: 2, busyCores: 0 }, 2],
    // A small load of other work does not reduce the number: encoders have low priority.
    [{ cores: 2, busyCores: 0.4 }, 2],
    [{ cores: 2, busyCores: 1.2 }, 1],
    [{ cores: 2, busyCores: 2 }, 1],
    [{ cores: 8, busyCores: 0.5 }, 4],
    [{ cores: 8, busyCores: 4 }, 2],
    [{ cores: 8, busyCores: 8 }, 1],
  ])('on the machine %j is %d', (machine, encoders) => {
    expect(encodersToRun(machine)).toBe(encoders);
  });
});
