import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { noRetries, type InterruptionCause } from './task-retry';
import {
  firstTaskPhase,
  isFinalTaskPhase,
  nextTaskState,
  queuedTaskPhases,
  taskMachine,
  type TaskEvent,
  type TaskState,
} from './task-state';

function eventOf(
  type: TaskEvent['type'],
  {
    progress = 0.5,
    cause = 'attempt',
    at = 0,
  }: { progress?: number; cause?: InterruptionCause; at?: number } = {},
): TaskEvent {
  if (type === 'progressed') return { type, progress };
  return type === 'interrupted' ? { type, cause, at } : { type };
}

describe('nextTaskState', () => {
  test('an interruption counts as a retry and keeps the progress; the third failed attempt fails the task', () => {
    const running = { phase: 'running', progress: 0.4, retries: 3, history: noRetries } as const;
    expect(nextTaskState(running, eventOf('interrupted'))).toEqual({
      state: { ...running, phase: 'waiting', retries: 4, history: { ...noRetries, failedAttempts: 1 } },
      retryAfterMs: 30_000,
    });
    const triedTask = { ...running, history: { ...noRetries, failedAttempts: 2 } };
    expect(nextTaskState(triedTask, eventOf('interrupted'))).toEqual({
      state: { ...triedTask, phase: 'failed' },
      retryAfterMs: null,
      exceededLimit: 'attempts',
    });
  });

  test('progress beyond earlier runs resets the faults, equal progress does not', () => {
    const history = { failedAttempts: 1, faults: 4, faultsSince: 7 };
    const running = { phase: 'running', progress: 0.4, retries: 5, history } as const;
    const historyAfter = (progress: number) => {
      const next = nextTaskState(running, eventOf('progressed', { progress }));
      return next?.state.history;
    };
    expect(historyAfter(0.4)).toEqual(history);
    expect(historyAfter(0.41)).toEqual({ failedAttempts: 1, faults: 0, faultsSince: null });
  });

  test('final phases are never left, progress never falls, and attempts end after three', () => {
    const events = fc.array(
      fc.tuple(
        fc.constantFrom(...taskMachine.events),
        fc.double({ min: -1, max: 2, noNaN: true }),
        fc.constantFrom<InterruptionCause>('attempt', 'service', 'worker'),
      ),
      {
        maxLength: 80,
      },
    );
    fc.assert(
      fc.property(events, (history) => {
        let state: TaskState = { phase: firstTaskPhase, progress: null, retries: 0, history: noRetries };
        let attempts = 0;
        for (const [type, progress, cause] of history) {
          const next = nextTaskState(state, eventOf(type, { progress, cause }));
          if (isFinalTaskPhase(state.phase)) expect(next).toBeNull();
          if (!next) continue;
          if (type === 'interrupted' && cause === 'attempt') attempts += 1;
          expect(next.state.progress ?? 0).toBeGreaterThanOrEqual(state.progress ?? 0);
          expect(next.state.progress ?? 0).toBeLessThanOrEqual(1);
          if (next.retryAfterMs !== null) expect(next.state.phase).toBe('waiting');
          state = next.state;
        }
        expect(attempts).toBeLessThanOrEqual(3);
      }),
    );
  });
});

describe('phases', () => {
  test('a queued phase is not final', () => {
    expect(queuedTaskPhases.every((phase) => !isFinalTaskPhase(phase))).toBe(true);
  });
});
