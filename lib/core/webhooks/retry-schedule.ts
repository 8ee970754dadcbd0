import { backoffDelay } from '@/lib/core/backoff';

/**
 * The retry schedule for a first delay of 5 s: the window in which attempts start, and until when a retry may move to its
 * end. The setting `WEBHOOK_RETRY_BASE_MS` scales all times.
 */
const schedule = { baseMs: 5_000, windowMs: 900_000, lastChanceMs: 780_000 };
/** Ratio of each delay to the previous one. */
const DELAY_GROWTH = 1.5;
/** Width of the jitter: each delay is multiplied by 0.9 to 1.1. Delays still grow, because the growth is larger. */
const JITTER = 0.2;
export const MAX_DELIVERY_ATTEMPTS = 12;

export interface FailedAttempt {
  /** Number of attempts in this schedule, including the one that failed now. */
  readonly attempts: number;
  /**
   * Start of the first attempt in this schedule, and start and end of the attempt that failed now, in milliseconds of one
   * clock.
   */
  readonly firstAt: number;
  readonly startedAt: number;
  readonly endedAt: number;
  /** `Retry-After` of the response, in milliseconds from the end of the attempt. */
  readonly retryAfterMs?: number | undefined;
  /** Random number for this attempt, from 0 to below 1. */
  readonly random: number;
  /** First delay: the setting `WEBHOOK_RETRY_BASE_MS`. */
  readonly baseMs: number;
}

/**
 * When the next attempt is due; null if there is none. No attempt starts after the window, which starts with the first
 * attempt. A retry that would be later moves to the end of the window, so that a receiver that recovers late still gets the
 * delivery, unless the failed attempt started shortly before.
 */
export function nextAttemptAt(attempt: FailedAttempt): number | null {
  const { attempts, firstAt, startedAt, endedAt, retryAfterMs, random, baseMs } = attempt;
  if (attempts >= MAX_DELIVERY_ATTEMPTS) return null;
  const scale = baseMs / schedule.baseMs;
  const delayMs =
    backoffDelay(attempts, { firstDelay: baseMs, factor: DELAY_GROWTH }) * (1 - JITTER / 2 + JITTER * random);
  // Retry-After can only lengthen a delay, to at most twice the delay.
  const retryDelayMs =
    retryAfterMs === undefined ? delayMs : Math.min(Math.max(retryAfterMs, delayMs), 2 * delayMs);
  const attemptAt = endedAt + retryDelayMs;
  const windowEnd = firstAt + schedule.windowMs * scale;
  if (attemptAt <= windowEnd) return attemptAt;
  return startedAt < firstAt + schedule.lastChanceMs * scale && endedAt < windowEnd ? windowEnd : null;
}

/**
 * Parses a `Retry-After` header (RFC 9110 §10.2.3).
 * @param now current Unix milliseconds, for the date form
 * @returns milliseconds, or undefined for an invalid header
 */
export function readRetryAfter(value: string | undefined, now: number): number | undefined {
  if (value === undefined) return undefined;
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1000;
  const date = /^[A-Za-z]{3,9}, /.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
