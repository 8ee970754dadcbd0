import { backoffDelay } from '@/lib/core/backoff';
import { HOUR_MS } from '@/lib/core/units';

/**
 * Why an attempt of a task was interrupted. `attempt`: a remote server failed, or encoding this file failed; the next
 * attempt may succeed. `service`: an internal fault of the database, the storage or the disk, or of a program that was
 * killed or too slow. `worker`: the worker process died.
 */
export type InterruptionCause = 'attempt' | 'service' | 'worker';

export interface RetryHistory {
  readonly failedAttempts: number;
  /** Number of internal faults since the task last made progress. */
  readonly faults: number;
  /** Time of the first of these faults in Unix milliseconds; null without faults. */
  readonly faultsSince: number | null;
}

export type RetryPlan =
  /** The task is retried after a delay, with this history. */
  | { readonly willRetry: true; readonly afterMs: number; readonly history: RetryHistory }
  /** The task fails. `attempts`: too many attempts failed. `faults`: internal faults lasted too long. */
  | { readonly willRetry: false; readonly exceededLimit: 'attempts' | 'faults' };

/** Delays before the two retries after failed attempts; after the third failed attempt, the task fails. */
const attemptDelaysMs = [30_000, 180_000] as const;

/** Delays after internal faults. They double, so that an outage of hours costs a short attempt every few minutes only. */
const faultBackoffMs = { firstDelay: 5_000, maxDelay: 300_000 };
/** Number of deaths of the worker without a delay. Only a task that repeatedly kills its worker is delayed. */
const UNDELAYED_WORKER_LOSSES = 3;
/** How long a task with internal faults is retried before it fails, in hours. A person can then retry it. */
export const FAULT_HOURS = 24;

export const noRetries: RetryHistory = { failedAttempts: 0, faults: 0, faultsSince: null };

/**
 * Whether and when an interrupted task is retried.
 * @param now Unix milliseconds
 */
export function planRetry(history: RetryHistory, cause: InterruptionCause, now: number): RetryPlan {
  if (cause === 'attempt') {
    const afterMs = attemptDelaysMs[history.failedAttempts];
    if (afterMs === undefined) return { willRetry: false, exceededLimit: 'attempts' };
    return { willRetry: true, afterMs, history: { ...history, failedAttempts: history.failedAttempts + 1 } };
  }
  const faultsSince = history.faultsSince ?? now;
  if (now - faultsSince >= FAULT_HOURS * HOUR_MS) return { willRetry: false, exceededLimit: 'faults' };
  const faults = history.faults + 1;
  const undelayedFaults = cause === 'worker' ? UNDELAYED_WORKER_LOSSES : 0;
  return {
    willRetry: true,
    afterMs: backoffDelay(faults - undelayedFaults, faultBackoffMs),
    history: { ...history, faults, faultsSince },
  };
}

/** Resets the faults of a task that made progress. */
export function resetFaults(history: RetryHistory): RetryHistory {
  return { ...history, faults: 0, faultsSince: null };
}
