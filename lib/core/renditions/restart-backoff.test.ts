import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { afterDeath, defaultRestartPolicy, initialRestartState, readyRestartPolicy } from './restart-backoff';

interface Run {
  readonly ranMs: number;
  readonly ready: boolean;
}

function delays(runs: readonly Run[]): number[] {
  let state = initialRestartState;
  return runs.map(({ ranMs, ready }) => {
    const after = afterDeath(state, ranMs, ready ? readyRestartPolicy : defaultRestartPolicy);
    state = after.state;
    return after.delayMs;
  });
}

/** Runs that ended before the process was ready. */
const failed = (...ranMs: number[]): Run[] => ranMs.map((ran) => ({ ranMs: ran, ready: false }));
const killed = (...ranMs: number[]): Run[] => ranMs.map((ran) => ({ ranMs: ran, ready: true }));

describe('restart back-off', () => {
  it('answers an accident at once', () => {
    expect(delays(killed(60_000))).toEqual([0]);
  });

  it('waits longer and longer while a process keeps ending at its start', () => {
    expect(delays(failed(...Array.from({ length: 10 }, () => 100)))).toEqual([
      0, 0, 0, 500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000,
    ]);
  });

  it('forgets the past of a process that ran for a while', () => {
    expect(delays(failed(1, 1, 1, 1, 1, 10_000, 1, 1, 1))).toEqual([0, 0, 0, 500, 1_000, 0, 0, 0, 500]);
  });

  it('never waits long for a process that is killed again and again while it works', () => {
    const all = delays(killed(...Array.from({ length: 50 }, () => 3_000)));
    expect(Math.max(...all)).toBe(500);
  });

  it('starts again with short waits when a process that worked can no longer start', () => {
    const many = killed(...Array.from({ length: 50 }, () => 3_000));
    expect(delays([...many, ...failed(1, 1, 1)]).slice(-3)).toEqual([1_000, 2_000, 4_000]);
  });

  it('is bounded and never shrinks within a crash loop', () => {
    const short = fc.integer({ min: 0, max: defaultRestartPolicy.healthyAfterMs - 1 });
    fc.assert(
      fc.property(fc.array(short, { maxLength: 2_000 }), (runs) => {
        const all = delays(failed(...runs));
        expect(all.every((delay) => delay >= 0 && delay <= defaultRestartPolicy.maxDelayMs)).toBe(true);
        expect(all).toEqual([...all].sort((a, b) => a - b));
      }),
    );
  });
});
