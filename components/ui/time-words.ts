import type { Words } from '@/components/i18n/words';
import type { TimeFormat } from './time/time-format';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** How long ago, as short as it can be said; a date after a month. Both times in milliseconds since 1970. */
export function agoInWords(
  t: Words<'ui.time'>,
  at: number,
  now: number,
  { date }: Pick<TimeFormat, 'date'>,
): string {
  const gone = Math.max(0, now - at);
  if (gone < MINUTE) return t('justNow');
  if (gone < HOUR) return t('minutesAgo', { count: Math.floor(gone / MINUTE) });
  if (gone < DAY) return t('hoursAgo', { count: Math.floor(gone / HOUR) });
  if (gone < 2 * DAY) return t('yesterday');
  if (gone < 30 * DAY) return t('daysAgo', { count: Math.floor(gone / DAY) });
  return date(at);
}

/** Seconds as hours, minutes and seconds: "2 h 05 min". */
export function durationInWords(seconds: number): string {
  const whole = Math.floor(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${String(whole % 60).padStart(2, '0')} s`;
  return `${Math.floor(whole / 3600)} h ${String(Math.floor((whole % 3600) / 60)).padStart(2, '0')} min`;
}
