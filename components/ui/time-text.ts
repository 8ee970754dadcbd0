import { minuteMs, hourMs, dayMs } from '@/lib/core/units';
import type { Translator } from '@/components/i18n/messages';
import type { TimeFormat } from './time/time-format';

/** Relative time in its shortest form; a date after a month. Both times in Unix milliseconds. */
export function formatAgo(
  t: Translator<'ui.time'>,
  at: number,
  now: number,
  { date }: Pick<TimeFormat, 'date'>,
): string {
  const ageMs = Math.max(0, now - at);
  if (ageMs < minuteMs) return t('justNow');
  if (ageMs < hourMs) return t('minutesAgo', { count: Math.floor(ageMs / minuteMs) });
  if (ageMs < dayMs) return t('hoursAgo', { count: Math.floor(ageMs / hourMs) });
  if (ageMs < 2 * dayMs) return t('yesterday');
  if (ageMs < 30 * dayMs) return t('daysAgo', { count: Math.floor(ageMs / dayMs) });
  return date(at);
}

/** Seconds as hours, minutes and seconds: "2 h 05 min". */
export function formatDuration(seconds: number): string {
  const totalSeconds = Math.floor(seconds);
  if (totalSeconds < 60) return `${totalSeconds} s`;
  if (totalSeconds < 3600)
    return `${Math.floor(totalSeconds / 60)} min ${String(totalSeconds % 60).padStart(2, '0')} s`;
  return `${Math.floor(totalSeconds / 3600)} h ${String(Math.floor((totalSeconds % 3600) / 60)).padStart(2, '0')} min`;
}
