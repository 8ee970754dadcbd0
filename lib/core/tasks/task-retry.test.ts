import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { resetFaults, FAULT_HOURS, noRetries, planRetry, type InterruptionCause } from './task-retry';

const HOUR_MS = 3_600_000;

/** The delays until the task fails, if each run fails immediately. */
function retryDelays(cause: InterruptionCause, maxDelays = 10_000): number[] {
  const delays: number[] = [];
  let history = noRetries;
  for (let now = 0; delays.length < maxDelays;) {
    const plan = planRetry(history, cause, now);
    if (!plan.willRetry) break;
    history = plan.history;
    now += plan.afterMs;
    delays.push(plan.afterMs);
  }
  return delays;
}

describe('planRetry', () => {
  test('retries an attempt after 30 s and after 180 s', () => {
    expect(retryDelays('attempt')).toEqual([30_000, 180_000]);
  });

  test('retries internal faults for a day, with delays that grow to five minutes', () => {
    const delays = retryDelays('service');
    expect(delays.slice(0, 8)).toEqual([5_000, 10_000, 20_000, 40_000, 80_000, 160_000, 300_000, 300_000]);
    const total = delays.reduce((sum, delay) => sum + delay, 0);
    expect(total).toBeGreaterThanOrEqual(FAULT_HOURS * HOUR_MS);
    expect(total).toBeLessThanOrEqual(FAULT_HOURS * HOUR_MS + 300_000);
    expect(delays.length).toBeLessThan(300);
  });

  test('restarts a task of a dead worker immediately, and delays one that keeps killing its worker', () => {
    expect(retryDelays('worker', 6)).toEqual([0, 0, 0, 5_000, 10_000, 20_000]);
  });

  test('counts internal faults again after progress', () => {
    const first = planRetry(noRetries, 'service', 0);
    if (!first.willRetry) throw new Error('given up');
    const later = planRetry(resetFaults(first.history), 'service', 30 * HOUR_MS);
    expect(later).toMatchObject({ willRetry: true, afterMs: 5_000 });
    expect(planRetry(first.history, 'service', 30 * HOUR_MS)).toEqual({
      willRetry: false,
      exceededLimit: 'faults',
    });
  });

  test('does not count internal faults as failed attempts', () => {
    const causes = fc.array(fc.constantFrom<InterruptionCause>('attempt', 'service', 'worker'), {
      maxLength: 60,
    });
    fc.assert(
      fc.property(causes, (interruptions) => {
        let history = noRetries;
        let attempts = 0;
        let now = 0;
        for (const cause of interruptions) {
          const plan = planRetry(history, cause, now);
          if (cause === 'attempt') attempts += 1;
          expect(plan.willRetry).toBe(cause === 'attempt' ? attempts <= 2 : now < FAULT_HOURS * HOUR_MS);
          if (!plan.willRetry) return;
          expect(plan.afterMs).toBeLessThanOrEqual(300_000);
          history = plan.history;
          now += plan.afterMs;
        }
      }),
    );
  });
});
