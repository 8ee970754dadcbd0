/** When a broadcast was announced, and what is known of the stream; Unix milliseconds, null = none. */
export interface Schedule {
  readonly startsAt: number | null;
  readonly isActive: boolean;
  /** The last media of the stream. */
  readonly lastSeen: number | null;
}

/** Media from this long before the announced start belongs to the announced broadcast. */
export const earlyMs = 30 * 60_000;

/** A stream that is not live is late this long after its announced start. */
export const lateMs = 60_000;

/** Watch pages and lists stop announcing a broadcast that has not begun this long after its start. */
export const giveUpMs = 3_600_000;

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
  const left = Math.max(0, Math.ceil((startsAt - now) / 1_000));
  const [perDay, perHour] = [86_400, 3_600];
  return {
    days: Math.floor(left / perDay),
    hours: Math.floor((left % perDay) / perHour),
    minutes: Math.floor((left % perHour) / 60),
    seconds: left % 60,
  };
}
