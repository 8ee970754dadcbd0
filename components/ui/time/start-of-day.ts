import { DAY_MS, HOUR_MS, MINUTE_MS } from '@/lib/core/units';

/**
 * Start of the day in a time zone.
 * @param unixMs a time of that day
 * @param zone IANA name of the time zone
 * @returns Unix milliseconds
 */
export function startOfDay(unixMs: number, zone: string): number {
  // Midnight, unless the clock changed since then: then it is off by the change, in either direction.
  const estimate = unixMs - clockTimeOf(unixMs, zone);
  const clockTime = clockTimeOf(estimate, zone);
  return clockTime < DAY_MS / 2 ? estimate - clockTime : estimate + DAY_MS - clockTime;
}

/** Time that a clock in the time zone shows, in milliseconds since midnight. */
function clockTimeOf(unixMs: number, zone: string): number {
  const format = new Intl.DateTimeFormat('en', {
    timeZone: zone,
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
    hourCycle: 'h23',
  });
  const parts = format.formatToParts(unixMs);
  const valueOf = (name: string) => Number(parts.find(({ type }) => type === name)?.value ?? 0);
  return (
    valueOf('hour') * HOUR_MS + valueOf('minute') * MINUTE_MS + valueOf('second') * 1_000 + (unixMs % 1_000)
  );
}
