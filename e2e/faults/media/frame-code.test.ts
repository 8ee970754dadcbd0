import { describe, expect, test } from 'vitest';
import { drawCode, findJumps, codeVideo, readCode, sampledRows } from './frame-code';

/** Returns the pixel rows that `readCode` reads. */
const codeRows = (row: Buffer) =>
  row.subarray(sampledRows.from * codeVideo.width, (sampledRows.from + sampledRows.count) * codeVideo.width);

describe('a frame code', () => {
  test.each([
    [0, 0],
    [1, 8],
    [4_711, 3],
    [65_535, 255],
  ])('of frame %d and source %d is read correctly, with and without noise', (frame, source) => {
    const pixels = codeRows(drawCode({ frame, source }));
    expect(readCode(pixels)).toEqual({ frame, source });
    // Each pixel is up to 20 darker or brighter.
    const noisyPixels = Buffer.from(pixels.map((pixel, index) => pixel + ((index * 37) % 41) - 20));
    expect(readCode(noisyPixels)).toEqual({ frame, source });
  });

  test('is null if any one of its 32 blocks is inverted', () => {
    for (let block = 0; block < 32; block += 1) {
      const pixels = Buffer.from(codeRows(drawCode({ frame: 4_711, source: 3 })));
      // A block is 10 px wide, and 251 is the sum of black (16) and white (235).
      for (let y = 0; y < sampledRows.count; y += 1)
        for (let x = block * 10; x < block * 10 + 10; x += 1)
          pixels[y * codeVideo.width + x] = 251 - (pixels[y * codeVideo.width + x] ?? 0);
      expect(readCode(pixels)).toBeNull();
    }
  });
});

test('findJumps returns each frame whose number does not follow the previous one, with -1 for an unreadable frame', () => {
  const frames = [5, 6, 7, 10, 11, 11, 3].map((frame) => ({ frame, source: 0 }));
  expect(findJumps(frames)).toEqual([
    { from: 7, to: 10 },
    { from: 11, to: 11 },
    { from: 11, to: 3 },
  ]);
  expect(findJumps(frames.slice(0, 3))).toEqual([]);
  expect(findJumps([{ frame: 1, source: 0 }, null])).toEqual([{ from: 1, to: -1 }]);
});
