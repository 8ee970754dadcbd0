import type { TimeFormat } from './time/time-format';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** How long ago, as short as it can be said; a date after a month. Both times in milliseconds since 1970. */
export function agoInWords(at: number, now: number, { date }: Pick<TimeFormat, 'date'>): string {
  const gone = Math.max(0, now - at);
  if (gone < MINUTE) return 'just now';
  if (gone < HOUR) return `${Math.floor(gone / MINUTE)} min ago`;
  if (gone < DAY) return `${Math.floor(gone / HOUR)} h ago`;
  if (gone < 2 * DAY) return 'yesterday';
  if (gone < 30 * DAY) return `${Math.floor(gone / DAY)} days ago`;
  return date(at);
}

/** Seconds as hours, minutes and seconds: "2 h 05 min". */
export function durationInWords(seconds: number): string {
  const whole = Math.floor(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${String(whole % 60).padStart(2, '0')} s`;
  return `${Math.floor(whole / 3600)} h ${String(Math.floor((whole % 3600) / 60)).padStart(2, '0')} min`;
}

const units = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'] as const;

/** Bytes in steps of 1000, with three digits that matter. */
export function sizeInWords(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  const digits = unit === 0 || value >= 99.5 ? 0 : 1;
  return `${value.toFixed(digits)} ${units[unit] ?? ''}`;
}

/** "1 stream", "1,204 streams". `many`: where it is not simply one with an s. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
}
