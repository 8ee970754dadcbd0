import { cpus } from 'node:os';
import { expect, test } from 'vitest';
import { CoreLoad } from './encode-video';

const cores = cpus().length;

test('cores are busy as far as they are neither idle nor at work of low priority, since the last look', async () => {
  const looks = [
    { free: 1_000, all: 4_000 },
    { free: 1_300, all: 4_400 },
    { free: 1_300, all: 4_800 },
    // Clocks of cores that were switched off and on may go back.
    { free: 2_000, all: 4_900 },
    { free: 2_000, all: 4_900 },
  ];
  const busy = new CoreLoad(() => looks.shift() ?? { free: 0, all: 0 });
  expect(await busy.lately()).toBeCloseTo(cores / 4);
  expect(await busy.lately()).toBeCloseTo(cores);
  expect(await busy.lately()).toBe(0);
  expect(await busy.lately()).toBe(0);
});

test('this machine has as many busy cores as it has cores at most', async () => {
  const busy = await new CoreLoad().lately();
  expect(busy).toBeGreaterThanOrEqual(0);
  expect(busy).toBeLessThanOrEqual(cores);
});
