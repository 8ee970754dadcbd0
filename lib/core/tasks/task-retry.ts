/**
 * Why a run of a task ended before the task did.
 * `attempt`: another server, or the encoder on this file, did not do what was asked; it may the next time.
 * `service`: a fault of ours: the database, the storage or the disk, or a program that was killed or too slow.
 * `worker`: the process died, and nothing says that its successor will.
 */
export type InterruptionCause = 'attempt' | 'service' | 'worker';

/** What earlier runs of a task came to. */
export interface RetryHistory {
  /** How often an attempt did not succeed. */
  readonly failedAttempts: number;
  /** Faults of ours since the task last got further than before. */
  readonly faults: number;
  /** When the first of these happened, in milliseconds since 1970; null without one. */
  readonly faultsSince: number | null;
}

export type RetryPlan =
  /** `again`: retry after this delay, with this history. */
  | { readonly again: true; readonly afterMs: number; readonly history: RetryHistory }
  /** `attempts`: it was tried often enough. `faults`: ours lasted too long. */
  | { readonly again: false; readonly because: 'attempts' | 'faults' };

/** Waits before the first and the second retry of an attempt; after these the task has failed. */
const attemptDelaysMs = [30_000, 180_000] as const;

/** Doubled with each fault of ours, so that an outage of hours costs one small try every few minutes. */
const firstFaultDelayMs = 5_000;
const longestFaultDelayMs = 300_000;
/** A dead process is replaced at once. Only a task that keeps killing its process waits. */
const freeWorkerLosses = 3;
/** How long faults of ours are waited out before the task fails; its owner can start it again. */
export const faultHours = 24;

export const noRetries: RetryHistory = { failedAttempts: 0, faults: 0, faultsSince: null };

/** Whether an interrupted task is tried again, and when. @param now milliseconds since 1970 */
export function planRetry(history: RetryHistory, cause: InterruptionCause, now: number): RetryPlan {
  if (cause === 'attempt') {
    const afterMs = attemptDelaysMs[history.failedAttempts];
    if (afterMs === undefined) return { again: false, because: 'attempts' };
    return { again: true, afterMs, history: { ...history, failedAttempts: history.failedAttempts + 1 } };
  }
  const faultsSince = history.faultsSince ?? now;
  if (now - faultsSince >= faultHours * 3_600_000) return { again: false, because: 'faults' };
  const faults = history.faults + 1;
  const free = cause === 'worker' ? freeWorkerLosses : 0;
  return { again: true, afterMs: faultDelayMs(faults - free), history: { ...history, faults, faultsSince } };
}

/** The task got further than any run before: what stood in its way is over. */
export function afterProgress(history: RetryHistory): RetryHistory {
  return { ...history, faults: 0, faultsSince: null };
}

function faultDelayMs(nth: number): number {
  if (nth < 1) return 0;
  return Math.min(longestFaultDelayMs, firstFaultDelayMs * 2 ** Math.min(nth - 1, 30));
}
