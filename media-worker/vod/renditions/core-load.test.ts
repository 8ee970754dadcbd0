import { cpus } from 'node:os';
import { expect, test } from 'vitest';
import { CoreLoad } from './core-load';

const cores = cpus().length;

test('cores are busy if they were neither idle nor running low-priority work since the last sample', async () => {
  const samples = [
    { free: 1_000, totalMs: 4_000 },
    { free: 1_300, totalMs: 4_400 },
    { free: 1_300, totalMs: 4_800 },
    // The counters of a core that was offline may decrease.
    { free: 2_000, totalMs: 4_900 },
    { free: 2_000, totalMs: 4_900 },
  ];
  const busy = new CoreLoad(() => samples.shift() ?? { free: 0, totalMs: 0 });
  expect(await busy.measureBusyCores()).toBeCloseTo(cores / 4);
  expect(await busy.measureBusyCores()).toBeCloseTo(cores);
  expect(await busy.measureBusyCores()).toBe(0);
  expect(await busy.measureBusyCores()).toBe(0);
});

test('the number of busy cores is between zero and the number of cores', async () => {
  const busy = await new CoreLoad().measureBusyCores();
  expect(busy).toBeGreaterThanOrEqual(0);
  expect(busy).toBeLessThanOrEqual(cores);
});
