import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { afterSample, afterWait, startRun, initialLoadState, type LoadState } from './transcode-load';

/** One sample a second. */
function watch(lags: readonly number[], state: LoadState = initialLoadState, from = 0): LoadState {
  return lags.reduce(
    (now, lagMs, second) => afterSample(now, { now: from + second * 1_000, lagMs, dropped: 0 }),
    state,
  );
}
const steady = (lagMs: number, seconds: number) => Array.from({ length: seconds }, () => lagMs);
const growing = (seconds: number) => Array.from({ length: seconds }, (_, second) => 2_100 + second * 100);

describe('transcoder load', () => {
  it.each([
    ['keeps up', steady(400, 60), 0],
    ['is slow to start', [...steady(1_900, 5), ...steady(300, 30)], 0],
    ['lags and catches up', [...growing(9), 2_900, 1_000, ...steady(300, 20)], 0],
    ['catches up after a long backlog', Array.from({ length: 40 }, (_, second) => 9_000 - 150 * second), 0],
    ['lags for nine seconds', growing(10), 0],
    ['lags increasingly for ten seconds', growing(11), 1],
    ['stays behind', steady(2_500, 11), 1],
    ['lags repeatedly', [...growing(9), 100, ...growing(9), 100], 0],
  ])('that %s', (_name, lags, givenUp) => {
    expect(watch(lags).givenUp).toBe(givenUp);
  });

  it('drops a rendition immediately for dropped frames, once per batch', () => {
    const state = afterSample(initialLoadState, { now: 0, lagMs: 0, dropped: 60 });
    expect(state).toMatchObject({ givenUp: 1, retryAt: 60_000 });
    expect(afterSample(startRun(state), { now: 1, lagMs: 0, dropped: 0 }).givenUp).toBe(1);
  });

  it('drops one rendition after the other', () => {
    expect(watch(growing(22)).givenUp).toBe(2);
  });
});

describe('retry', () => {
  const late = afterSample(initialLoadState, { now: 0, lagMs: 0, dropped: 1 });

  it('adds a rendition back after a minute', () => {
    expect(afterWait(late, 59_999).givenUp).toBe(1);
    expect(afterWait(late, 60_000)).toMatchObject({ givenUp: 0, retryAt: null });
    expect(afterWait(initialLoadState, 1e9)).toBe(initialLoadState);
  });

  it('waits longer after each failure', () => {
    let state = late;
    const waits: number[] = [];
    for (let round = 0; round < 8; round++) {
      const now = state.retryAt ?? 0;
      state = afterSample(startRun(afterWait(state, now)), { now, lagMs: 0, dropped: 1 });
      waits.push((state.retryAt ?? 0) - now);
    }
    expect(waits).toEqual([120, 240, 480, 960, 960, 960, 960, 960].map((seconds) => seconds * 1_000));
  });

  it('adds several renditions back one by one', () => {
    const twice = afterSample(late, { now: 0, lagMs: 0, dropped: 1 });
    expect(twice.givenUp).toBe(2);
    const once = afterWait(twice, twice.retryAt ?? 0);
    expect(once.givenUp).toBe(1);
    expect(once.retryAt).toBeGreaterThan(twice.retryAt ?? Infinity);
  });

  it('never has a negative number of dropped renditions', () => {
    const step = fc.record({ lagMs: fc.nat(20_000), dropped: fc.nat(3), wait: fc.nat(200_000) });
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        let state = initialLoadState;
        let now = 0;
        for (const { lagMs, dropped, wait } of steps) {
          state = afterWait(afterSample(state, { now: (now += wait), lagMs, dropped }), now);
          expect(state.givenUp).toBeGreaterThanOrEqual(0);
          expect(state.givenUp > 0).toBe(state.retryAt !== null);
        }
      }),
    );
  });
});
