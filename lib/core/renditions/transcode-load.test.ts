import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  applyLoadSample,
  retryRendition,
  resetLoad,
  initialLoadState,
  type LoadState,
} from './transcode-load';

/** The state after lags that are sampled once a second. */
function applyLags(lags: readonly number[], state: LoadState = initialLoadState, from = 0): LoadState {
  return lags.reduce(
    (now, lagMs, second) => applyLoadSample(now, { now: from + second * 1_000, lagMs, droppedFrames: 0 }),
    state,
  );
}
const steadyLag = (lagMs: number, seconds: number) => Array.from({ length: seconds }, () => lagMs);
const growingLag = (seconds: number) => Array.from({ length: seconds }, (_, second) => 2_100 + second * 100);

describe('transcoder load', () => {
  it.each([
    ['keeps up', steadyLag(400, 60), 0],
    ['is slow to start', [...steadyLag(1_900, 5), ...steadyLag(300, 30)], 0],
    ['lags and catches up', [...growingLag(9), 2_900, 1_000, ...steadyLag(300, 20)], 0],
    ['catches up after a long backlog', Array.from({ length: 40 }, (_, second) => 9_000 - 150 * second), 0],
    ['lags for nine seconds', growingLag(10), 0],
    ['lags increasingly for ten seconds', growingLag(11), 1],
    ['stays behind', steadyLag(2_500, 11), 1],
    ['lags repeatedly', [...growingLag(9), 100, ...growingLag(9), 100], 0],
  ])('of a transcoder that %s: $2 dropped renditions', (_name, lags, droppedRenditionCount) => {
    expect(applyLags(lags).droppedRenditionCount).toBe(droppedRenditionCount);
  });

  it('drops a rendition immediately for dropped frames, and no other while no more frames are dropped', () => {
    const state = applyLoadSample(initialLoadState, { now: 0, lagMs: 0, droppedFrames: 60 });
    expect(state).toMatchObject({ droppedRenditionCount: 1, retryAt: 60_000 });
    expect(
      applyLoadSample(resetLoad(state), { now: 1, lagMs: 0, droppedFrames: 0 }).droppedRenditionCount,
    ).toBe(1);
  });

  it('drops renditions one after another', () => {
    expect(applyLags(growingLag(22)).droppedRenditionCount).toBe(2);
  });
});

describe('retry', () => {
  const stateAfterDrop = applyLoadSample(initialLoadState, { now: 0, lagMs: 0, droppedFrames: 1 });

  it('adds a dropped rendition again after a minute', () => {
    expect(retryRendition(stateAfterDrop, 59_999).droppedRenditionCount).toBe(1);
    expect(retryRendition(stateAfterDrop, 60_000)).toMatchObject({ droppedRenditionCount: 0, retryAt: null });
    expect(retryRendition(initialLoadState, 1e9)).toBe(initialLoadState);
  });

  it('waits longer after each failure', () => {
    let state = stateAfterDrop;
    const waits: number[] = [];
    for (let round = 0; round < 8; round++) {
      const now = state.retryAt ?? 0;
      state = applyLoadSample(resetLoad(retryRendition(state, now)), { now, lagMs: 0, droppedFrames: 1 });
      waits.push((state.retryAt ?? 0) - now);
    }
    expect(waits).toEqual([120, 240, 480, 960, 960, 960, 960, 960].map((seconds) => seconds * 1_000));
  });

  it('adds several dropped renditions again, one after another', () => {
    const twice = applyLoadSample(stateAfterDrop, { now: 0, lagMs: 0, droppedFrames: 1 });
    expect(twice.droppedRenditionCount).toBe(2);
    const once = retryRendition(twice, twice.retryAt ?? 0);
    expect(once.droppedRenditionCount).toBe(1);
    expect(once.retryAt).toBeGreaterThan(twice.retryAt ?? Infinity);
  });

  it('never has a negative number of dropped renditions', () => {
    const step = fc.record({ lagMs: fc.nat(20_000), dropped: fc.nat(3), wait: fc.nat(200_000) });
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        let state = initialLoadState;
        let now = 0;
        for (const { lagMs, dropped, wait } of steps) {
          state = retryRendition(
            applyLoadSample(state, { now: (now += wait), lagMs, droppedFrames: dropped }),
            now,
          );
          expect(state.droppedRenditionCount).toBeGreaterThanOrEqual(0);
          expect(state.droppedRenditionCount > 0).toBe(state.retryAt !== null);
        }
      }),
    );
  });
});
