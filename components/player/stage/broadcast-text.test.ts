import { expect, test } from 'vitest';
import { englishMessages } from '@/components/testing/messages';
import { timeFormatOf } from '@/components/ui/time/time-format';
import { describeBroadcast } from './broadcast-text';

const t = englishMessages('player');
const format = timeFormatOf({ zone: 'Europe/Berlin', hours: '24' }, 'en');
const endedAt = Date.UTC(2026, 4, 3, 11, 25);
const later = (days: number) => endedAt + days * 86_400_000;
const titleOf = (now: number | null) => describeBroadcast(t, { state: 'ended', endedAt }, now, format)?.title;

test('the end of a broadcast is shown as a time today, with a date on other days, and with the year of another year', () => {
  expect(titleOf(endedAt + 60_000)).toBe('Ended at 13:25');
  expect(titleOf(later(1))).toBe('Ended on May 3 at 13:25');
  expect(titleOf(later(400))).toBe('Ended on May 3, 2026 at 13:25');
  expect(titleOf(null)).toBe('Ended');
});

test('the recording is offered once it can play', () => {
  expect(describeBroadcast(t, { state: 'ended', endedAt }, later(0), format)).not.toHaveProperty('link');
  expect(describeBroadcast(t, { state: 'ended', endedAt, recordingId: 'r' }, later(0), format)?.link).toEqual(
    {
      href: '/watch/r',
      label: 'Watch the recording',
    },
  );
});

test('an announced start comes first, until it has passed', () => {
  const startsAt = endedAt + 7_200_000;
  const announcedText = (now: number) =>
    describeBroadcast(t, { state: 'ended', endedAt, startsAt, recordingId: 'r' }, now, format);
  expect(announcedText(endedAt)?.title).toBe('Starts at 15:25');
  expect(announcedText(endedAt)?.link?.href).toBe('/watch/r');
  expect(announcedText(endedAt - 86_400_000)?.title).toBe('Starts on May 3 at 15:25');
  expect(announcedText(startsAt)?.title).toBe('Starts soon');
});

test('every state except live has a text', () => {
  const states = ['starting', 'idle', 'ended', 'unavailable', 'deleted'] as const;
  const titles = states.map((state) => describeBroadcast(t, { state }, 0, format)?.title);
  expect(new Set(titles).size).toBe(states.length);
  expect(describeBroadcast(t, { state: 'live' }, 0, format)).toBeNull();
});
