import { DAY_SECONDS, HOUR_MS, HOUR_SECONDS, MINUTE_MS } from '@/lib/core/units';

/** Maximum start time: the last millisecond of the year 9999. Later dates have no standard format. */
export const MAX_STARTS_AT = 253_402_300_799_999;

/** The announced start of a session, and the state of its stream. Times are in Unix milliseconds; null for none. */
export interface Schedule {
  readonly startsAt: number | null;
  readonly isActive: boolean;
  /** When the stream last received media. */
  readonly lastSeen: number | null;
}

/** Maximum time before the announced start at which media belongs to the announced session. */
export const MAX_EARLY_START_MS = 30 * MINUTE_MS;

/** Time after the announced start at which a stream that is not live is late. */
export const LATE_AFTER_MS = MINUTE_MS;

/** Watch pages and lists stop announcing a session that has not started this long after its announced start. */
export const MAX_START_DELAY_MS = HOUR_MS;

/**
 * The state of an announced session. `coming`: its start is in the future. `late`: its start is over, and no media has
 * arrived. Null in all other cases: no session is announced, or it is on air, over or too late.
 */
export function scheduleStateOf(
  { startsAt, isActive, lastSeen }: Schedule,
  now: number,
): 'coming' | 'late' | null {
  if (startsAt === null || isActive || now > startsAt + MAX_START_DELAY_MS) return null;
  if (lastSeen !== null && lastSeen >= startsAt - MAX_EARLY_START_MS) return now < startsAt ? 'coming' : null;
  return now < startsAt + LATE_AFTER_MS ? 'coming' : 'late';
}

/**
 * Splits the time until a start into days, hours, minutes and seconds. It is rounded up to seconds, and zero after the
 * start.
 */
export function splitTimeUntil(
  startsAt: number,
  now: number,
): { readonly days: number; readonly hours: number; readonly minutes: number; readonly seconds: number } {
  const remainingSeconds = Math.max(0, Math.ceil((startsAt - now) / 1_000));
  return {
    days: Math.floor(remainingSeconds / DAY_SECONDS),
    hours: Math.floor((remainingSeconds % DAY_SECONDS) / HOUR_SECONDS),
    minutes: Math.floor((remainingSeconds % HOUR_SECONDS) / 60),
    seconds: remainingSeconds % 60,
  };
}
