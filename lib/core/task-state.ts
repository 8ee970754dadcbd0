import { risenProgress } from './progress';

/**
 * A piece of work (specification §2.4, api-contract §6): pending → waiting → running → completed | failed | cancelled.
 * `pending`: asked for. `waiting`: everything it needs is here, it is in the queue. The last three are final:
 * doing it once more is another task.
 */
export const taskPhases = ['pending', 'waiting', 'running', 'completed', 'failed', 'cancelled'] as const;
export type TaskPhase = (typeof taskPhases)[number];

export interface TaskState {
  readonly phase: TaskPhase;
  /** 0 to 1; never falls, not even when the work begins anew. Null before it has begun. */
  readonly progress: number | null;
  /** How often it was begun anew. */
  readonly retries: number;
}

/**
 * `interrupted`: the network, a disk or the process failed, so another try may succeed. `failed`: no other try
 * would, such as for a bad file. `progressed` carries the progress of the work, 0 to 1.
 */
export type TaskEvent =
  | { readonly type: 'queued' | 'started' | 'completed' | 'interrupted' | 'failed' | 'cancelled' }
  | { readonly type: 'progressed'; readonly progress: number };

export type TaskTransition =
  /** `retryAfterMs`: how long to wait before it is started again; null where it is not. */
  | { readonly state: TaskState; readonly retryAfterMs: number | null }
  | { readonly refused: 'already_final' | 'out_of_turn' };

interface Turn {
  readonly from: readonly TaskPhase[];
  readonly to: TaskPhase;
}

const unfinished = ['pending', 'waiting', 'running'] as const satisfies readonly TaskPhase[];

const turns: Readonly<Record<TaskEvent['type'], Turn>> = {
  queued: { from: ['pending'], to: 'waiting' },
  started: { from: ['waiting'], to: 'running' },
  progressed: { from: ['running'], to: 'running' },
  completed: { from: ['running'], to: 'completed' },
  interrupted: { from: ['running'], to: 'waiting' },
  failed: { from: unfinished, to: 'failed' },
  cancelled: { from: unfinished, to: 'cancelled' },
};

/** Waits before the first and the second retry (api-contract §6); after these it has failed. */
const retryDelaysMs = [30_000, 180_000] as const;

/** The phase of a task that was just asked for. */
export const firstTaskPhase: TaskPhase = 'pending';

/** Not final yet: these can still be cancelled. */
export const unfinishedTaskPhases: readonly TaskPhase[] = unfinished;

/** Asked for, but not begun: what an account may have a bounded number of (api-contract §2.2). */
export const queuedTaskPhases: readonly TaskPhase[] = ['pending', 'waiting'];

/** Tasks that one account may have in the queue (api-contract §2.2). */
export const maxQueuedTasks = 100;

/** What follows for one task. */
export function nextTaskState(state: TaskState, event: TaskEvent): TaskTransition {
  const { from, to } = turns[event.type];
  if (isFinalTaskPhase(state.phase)) return { refused: 'already_final' };
  if (!from.includes(state.phase)) return { refused: 'out_of_turn' };
  if (event.type === 'interrupted') return afterInterruption(state);
  return {
    state: { ...state, phase: to, progress: progressAfter(state.progress, event) },
    retryAfterMs: null,
  };
}

export function isFinalTaskPhase(phase: TaskPhase): boolean {
  return !unfinishedTaskPhases.includes(phase);
}

/** The phase that a row holds. @throws Error when it holds another text */
export function taskPhaseOf(text: string): TaskPhase {
  const phase = taskPhases.find((known) => known === text);
  if (!phase) throw new Error(`A task is in the unknown phase ${text}`);
  return phase;
}

function afterInterruption(state: TaskState): TaskTransition {
  const retryAfterMs = retryDelaysMs[state.retries];
  if (retryAfterMs === undefined) return { state: { ...state, phase: 'failed' }, retryAfterMs: null };
  return { state: { ...state, phase: 'waiting', retries: state.retries + 1 }, retryAfterMs };
}

function progressAfter(before: number | null, event: TaskEvent): number | null {
  if (event.type === 'completed') return 1;
  if (event.type !== 'progressed') return before;
  return risenProgress(before, event.progress);
}
