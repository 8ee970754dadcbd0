/** When a failed delivery is retried: over about 15 minutes. */

/** With gaps of 5 s at first; `WEBHOOK_RETRY_BASE_MS` scales all of it. */
const nominal = { baseMs: 5_000, windowMs: 900_000, lastChanceMs: 780_000 };
const growth = 1.5;
/** Each gap is multiplied by something from 0.9 to 1.1: the gaps still always grow. */
const jitter = 0.2;
export const maxTries = 12;

export interface FailedTry {
  /** Attempts of this schedule so far, the one that just failed included; from 1. */
  readonly tries: number;
  /** Begin of the first attempt of the schedule, begin and end of this one: milliseconds of one clock. */
  readonly firstAt: number;
  readonly startedAt: number;
  readonly endedAt: number;
  /** `Retry-After` of the receiver, in milliseconds from the end of the attempt. */
  readonly retryAfterMs?: number | undefined;
  /** From 0 to below 1, new for each attempt. */
  readonly random: number;
  /** Length of the first gap. */
  readonly baseMs: number;
}

/**
 * When the next attempt is due, or null when the delivery has failed. No attempt starts later than the window
 * after the first; one whose gap leads beyond it is moved to the very end, so that the receiver's last minutes count.
 */
export function nextTry(failed: FailedTry): number | null {
  const { tries, firstAt, startedAt, endedAt, retryAfterMs, random, baseMs } = failed;
  if (tries >= maxTries) return null;
  const scale = baseMs / nominal.baseMs;
  const gap = baseMs * growth ** (tries - 1) * (1 - jitter / 2 + jitter * random);
  // A receiver may ask for a longer delay, not for a shorter one, and within the schedule.
  const wait = retryAfterMs === undefined ? gap : Math.min(Math.max(retryAfterMs, gap), 2 * gap);
  const at = endedAt + wait;
  const end = firstAt + nominal.windowMs * scale;
  if (at <= end) return at;
  return startedAt < firstAt + nominal.lastChanceMs * scale && endedAt < end ? end : null;
}

/**
 * What a `Retry-After` header asks for, in milliseconds; undefined when it cannot be read.
 * @param now milliseconds of the wall clock, for the form with a date
 */
export function readRetryAfter(value: string | undefined, now: number): number | undefined {
  if (value === undefined) return undefined;
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1000;
  const date = /^[A-Za-z]{3,9}, /.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
