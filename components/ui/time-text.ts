import { MINUTE_MS, HOUR_MS, DAY_MS } from '@/lib/core/units';
import type { Translator } from '@/components/i18n/messages';
import type { TimeFormat } from './time/time-format';

/**
 * Age of a time: "3 min ago", or its date after 30 days.
 * @param timestamp Unix milliseconds
 * @param now Unix milliseconds
 */
export function formatAgo(
  t: Translator<'ui.time'>,
  timestamp: number,
  now: number,
  { date }: Pick<TimeFormat, 'date'>,
): string {
  const ageMs = Math.max(0, now - timestamp);
  if (ageMs < MINUTE_MS) return t('justNow');
  if (ageMs < HOUR_MS) return t('minutesAgo', { count: Math.floor(ageMs / MINUTE_MS) });
  if (ageMs < DAY_MS) return t('hoursAgo', { count: Math.floor(ageMs / HOUR_MS) });
  if (ageMs < 2 * DAY_MS) return t('yesterday');
  if (ageMs < 30 * DAY_MS) return t('daysAgo', { count: Math.floor(ageMs / DAY_MS) });
  return date(timestamp);
}

/**
 * Formats a time without redundant parts: a time of today has no date, a time of this year has no year.
 * @param timestamp Unix milliseconds
 * @param now Unix milliseconds; null if unknown
 */
export function formatNearTime(
  timestamp: number,
  now: number | null,
  { time, year, date, dayAndTime, dateAndTime }: TimeFormat,
): string {
  if (now === null) return dayAndTime(timestamp);
  if (date(timestamp) === date(now)) return time(timestamp);
  return year(timestamp) === year(now) ? dayAndTime(timestamp) : dateAndTime(timestamp);
}

/** Formats seconds as hours, minutes and seconds: "0:48:12". The width is the same for up to ten hours. */
export function formatClock(seconds: number): string {
  const totalSeconds = Math.floor(seconds);
  const twoDigits = (value: number) => String(value % 60).padStart(2, '0');
  return `${Math.floor(totalSeconds / 3600)}:${twoDigits(Math.floor(totalSeconds / 60))}:${twoDigits(totalSeconds)}`;
}

/** Formats seconds with at most two units: "45 s", "3 min 05 s", "2 h 05 min". */
export function formatDuration(seconds: number): string {
  const totalSeconds = Math.floor(seconds);
  if (totalSeconds < 60) return `${totalSeconds} s`;
  if (totalSeconds < 3600)
    return `${Math.floor(totalSeconds / 60)} min ${String(totalSeconds % 60).padStart(2, '0')} s`;
  return `${Math.floor(totalSeconds / 3600)} h ${String(Math.floor((totalSeconds % 3600) / 60)).padStart(2, '0')} min`;
}
