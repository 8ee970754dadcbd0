import { daySeconds, hourMs, hourSeconds, minuteMs } from '@/lib/core/units';

/** When a broadcast was announced, and what is known of the stream; Unix milliseconds, null = none. */
export interface Schedule {
  readonly startsAt: number | null;
  readonly isActive: boolean;
  /** The last media of the stream. */
  readonly lastSeen: number | null;
}

/** Media from this long before the announced start belongs to the announced broadcast. */
export const earlyMs = 30 * minuteMs;

/** A stream that is not live is late this long after its announced start. */
export const lateMs = minuteMs;

/** Watch pages and lists stop announcing a broadcast that has not begun this long after its start. */
export const giveUpMs = hourMs;

/**
 * Where an announced broadcast stands: `coming` before its start, `late` after it while nothing was sent, else null
 * (not announced, on air, over, or given up).
 */
export function scheduleStateOf(
  { startsAt, isActive, lastSeen }: Schedule,
  now: number,
): 'coming' | 'late' | null {
  if (startsAt === null || isActive || now > startsAt + giveUpMs) return null;
  if (lastSeen !== null && lastSeen >= startsAt - earlyMs) return now < startsAt ? 'coming' : null;
  return now < startsAt + lateMs ? 'coming' : 'late';
}

/** The time until a start, rounded up to the second; zero after it. */
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
