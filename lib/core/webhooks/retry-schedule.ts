import { backoffDelay } from '@/lib/core/backoff';

/** The retry schedule for a first delay of 5 s. `WEBHOOK_RETRY_BASE_MS` scales it. */
const schedule = { baseMs: 5_000, windowMs: 900_000, lastChanceMs: 780_000 };
const growth = 1.5;
/** Each delay is multiplied by 0.9 to 1.1, which is less than the growth, so delays always grow. */
const jitter = 0.2;
export const maxAttempts = 12;

export interface FailedAttempt {
  /** Attempts of this schedule so far, including the current failed one. */
  readonly attempts: number;
  /** Start of the schedule's first attempt, then start and end of the current one, in milliseconds of the same clock. */
  readonly firstAt: number;
  readonly startedAt: number;
  readonly endedAt: number;
  /** `Retry-After` of the response, in milliseconds from the end of the attempt. */
  readonly retryAfterMs?: number | undefined;
  /** A new random number for each attempt, from 0 to below 1. */
  readonly random: number;
  readonly baseMs: number;
}

/**
 * When the next attempt is due; null without one. No attempt starts after the window, which starts with the first attempt.
 * A later retry moves to the end of the window, so that a receiver that recovers late still gets the delivery.
 */
export function nextAttemptAt(attempt: FailedAttempt): number | null {
  const { attempts, firstAt, startedAt, endedAt, retryAfterMs, random, baseMs } = attempt;
  if (attempts >= maxAttempts) return null;
  const scale = baseMs / schedule.baseMs;
  const gap = backoffDelay(attempts, { first: baseMs, growth }) * (1 - jitter / 2 + jitter * random);
  // Retry-After can only lengthen a delay, at most to twice the delay.
  const wait = retryAfterMs === undefined ? gap : Math.min(Math.max(retryAfterMs, gap), 2 * gap);
  const at = endedAt + wait;
  const end = firstAt + schedule.windowMs * scale;
  if (at <= end) return at;
  return startedAt < firstAt + schedule.lastChanceMs * scale && endedAt < end ? end : null;
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
