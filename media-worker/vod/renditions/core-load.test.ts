import { cpus } from 'node:os';
import { expect, test } from 'vitest';
import { CoreLoad } from './core-load';

const cores = cpus().length;

test('cores are busy if they were neither idle nor running low-priority work since the last sample', async () => {
  const samples = [
    { freeMs: 1_000, totalMs: 4_000 },
    { freeMs: 1_300, totalMs: 4_400 },
    { freeMs: 1_300, totalMs: 4_800 },
    // The counters of a core that was offline may decrease.
    { freeMs: 2_000, totalMs: 4_900 },
    { freeMs: 2_000, totalMs: 4_900 },
  ];
  const busy = new CoreLoad(() => samples.shift() ?? { freeMs: 0, totalMs: 0 });
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
