import { expect, test } from 'vitest';
import { Liveness, LIVENESS_CHECK_INTERVAL_MS, type Probe } from './liveness';

const limits = { silenceTimeoutMs: 15_000, startTimeoutMs: 60_000 };

/** Starts checks of a process that responds while `state.responding` is true. */
function startProbing(responding: boolean) {
  const state = { responding, now: 0, probes: 0 };
  const probe: Probe = () => {
    state.probes += 1;
    return state.responding ? Promise.resolve('ready' as const) : new Promise<null>(() => undefined);
  };
  const liveness = new Liveness(probe, limits, 0);
  /**
   * Checks up to `seconds` times.
   * @returns number of checks until the process counts as hung; null if it does not
   */
  const check = async (seconds: number, stepMs = LIVENESS_CHECK_INTERVAL_MS) => {
    for (let second = 1; second <= seconds; second += 1) {
      if (liveness.check((state.now += stepMs)) !== null) return second;
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
  expect(state.probes).toBe(1_000);
});

test('a process that stops responding counts as hung after the limit, and is probed only once', async () => {
  const { state, check } = startProbing(true);
  await check(10);
  state.responding = false;
  expect(await check(60)).toBe(15);
  expect(state.probes).toBe(11);
});

test('a starting process gets more time', async () => {
  expect(await startProbing(false).check(120)).toBe(60);
});

test('time in which the supervisor was suspended does not count', async () => {
  const { state, check } = startProbing(true);
  await check(10);
  state.responding = false;
  await check(2);
  state.now += 3_600_000;
  expect(await check(5)).toBeNull();
});

test('a process on an overloaded machine gets more time', async () => {
  const { state, check } = startProbing(true);
  await check(10);
  state.responding = false;
  // One check every ten seconds instead of every second.
  expect(await check(60, 10_000)).toBe(8);
});

test('a failed probe is repeated', async () => {
  let probes = 0;
  const liveness = new Liveness(
    () => {
      probes += 1;
      return probes < 3 ? Promise.reject(new Error('no')) : Promise.resolve(probes > 5 ? 'starting' : null);
    },
    limits,
    0,
  );
  for (let now = 0; now < 10_000; now += LIVENESS_CHECK_INTERVAL_MS) {
    expect(liveness.check(now)).toBeNull();
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(probes).toBe(10);
  expect(liveness.ready).toBe(false);
});

test('an expensive probe can run less often', async () => {
  let probes = 0;
  const probe: Probe = () => Promise.resolve((probes += 1) > 0 ? 'ready' : null);
  const liveness = new Liveness(probe, { ...limits, probeIntervalMs: 5_000 }, 0);
  for (let now = LIVENESS_CHECK_INTERVAL_MS; now <= 60_000; now += LIVENESS_CHECK_INTERVAL_MS) {
    expect(liveness.check(now)).toBeNull();
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(probes).toBe(12);
  expect(liveness.ready).toBe(true);
});
