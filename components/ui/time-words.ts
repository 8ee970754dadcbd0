import { minuteMs, hourMs, dayMs } from '@/lib/core/units';
import type { Words } from '@/components/i18n/words';
import type { TimeFormat } from './time/time-format';

/** How long ago, as short as it can be said; a date after a month. Both times in milliseconds since 1970. */
export function agoInWords(
  t: Words<'ui.time'>,
  at: number,
  now: number,
  { date }: Pick<TimeFormat, 'date'>,
): string {
  const gone = Math.max(0, now - at);
  if (gone < minuteMs) return t('justNow');
  if (gone < hourMs) return t('minutesAgo', { count: Math.floor(gone / minuteMs) });
  if (gone < dayMs) return t('hoursAgo', { count: Math.floor(gone / hourMs) });
  if (gone < 2 * dayMs) return t('yesterday');
  if (gone < 30 * dayMs) return t('daysAgo', { count: Math.floor(gone / dayMs) });
  return date(at);
}

/** Seconds as hours, minutes and seconds: "2 h 05 min". */
export function durationInWords(seconds: number): string {
  const whole = Math.floor(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${String(whole % 60).padStart(2, '0')} s`;
  return `${Math.floor(whole / 3600)} h ${String(Math.floor((whole % 3600) / 60)).padStart(2, '0')} min`;
}
