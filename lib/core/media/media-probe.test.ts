import { expect, test } from 'vitest';
import { measuredFrameRate } from './media-probe';

const NTSC_RATE = 30_000 / 1001;

test.each([
  ['the announced rate if the frames agree', 15, 500, NTSC_RATE, NTSC_RATE],
  ['the counted rate if they do not', 15, 500, 60, 30],
  ['a whole rate in a period with rounded times', 8, 533.5, undefined, 15],
  ['a whole rate in a long period', 300, 10_000, undefined, 30],
  ['the NTSC rate if the period is long enough', 600, 20_020, undefined, NTSC_RATE],
  ['an unusual rate unchanged', 180, 4_400, undefined, 180 / 4.4],
  ['less than a frame per second unchanged', 1, 4_000, undefined, 0.25],
])('measuredFrameRate returns %s', (_what, frames, durationMs, announcedRate, rate) => {
  expect(measuredFrameRate(frames, durationMs, announcedRate)).toBeCloseTo(rate, 6);
});
