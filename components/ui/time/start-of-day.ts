import { DAY_MS, HOUR_MS, MINUTE_MS } from '@/lib/core/units';

/**
 * Start of the day that a time belongs to. On days on which the clock changes, it is still the first moment of the day.
 * @param at Unix milliseconds
 * @param zone IANA name of a time zone
 * @returns Unix milliseconds
 */
export function startOfDay(at: number, zone: string): number {
  const sameClock = at - clockTimeOf(at, zone);
  const clockTime = clockTimeOf(sameClock, zone);
  return clockTime < DAY_MS / 2 ? sameClock - clockTime : sameClock + DAY_MS - clockTime;
}

/** Time that a clock in the time zone shows, in milliseconds since midnight. */
function clockTimeOf(at: number, zone: string): number {
  const format = new Intl.DateTimeFormat('en', {
    timeZone: zone,
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
    hourCycle: 'h23',
  });
  const parts = format.formatToParts(at);
  const valueOf = (name: string) => Number(parts.find(({ type }) => type === name)?.value ?? 0);
  return valueOf('hour') * HOUR_MS + valueOf('minute') * MINUTE_MS + valueOf('second') * 1_000 + (at % 1_000);
}
