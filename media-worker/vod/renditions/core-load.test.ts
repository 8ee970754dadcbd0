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
  const coreLoad = new CoreLoad(() => samples.shift() ?? { freeMs: 0, totalMs: 0 });
  // The cores were free for 300 of 400 ms, and then for none.
  expect(await coreLoad.measureBusyCores()).toBeCloseTo(cores / 4);
  expect(await coreLoad.measureBusyCores()).toBeCloseTo(cores);
  expect(await coreLoad.measureBusyCores()).toBe(0);
  expect(await coreLoad.measureBusyCores()).toBe(0);
});

test('the number of busy cores is between zero and the number of cores', async () => {
  const busyCores = await new CoreLoad().measureBusyCores();
  expect(busyCores).toBeGreaterThanOrEqual(0);
  expect(busyCores).toBeLessThanOrEqual(cores);
});
