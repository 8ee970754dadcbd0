import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { afterDeath, defaultRestartPolicy, initialRestartState } from './restart-backoff';

function delays(ranMs: readonly number[]): number[] {
  let state = initialRestartState;
  return ranMs.map((ran) => {
    const after = afterDeath(state, ran);
    state = after.state;
    return after.delayMs;
  });
}

describe('restart back-off', () => {
  it('answers an accident at once', () => {
    expect(delays([60_000])).toEqual([0]);
  });

  it('waits longer and longer while a process keeps dying', () => {
    expect(delays(Array.from({ length: 10 }, () => 100))).toEqual([
      0, 0, 0, 500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000,
    ]);
  });

  it('forgets the past of a process that ran for a while', () => {
    expect(delays([1, 1, 1, 1, 1, 10_000, 1, 1, 1])).toEqual([0, 0, 0, 500, 1_000, 0, 0, 0, 500]);
  });

  it('is bounded and never shrinks within a crash loop', () => {
    const short = fc.integer({ min: 0, max: defaultRestartPolicy.healthyAfterMs - 1 });
    fc.assert(
      fc.property(fc.array(short, { maxLength: 2_000 }), (runs) => {
        const all = delays(runs);
        expect(all.every((delay) => delay >= 0 && delay <= defaultRestartPolicy.maxDelayMs)).toBe(true);
        expect(all).toEqual([...all].sort((a, b) => a - b));
      }),
    );
  });
});
