import { backoffDelay } from '@/lib/core/backoff';
import { hourMs } from '@/lib/core/units';

/**
 * Why a run of a task ended before the task did.
 * `attempt`: a remote server, or the encoder on this file, failed and may succeed next time. `service`: an internal fault:
 * database, storage, disk, or a program that was killed or too slow. `worker`: the process died.
 */
export type InterruptionCause = 'attempt' | 'service' | 'worker';

export interface RetryHistory {
  readonly failedAttempts: number;
  /** Number of internal faults since the task last made progress. */
  readonly faults: number;
  /** Time of the first of these faults, in Unix milliseconds; null without faults. */
  readonly faultsSince: number | null;
}

export type RetryPlan =
  /** `willRetry`: retry after this delay, with this history. */
  | { readonly willRetry: true; readonly afterMs: number; readonly history: RetryHistory }
  /** `attempts`: too many failed attempts. `faults`: internal faults lasted too long. */
  | { readonly willRetry: false; readonly exceededLimit: 'attempts' | 'faults' };

/** Delays before the first and second retry of an attempt; then the task fails. */
const attemptDelaysMs = [30_000, 180_000] as const;

/** The delay doubles with each internal fault, so that an outage of hours costs one short attempt every few minutes. */
const faultBackoffMs = { first: 5_000, max: 300_000 };
/** A dead worker is replaced immediately; only a task that repeatedly kills its worker is delayed. */
const freeWorkerLosses = 3;
/** How long internal faults are retried before the task fails; its owner can retry it. */
export const faultHours = 24;

export const noRetries: RetryHistory = { failedAttempts: 0, faults: 0, faultsSince: null };

/** Whether and when an interrupted task is retried. @param now Unix milliseconds */
export function planRetry(history: RetryHistory, cause: InterruptionCause, now: number): RetryPlan {
  if (cause === 'attempt') {
    const afterMs = attemptDelaysMs[history.failedAttempts];
    if (afterMs === undefined) return { willRetry: false, exceededLimit: 'attempts' };
    return { willRetry: true, afterMs, history: { ...history, failedAttempts: history.failedAttempts + 1 } };
  }
  const faultsSince = history.faultsSince ?? now;
  if (now - faultsSince >= faultHours * hourMs) return { willRetry: false, exceededLimit: 'faults' };
  const faults = history.faults + 1;
  const free = cause === 'worker' ? freeWorkerLosses : 0;
  return {
    willRetry: true,
    afterMs: backoffDelay(faults - free, faultBackoffMs),
    history: { ...history, faults, faultsSince },
  };
}

/** Resets the faults of a task that made progress. */
export function afterProgress(history: RetryHistory): RetryHistory {
  return { ...history, faults: 0, faultsSince: null };
}
