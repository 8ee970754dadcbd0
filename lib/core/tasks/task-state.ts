import { defineMachine, type EventOf, type StateOf } from '@/lib/core/state-machine';
import { type InterruptionCause, type RetryHistory, resetFaults, planRetry } from './task-retry';

/**
 * The phases of a task. `pending`: the task was requested; a worker may take it when it is due. `waiting`: the upload
 * of the task has arrived, or the task waits for a retry. `running`: a worker runs the task. The other phases are
 * final: a retry by a person is another task.
 *
 * `interrupted`: a remote server, a disk or the process failed, so a retry may succeed; after the last retry the task is
 * `failed` (nextTaskState). `released`: the worker returns the task without a failure. `failed`: a retry would be useless,
 * for example because of a bad file.
 */
export const taskMachine = defineMachine({
  states: ['pending', 'waiting', 'running', 'completed', 'failed', 'cancelled'],
  events: {
    queued: { pending: 'waiting' },
    started: { pending: 'running', waiting: 'running' },
    progressed: { running: 'running' },
    completed: { running: 'completed' },
    interrupted: { running: 'waiting' },
    released: { running: 'waiting' },
    failed: { pending: 'failed', waiting: 'failed', running: 'failed' },
    cancelled: { pending: 'cancelled', waiting: 'cancelled', running: 'cancelled' },
  },
});
export type TaskPhase = StateOf<typeof taskMachine>;

export interface TaskState {
  readonly phase: TaskPhase;
  /** 0 to 1; never decreases, even when the work restarts. Null before the start. */
  readonly progress: number | null;
  /** Number of retries. */
  readonly retries: number;
  readonly history: RetryHistory;
}

/** An event of a task. `at` is in Unix milliseconds; `progress` is that of the attempt, 0 to 1. */
export type TaskEvent =
  | { readonly type: Exclude<EventOf<typeof taskMachine>, 'interrupted' | 'progressed'> }
  | { readonly type: 'interrupted'; readonly cause: InterruptionCause; readonly at: number }
  | { readonly type: 'progressed'; readonly progress: number };

interface TaskTransition {
  readonly state: TaskState;
  /** Delay before the task is retried; null if it is not. */
  readonly retryAfterMs: number | null;
  /** The exceeded limit; only for a task that failed after interruptions. */
  readonly exceededLimit?: 'attempts' | 'faults';
}

export const firstTaskPhase: TaskPhase = 'pending';

/** Phases that are not final. Tasks in these phases can be cancelled. */
export const unfinishedTaskPhases: readonly TaskPhase[] = taskMachine.statesBefore('cancelled');

/** Phases before the start, of which the number of tasks per team is limited. */
export const queuedTaskPhases: readonly TaskPhase[] = taskMachine.statesBefore('started');

/** Maximum number of queued tasks per team. */
export const MAX_QUEUED_TASKS = 100;

/**
 * Maximum number of queued tasks that were requested with CORS-enabled keys, which every visitor of a page has. The rest is
 * left for the team.
 */
export const MAX_QUEUED_TASKS_OF_CORS_KEYS = 50;

/** The state of a task after an event; null if the event is not possible. */
export function nextTaskState(state: TaskState, event: TaskEvent): TaskTransition | null {
  const phase = taskMachine.nextState(state.phase, event.type);
  if (phase === null) return null;
  if (event.type === 'interrupted') return afterInterruption(state, event);
  const progress = progressAfter(state.progress, event);
  const hasAdvanced = event.type === 'progressed' && (progress ?? 0) > (state.progress ?? 0);
  const history = hasAdvanced ? resetFaults(state.history) : state.history;
  return { state: { ...state, phase, progress, history }, retryAfterMs: null };
}

export function isFinalTaskPhase(phase: TaskPhase): boolean {
  return !unfinishedTaskPhases.includes(phase);
}

function afterInterruption(
  state: TaskState,
  { cause, at }: Extract<TaskEvent, { type: 'interrupted' }>,
): TaskTransition {
  const plan = planRetry(state.history, cause, at);
  if (!plan.willRetry) {
    return {
      state: { ...state, phase: taskMachine.stateAfter('failed') },
      retryAfterMs: null,
      exceededLimit: plan.exceededLimit,
    };
  }
  return {
    state: {
      ...state,
      phase: taskMachine.stateAfter('interrupted'),
      retries: state.retries + 1,
      history: plan.history,
    },
    retryAfterMs: plan.afterMs,
  };
}

function progressAfter(previousProgress: number | null, event: TaskEvent): number | null {
  if (event.type === 'completed') return 1;
  if (event.type !== 'progressed') return previousProgress;
  return advancedProgress(previousProgress, event.progress);
}

/** The progress after a report, 0 to 1. It never decreases. */
function advancedProgress(previousProgress: number | null, reportedProgress: number): number {
  return Math.max(previousProgress ?? 0, Math.min(1, Math.max(0, reportedProgress)));
}
