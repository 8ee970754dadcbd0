import { expect, test } from 'vitest';
import { startOfDay } from './start-of-day';

test.each([
  ['UTC', '2026-05-20T22:05:09.250Z', '2026-05-20T00:00:00.000Z'],
  ['UTC', '2026-05-20T00:00:00.000Z', '2026-05-20T00:00:00.000Z'],
  ['Europe/Berlin', '2026-05-20T22:05:09.250Z', '2026-05-20T22:00:00.000Z'],
  ['Asia/Kathmandu', '2026-05-20T10:00:00.000Z', '2026-05-19T18:15:00.000Z'],
  ['America/Los_Angeles', '2026-05-20T01:00:00.000Z', '2026-05-19T07:00:00.000Z'],
  // The clock was set to summer time and to winter time in the night.
  ['Europe/Berlin', '2026-03-29T10:00:00.000Z', '2026-03-28T23:00:00.000Z'],
  ['Europe/Berlin', '2026-10-25T10:00:00.000Z', '2026-10-24T22:00:00.000Z'],
])('in %s, the day of %s starts at %s', (zone, time, start) => {
  expect(new Date(startOfDay(Date.parse(time), zone)).toISOString()).toBe(start);
});
