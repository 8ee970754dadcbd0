import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  firstTaskPhase,
  isFinalTaskPhase,
  nextTaskState,
  queuedTaskPhases,
  taskPhaseOf,
  taskPhases,
  unfinishedTaskPhases,
  type TaskEvent,
  type TaskPhase,
  type TaskState,
} from './task-state';

const types = ['queued', 'started', 'progressed', 'completed', 'interrupted', 'failed', 'cancelled'] as const;

const eventOf = (type: TaskEvent['type'], progress = 0.5): TaskEvent =>
  type === 'progressed' ? { type, progress } : { type };

const outOfTurn = 'out_of_turn';
const final = 'already_final';
const everyEvent = (answer: string) =>
  Object.fromEntries(types.map((type) => [type, answer])) as Record<TaskEvent['type'], string>;

/** phase → event → next phase or the refusal. */
const expected: Record<TaskPhase, Record<TaskEvent['type'], string>> = {
  pending: { ...everyEvent(outOfTurn), queued: 'waiting', failed: 'failed', cancelled: 'cancelled' },
  waiting: { ...everyEvent(outOfTurn), started: 'running', failed: 'failed', cancelled: 'cancelled' },
  running: {
    queued: outOfTurn,
    started: outOfTurn,
    progressed: 'running',
    completed: 'completed',
    interrupted: 'waiting',
    failed: 'failed',
    cancelled: 'cancelled',
  },
  completed: everyEvent(final),
  failed: everyEvent(final),
  cancelled: everyEvent(final),
};

describe('nextTaskState', () => {
  const pairs = taskPhases.flatMap((phase) => types.map((type) => [phase, type] as const));

  test.each(pairs)('%s + %s', (phase, type) => {
    const wanted = expected[phase][type];
    const next = nextTaskState({ phase, progress: null, retries: 0 }, eventOf(type));
    if (wanted === final || wanted === outOfTurn) expect(next).toEqual({ refused: wanted });
    else expect(next).toMatchObject({ state: { phase: wanted } });
  });

  test('is tried again after 30 s, then after 180 s, and has then failed', () => {
    const running = { phase: 'running', progress: 0.4 } as const;
    const interrupted = eventOf('interrupted');
    expect(nextTaskState({ ...running, retries: 0 }, interrupted)).toEqual({
      state: { phase: 'waiting', progress: 0.4, retries: 1 },
      retryAfterMs: 30_000,
    });
    expect(nextTaskState({ ...running, retries: 1 }, interrupted)).toEqual({
      state: { phase: 'waiting', progress: 0.4, retries: 2 },
      retryAfterMs: 180_000,
    });
    expect(nextTaskState({ ...running, retries: 2 }, interrupted)).toEqual({
      state: { phase: 'failed', progress: 0.4, retries: 2 },
      retryAfterMs: null,
    });
  });

  test('a final phase is never left, progress never falls, and it is started at most three times', () => {
    const events = fc.array(
      fc.tuple(fc.constantFrom(...types), fc.double({ min: -1, max: 2, noNaN: true })),
      {
        maxLength: 80,
      },
    );
    fc.assert(
      fc.property(events, (life) => {
        let state: TaskState = { phase: firstTaskPhase, progress: null, retries: 0 };
        let starts = 0;
        for (const [type, progress] of life) {
          const next = nextTaskState(state, eventOf(type, progress));
          if (isFinalTaskPhase(state.phase)) expect(next).toEqual({ refused: final });
          if ('refused' in next) continue;
          if (type === 'started') starts += 1;
          expect(next.state.progress ?? 0).toBeGreaterThanOrEqual(state.progress ?? 0);
          expect(next.state.progress ?? 0).toBeLessThanOrEqual(1);
          if (next.retryAfterMs !== null) expect(next.state.phase).toBe('waiting');
          state = next.state;
        }
        expect(starts).toBeLessThanOrEqual(3);
      }),
    );
  });
});

describe('phases', () => {
  test('the unfinished ones are exactly those that can be cancelled', () => {
    const cancellable = taskPhases.filter(
      (phase) => 'state' in nextTaskState({ phase, progress: null, retries: 0 }, { type: 'cancelled' }),
    );
    expect(unfinishedTaskPhases).toEqual(cancellable);
    expect(queuedTaskPhases.every((phase) => !isFinalTaskPhase(phase))).toBe(true);
  });

  test('taskPhaseOf knows every phase and nothing else', () => {
    for (const phase of taskPhases) expect(taskPhaseOf(phase)).toBe(phase);
    expect(() => taskPhaseOf('constructor')).toThrow('unknown phase');
  });
});
