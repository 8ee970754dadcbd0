import { expect, test } from 'vitest';
import { reservedCores, usedCores, type TranscodeUse } from './transcode-use';

test.each<[string, Partial<TranscodeUse>, number, number]>([
  ['not measured yet', {}, 1, 1],
  ['measured for a few seconds only', { measuredCores: 0.2, measuredMs: 5_000 }, 1, 1],
  ['cheaper than estimated', { measuredCores: 0.7, measuredMs: 30_000 }, 0.7, 0.7],
  ['costlier than estimated', { measuredCores: 1.8, measuredMs: 30_000 }, 1.8, 1.8],
  ['encoding a still picture', { measuredCores: 0.1, measuredMs: 30_000 }, 0.5, 0.1],
  ['short of CPU time', { measuredCores: 0.4, measuredMs: 30_000, keepsUp: false }, 1, 0.4],
])('a transcoder that is %s has $2 reserved cores and $3 used cores', (_, change, reserved, used) => {
  const use = { estimatedCores: 1, measuredCores: null, measuredMs: 0, keepsUp: true, ...change };
  expect(reservedCores(use)).toBe(reserved);
  expect(usedCores(use)).toBe(used);
});
