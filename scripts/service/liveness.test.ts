import { expect, test } from 'vitest';
import { Liveness, tickMs, type AskAlive } from './liveness';

const limits = { silentMs: 15_000, startingMs: 60_000 };

/** A process that answers as long as `works` says so. */
function watched(works: boolean) {
  const state = { works, now: 0, asked: 0 };
  const ask: AskAlive = () => {
    state.asked += 1;
    return state.works ? Promise.resolve('ready' as const) : new Promise<null>(() => undefined);
  };
  const liveness = new Liveness(ask, limits, 0);
  /** Looks until it is hung; @returns seconds it took, or null when it was not within `seconds` */
  const look = async (seconds: number, stepMs = tickMs) => {
    for (let second = 1; second <= seconds; second += 1) {
      if (liveness.look((state.now += stepMs)) !== null) return second;
      await Promise.resolve();
      await Promise.resolve();
    }
    return null;
  };
  return { state, look };
}

test('a process that answers is never hung', async () => {
  const { state, look } = watched(true);
  expect(await look(1_000)).toBeNull();
  expect(state.asked).toBe(1_000);
});

test('one that stops answering is hung after the limit, and is asked once only', async () => {
  const { state, look } = watched(true);
  await look(10);
  state.works = false;
  expect(await look(60)).toBe(15);
  expect(state.asked).toBe(11);
});

test('one that is still loading is given more time', async () => {
  expect(await watched(false).look(120)).toBe(60);
});

test('time in which the supervisor itself was stopped does not count', async () => {
  const { state, look } = watched(true);
  await look(10);
  state.works = false;
  await look(2);
  state.now += 3_600_000;
  expect(await look(5)).toBeNull();
});

test('a starved machine gets more time', async () => {
  const { state, look } = watched(true);
  await look(10);
  state.works = false;
  // Looks that come every ten seconds instead of every one.
  expect(await look(60, 10_000)).toBe(8);
});

test('a question that fails is asked again', async () => {
  let asked = 0;
  const liveness = new Liveness(
    () => {
      asked += 1;
      return asked < 3 ? Promise.reject(new Error('no')) : Promise.resolve(asked > 5 ? 'starting' : null);
    },
    limits,
    0,
  );
  for (let now = 0; now < 10_000; now += tickMs) {
    expect(liveness.look(now)).toBeNull();
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(asked).toBe(10);
  expect(liveness.ready).toBe(false);
});

test('a question that costs something is asked less often', async () => {
  let asked = 0;
  const ask: AskAlive = () => Promise.resolve((asked += 1) > 0 ? 'ready' : null);
  const liveness = new Liveness(ask, { ...limits, everyMs: 5_000 }, 0);
  for (let now = tickMs; now <= 60_000; now += tickMs) {
    expect(liveness.look(now)).toBeNull();
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(asked).toBe(12);
  expect(liveness.ready).toBe(true);
});
