import { daySeconds, hourMs, hourSeconds, minuteMs } from '@/lib/core/units';

/** The last millisecond of the year 9999: later dates have no standard format. */
export const maxStartsAt = 253_402_300_799_999;

/** The announced start of a broadcast and the state of its stream; Unix milliseconds, null = none. */
export interface Schedule {
  readonly startsAt: number | null;
  readonly isActive: boolean;
  /** When the stream last received media. */
  readonly lastSeen: number | null;
}

/** Media within this time before the announced start belongs to the announced broadcast. */
export const earlyMs = 30 * minuteMs;

/** A stream that is not live this long after its announced start is late. */
export const lateMs = minuteMs;

/** Watch pages and lists stop announcing a broadcast that has not started this long after its announced start. */
export const maxStartDelayMs = hourMs;

/**
 * State of an announced broadcast: `coming` before its start, `late` after it without media, otherwise null (not announced,
 * on air, over, or given up).
 */
export function scheduleStateOf(
  { startsAt, isActive, lastSeen }: Schedule,
  now: number,
): 'coming' | 'late' | null {
  if (startsAt === null || isActive || now > startsAt + maxStartDelayMs) return null;
  if (lastSeen !== null && lastSeen >= startsAt - earlyMs) return now < startsAt ? 'coming' : null;
  return now < startsAt + lateMs ? 'coming' : 'late';
}

/** The time until a start, rounded up to the second; zero after the start. */
export function timeUntil(
  startsAt: number,
  now: number,
): { readonly days: number; readonly hours: number; readonly minutes: number; readonly seconds: number } {
  const remainingSeconds = Math.max(0, Math.ceil((startsAt - now) / 1_000));
  return {
    days: Math.floor(remainingSeconds / daySeconds),
    hours: Math.floor((remainingSeconds % daySeconds) / hourSeconds),
    minutes: Math.floor((remainingSeconds % hourSeconds) / 60),
    seconds: remainingSeconds % 60,
  };
}
