import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  planRestart,
  defaultRestartPolicy,
  initialRestartState,
  readyRestartPolicy,
} from './restart-backoff';

interface Run {
  readonly ranMs: number;
  readonly ready: boolean;
}

function delaysOf(runs: readonly Run[]): number[] {
  let state = initialRestartState;
  return runs.map(({ ranMs, ready }) => {
    const restart = planRestart(state, ranMs, ready ? readyRestartPolicy : defaultRestartPolicy);
    state = restart.state;
    return restart.delayMs;
  });
}

/** Runs that ended before the process was ready. */
const failedRuns = (...ranMs: number[]): Run[] => ranMs.map((ran) => ({ ranMs: ran, ready: false }));
/** Runs that ended after the process was ready. */
const killedRuns = (...ranMs: number[]): Run[] => ranMs.map((ran) => ({ ranMs: ran, ready: true }));

describe('planRestart', () => {
  it('restarts immediately after a first failure', () => {
    expect(delaysOf(killedRuns(60_000))).toEqual([0]);
  });

  it('waits longer each time a process ends at its start, after three immediate restarts', () => {
    expect(delaysOf(failedRuns(...Array.from({ length: 10 }, () => 100)))).toEqual([
      0, 0, 0, 500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000,
    ]);
  });

  it('restarts immediately again after a process ran for ten seconds', () => {
    expect(delaysOf(failedRuns(1, 1, 1, 1, 1, 10_000, 1, 1, 1))).toEqual([0, 0, 0, 500, 1_000, 0, 0, 0, 500]);
  });

  it('waits at most half a second for a ready process that is killed repeatedly', () => {
    const allDelays = delaysOf(killedRuns(...Array.from({ length: 50 }, () => 3_000)));
    expect(Math.max(...allDelays)).toBe(500);
  });

  it('restarts with short delays when a process that was ready can no longer start', () => {
    const repeatedKills = killedRuns(...Array.from({ length: 50 }, () => 3_000));
    expect(delaysOf([...repeatedKills, ...failedRuns(1, 1, 1)]).slice(-3)).toEqual([1_000, 2_000, 4_000]);
  });

  it('returns delays that are bounded and never shrink within a crash loop', () => {
    const short = fc.integer({ min: 0, max: defaultRestartPolicy.healthyAfterMs - 1 });
    fc.assert(
      fc.property(fc.array(short, { maxLength: 2_000 }), (runs) => {
        const allDelays = delaysOf(failedRuns(...runs));
        expect(allDelays.every((delay) => delay >= 0 && delay <= defaultRestartPolicy.maxDelayMs)).toBe(true);
        expect(allDelays).toEqual([...allDelays].sort((a, b) => a - b));
      }),
    );
  });
});
