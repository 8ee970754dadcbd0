import { type InterruptionCause, type RetryHistory, afterProgress, planRetry } from './task-retry';

/** Progress after a report, 0 to 1. It never falls, whatever is reported (null: not started). */
function risenProgress(before: number | null, reported: number): number {
  return Math.max(before ?? 0, Math.min(1, Math.max(0, reported)));
}

/**
 * A piece of work.
 * `pending`: requested; a worker may take it as soon as it is due. `waiting`: its upload has arrived, or it waits for a
 * retry. `running`: a worker runs it. The last three are final: a retry by the user is a new task.
 */
export const taskPhases = ['pending', 'waiting', 'running', 'completed', 'failed', 'cancelled'] as const;
export type TaskPhase = (typeof taskPhases)[number];

export interface TaskState {
  readonly phase: TaskPhase;
  /** 0 to 1; never decreases, not even when the work restarts. Null before it started. */
  readonly progress: number | null;
  /** How often it was restarted. */
  readonly retries: number;
  readonly history: RetryHistory;
}

/**
 * `interrupted`: another server, a disk or the process failed, so another try may succeed; `at` is in milliseconds
 * since
 * 1970. `released`: the run gives the task back without a failure. `failed`: retrying is of no use, for example for a
 * bad file. `progressed` carries the progress of the work, 0 to 1.
 */
export const taskEvents = [
  'queued',
  'started',
  'progressed',
  'completed',
  'interrupted',
  'released',
  'failed',
  'cancelled',
] as const;

export type TaskEvent =
  | { readonly type: 'queued' | 'started' | 'completed' | 'released' | 'failed' | 'cancelled' }
  | { readonly type: 'interrupted'; readonly cause: InterruptionCause; readonly at: number }
  | { readonly type: 'progressed'; readonly progress: number };

type TaskTransition =
  /**
   * `retryAfterMs`: how long to wait before it is started again; null where it is not. `gaveUp`: what was tried for too
   * long; only with a task that failed by an interruption.
   */
  | {
      readonly state: TaskState;
      readonly retryAfterMs: number | null;
      readonly gaveUp?: 'attempts' | 'faults';
    }
  | { readonly refused: 'already_final' | 'out_of_turn' };

interface TransitionRule {
  readonly from: readonly TaskPhase[];
  readonly to: TaskPhase;
}

const unfinished = ['pending', 'waiting', 'running'] as const satisfies readonly TaskPhase[];

const transitions: Readonly<Record<(typeof taskEvents)[number], TransitionRule>> = {
  queued: { from: ['pending'], to: 'waiting' },
  started: { from: ['pending', 'waiting'], to: 'running' },
  progressed: { from: ['running'], to: 'running' },
  completed: { from: ['running'], to: 'completed' },
  interrupted: { from: ['running'], to: 'waiting' },
  released: { from: ['running'], to: 'waiting' },
  failed: { from: unfinished, to: 'failed' },
  cancelled: { from: unfinished, to: 'cancelled' },
};

/** Where an event is possible from: the condition of a conditional update. */
export const taskPhasesBefore = (event: TaskEvent['type']): TaskPhase[] => [...transitions[event].from];

/** Where an event leads to; an interruption may also end in `failed` (nextTaskState). */
export const taskPhaseAfter = (event: TaskEvent['type']): TaskPhase => transitions[event].to;

/** The phase of a new task. */
export const firstTaskPhase: TaskPhase = 'pending';

/** Not final yet: these can still be cancelled. */
export const unfinishedTaskPhases: readonly TaskPhase[] = unfinished;

/** Requested but not started. The number of these per account is limited. */
export const queuedTaskPhases: readonly TaskPhase[] = transitions.started.from;

/** The number of tasks one account may have in the queue. */
export const maxQueuedTasks = 100;

/** The same for a CORS-enabled key, which everybody who sees its page has: the rest is left to the team. */
export const maxQueuedTasksOfCorsKeys = 50;

/** What follows for one task. */
export function nextTaskState(state: TaskState, event: TaskEvent): TaskTransition {
  const { from, to } = transitions[event.type];
  if (isFinalTaskPhase(state.phase)) return { refused: 'already_final' };
  if (!from.includes(state.phase)) return { refused: 'out_of_turn' };
  if (event.type === 'interrupted') return afterInterruption(state, event);
  const progress = progressAfter(state.progress, event);
  const risen = event.type === 'progressed' && (progress ?? 0) > (state.progress ?? 0);
  const history = risen ? afterProgress(state.history) : state.history;
  return { state: { ...state, phase: to, progress, history }, retryAfterMs: null };
}

export function isFinalTaskPhase(phase: TaskPhase): boolean {
  return !unfinishedTaskPhases.includes(phase);
}

function afterInterruption(
  state: TaskState,
  { cause, at }: Extract<TaskEvent, { type: 'interrupted' }>,
): TaskTransition {
  const plan = planRetry(state.history, cause, at);
  if (!plan.again) {
    return { state: { ...state, phase: transitions.failed.to }, retryAfterMs: null, gaveUp: plan.because };
  }
  return {
    state: { ...state, phase: transitions.interrupted.to, retries: state.retries + 1, history: plan.history },
    retryAfterMs: plan.afterMs,
  };
}

function progressAfter(before: number | null, event: TaskEvent): number | null {
  if (event.type === 'completed') return 1;
  if (event.type !== 'progressed') return before;
  return risenProgress(before, event.progress);
}
