import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chunksOf, encodersNow, mostEncoders, threadsOf } from './encode-split';

describe('where a video is cut', () => {
  test.each([
    [600, 2, 2, [0, 100, 200, 300, 400, 500]],
    [130, 2, 2, [0, 66]],
    [130, 2.5, 2, [0, 65]],
    [60, 2, 2, [0, 30]],
    [600, 2, 1, [0, 300]],
    [700, 20, 1, [0, 240, 480]],
    [59.9, 2, 8, [0]],
    [0, 2, 2, [0]],
  ])('%d s, a keyframe each %d s, %d encoders', (duration, gop, encoders, starts) => {
    const chunks = chunksOf(duration, gop, encoders);
    expect(chunks.map(({ start }) => start)).toEqual(starts);
    expect(chunks.map(({ end }) => end)).toEqual([...starts.slice(1), null]);
  });

  test('the pieces follow each other, whole seconds long, of one length, none too long', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.1, max: 43_200, noNaN: true }),
        fc.constantFrom(0.5, 1, 2, 2.002, 4, 10, 20),
        fc.integer({ min: 1, max: 64 }),
        (duration, gop, encoders) => {
          const chunks = chunksOf(duration, gop, encoders);
          const length = chunks[0]?.end ?? duration;
          for (const [index, { start, end }] of chunks.entries()) {
            expect(start).toBe(index * length || 0);
            expect(end).toBe(chunks[index + 1]?.start ?? null);
            expect(start).toBeLessThan(duration);
          }
          if (chunks.length > 1) expect(Number.isInteger(length)).toBe(true);
          expect(length).toBeLessThanOrEqual(300 + 20);
        },
      ),
    );
  });
});

describe('how many encoders run', () => {
  test.each([
    [1, 1, 1],
    [2, 2, 1],
    [3, 2, 1],
    [4, 2, 2],
    [8, 4, 2],
    [16, 8, 2],
  ])('%d cores: %d encoders of %d threads at most', (cores, encoders, threads) => {
    expect(mostEncoders(cores)).toBe(encoders);
    expect(threadsOf(cores)).toBe(threads);
  });

  test.each([
    [{ cores: 1, busy: 0 }, 1],
    [{ cores: 2, busy: 0 }, 2],
    // A little of something else is no reason for fewer: encoders have low priority.
    [{ cores: 2, busy: 0.4 }, 2],
    [{ cores: 2, busy: 1.2 }, 1],
    [{ cores: 2, busy: 2 }, 1],
    [{ cores: 8, busy: 0.5 }, 4],
    [{ cores: 8, busy: 4 }, 2],
    [{ cores: 8, busy: 8 }, 1],
  ])('%j', (machine, encoders) => {
    expect(encodersNow(machine)).toBe(encoders);
  });
});
