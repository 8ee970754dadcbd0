import { expect, test } from 'vitest';
import { englishMessages } from '@/components/testing/messages';
import { timeFormatOf } from '@/components/ui/time/time-format';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@/lib/core/units';
import { publicStatusTextsOf } from './public-status-text';

const t = englishMessages('player');
const format = timeFormatOf({ zone: 'Europe/Berlin', hours: '24' }, 'en');
const endedAt = Date.UTC(2026, 4, 3, 11, 25);
const daysLater = (days: number) => endedAt + days * DAY_MS;
const titleOf = (now: number | null) =>
  publicStatusTextsOf(t, { state: 'ended', endedAt }, now, format)?.title;

test('the end of a session has a date on other days, and a year in other years', () => {
  expect(titleOf(endedAt + MINUTE_MS)).toBe('Ended at 13:25');
  expect(titleOf(daysLater(1))).toBe('Ended on May 3 at 13:25');
  expect(titleOf(daysLater(400))).toBe('Ended on May 3, 2026 at 13:25');
});

test('the end of a session has no time on the server, which does not know the time zone', () => {
  expect(titleOf(null)).toBe('Ended');
});

test('the texts about an ended session have a link to its recording if there is one', () => {
  expect(publicStatusTextsOf(t, { state: 'ended', endedAt }, endedAt, format)).not.toHaveProperty('link');
  const recorded = { state: 'ended', endedAt, recordingId: 'r' } as const;
  expect(publicStatusTextsOf(t, recorded, endedAt, format)?.link).toEqual({
    href: '/watch/r',
    label: 'Watch the recording',
  });
});

test('an announced start replaces the end of the last session, and is "soon" once it has passed', () => {
  const startsAt = endedAt + 2 * HOUR_MS;
  const announcedText = (now: number) =>
    publicStatusTextsOf(t, { state: 'ended', endedAt, startsAt, recordingId: 'r' }, now, format);
  expect(announcedText(endedAt)?.title).toBe('Starts at 15:25');
  expect(announcedText(endedAt)?.link?.href).toBe('/watch/r');
  expect(announcedText(endedAt - DAY_MS)?.title).toBe('Starts on May 3 at 15:25');
  expect(announcedText(startsAt)?.title).toBe('Starts soon');
});

test('every state except live has a title of its own', () => {
  const states = ['starting', 'idle', 'ended', 'unavailable', 'deleted'] as const;
  const titles = states.map((state) => publicStatusTextsOf(t, { state }, 0, format)?.title);
  expect(new Set(titles).size).toBe(states.length);
  expect(publicStatusTextsOf(t, { state: 'live' }, 0, format)).toBeNull();
});
