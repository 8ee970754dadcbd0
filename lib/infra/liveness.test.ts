import { expect, test } from 'vitest';
import { Liveness, LIVENESS_CHECK_INTERVAL_MS, type Probe } from './liveness';

const limits = { silenceTimeoutMs: 15_000, startTimeoutMs: 60_000 };

/** Starts checks of a process that responds while `state.isResponding` is true. */
function startProbing(isResponding: boolean) {
  const state = { isResponding, now: 0, probeCount: 0 };
  const probe: Probe = () => {
    state.probeCount += 1;
    return state.isResponding ? Promise.resolve('ready' as const) : new Promise<null>(() => undefined);
  };
  const liveness = new Liveness(probe, limits, 0);
  /**
   * Checks up to `maxChecks` times.
   * @returns the number of checks until the process counts as hung; null if it does not
   */
  const check = async (maxChecks: number, stepMs = LIVENESS_CHECK_INTERVAL_MS) => {
    for (let checkCount = 1; checkCount <= maxChecks; checkCount += 1) {
      if (liveness.check((state.now += stepMs)) !== null) return checkCount;
      // The response of the probe is handled before the next check.
      await Promise.resolve();
      await Promise.resolve();
    }
    return null;
  };
  return { state, check };
}

test('a process that responds never counts as hung', async () => {
  const { state, check } = startProbing(true);
  expect(await check(1_000)).toBeNull();
  expect(state.probeCount).toBe(1_000);
});

test('a process that stops responding counts as hung after 15 s, in which it is probed only once', async () => {
  const { state, check } = startProbing(true);
  await check(10);
  state.isResponding = false;
  expect(await check(60)).toBe(15);
  expect(state.probeCount).toBe(11);
});

test('a process that has not responded yet counts as hung after 60 s', async () => {
  expect(await startProbing(false).check(120)).toBe(60);
});

test('time in which the supervisor was suspended counts as two seconds at most', async () => {
  const { state, check } = startProbing(true);
  await check(10);
  state.isResponding = false;
  await check(2);
  state.now += 3_600_000;
  expect(await check(5)).toBeNull();
});

test('a process on an overloaded machine gets more time', async () => {
  const { state, check } = startProbing(true);
  await check(10);
  state.isResponding = false;
  // One check every ten seconds instead of every second. Each counts as two seconds, so the 15 s end with the eighth.
  expect(await check(60, 10_000)).toBe(8);
});

test('a failed probe is repeated', async () => {
  let probeCount = 0;
  const liveness = new Liveness(
    () => {
      probeCount += 1;
      return probeCount < 3
        ? Promise.reject(new Error('no'))
        : Promise.resolve(probeCount > 5 ? 'starting' : null);
    },
    limits,
    0,
  );
  for (let now = 0; now < 10_000; now += LIVENESS_CHECK_INTERVAL_MS) {
    expect(liveness.check(now)).toBeNull();
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(probeCount).toBe(10);
  expect(liveness.ready).toBe(false);
});

test('probeIntervalMs limits how often the probe runs', async () => {
  let probeCount = 0;
  const probe: Probe = () => Promise.resolve((probeCount += 1) > 0 ? 'ready' : null);
  const liveness = new Liveness(probe, { ...limits, probeIntervalMs: 5_000 }, 0);
  for (let now = LIVENESS_CHECK_INTERVAL_MS; now <= 60_000; now += LIVENESS_CHECK_INTERVAL_MS) {
    expect(liveness.check(now)).toBeNull();
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(probeCount).toBe(12);
  expect(liveness.ready).toBe(true);
});
