import { expect, it } from 'vitest';
import { timeFormatOf } from './time/time-format';
import { englishMessages } from '@/components/testing/messages';
import { formatAgo, formatClock, formatDuration, formatNearTime } from './time-text';

const format = timeFormatOf({ zone: 'UTC', hours: '24' }, 'en');
const t = englishMessages('ui.time');
const now = Date.UTC(2026, 4, 20, 12);

it.each([
  [0, 'just now'],
  [59_999, 'just now'],
  [60_000, '1 min ago'],
  [3_599_999, '59 min ago'],
  [3_600_000, '1 h ago'],
  [86_400_000, 'yesterday'],
  [3 * 86_400_000, '3 days ago'],
  [40 * 86_400_000, 'Apr 10, 2026'],
])('%d ms ago is formatted as "%s"', (elapsedMs, text) => {
  expect(formatAgo(t, now - elapsedMs, now, format)).toBe(text);
});

it('a time in the future is formatted as "just now"', () => {
  expect(formatAgo(t, now + 5_000, now, format)).toBe('just now');
});

it.each([
  [0, '0 s'],
  [59.9, '59 s'],
  [61, '1 min 01 s'],
  [3599, '59 min 59 s'],
  [7500, '2 h 05 min'],
])('%d seconds are formatted as %s', (seconds, text) => expect(formatDuration(seconds)).toBe(text));

it.each([
  [Date.UTC(2026, 4, 20, 9, 5), now, '09:05'],
  [Date.UTC(2026, 4, 19, 9, 5), now, 'May 19, 09:05'],
  [Date.UTC(2025, 11, 31, 9, 5), now, 'Dec 31, 2025, 09:05'],
  [Date.UTC(2026, 4, 20, 9, 5), null, 'May 20, 09:05'],
])('the time %d is formatted at the current time %s as “%s”', (time, currentTime, text) => {
  expect(formatNearTime(time, currentTime, format)).toBe(text);
});

it('a time of another year has its year, also in a language whose dates begin with the year', () => {
  const japaneseFormat = timeFormatOf({ zone: 'UTC', hours: '24' }, 'ja');
  expect(formatNearTime(Date.UTC(2025, 4, 20, 9, 5), now, japaneseFormat)).toMatch(/^2025/);
  expect(formatNearTime(Date.UTC(2026, 3, 20, 9, 5), now, japaneseFormat)).not.toMatch(/2026/);
});

it.each([
  [0, '0:00:00'],
  [62.9, '0:01:02'],
  [2_892, '0:48:12'],
  [36_000, '10:00:00'],
])('%d seconds on a clock are %s', (seconds, text) => {
  expect(formatClock(seconds)).toBe(text);
});
