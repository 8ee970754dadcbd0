import { describe, expect, test } from 'vitest';
import { scheduleStateOf, timeUntil } from './schedule';

const startsAt = 10_000_000_000;
const minute = 60_000;

describe('announced broadcast', () => {
  test.each([
    ['is coming before its start', startsAt - 5 * minute, {}, 'coming'],
    ['is not late in its first minute', startsAt + minute - 1, {}, 'coming'],
    ['is late after a minute without media', startsAt + minute, {}, 'late'],
    [
      'is late if the last media was long before',
      startsAt + 2 * minute,
      { lastSeen: startsAt - 31 * minute },
      'late',
    ],
    ['is still coming after a rehearsal', startsAt - minute, { lastSeen: startsAt - 10 * minute }, 'coming'],
    ['has ended once media has arrived', startsAt + 5 * minute, { lastSeen: startsAt + 2 * minute }, null],
    ['is not announced while it is on air', startsAt - minute, { isActive: true }, null],
    ['is given up an hour after its start', startsAt + 61 * minute, {}, null],
    ['is not announced without a start', startsAt, { startsAt: null }, null],
  ] as const)('%s', (_what, now, facts, state) => {
    expect(scheduleStateOf({ startsAt, isActive: false, lastSeen: null, ...facts }, now)).toBe(state);
  });
});

test('the time until a start is rounded up, and never negative', () => {
  const day = 24 * 60 * minute;
  expect(timeUntil(startsAt, startsAt - day - 61 * minute - 1)).toEqual({
    days: 1,
    hours: 1,
    minutes: 1,
    seconds: 1,
  });
  expect(timeUntil(startsAt, startsAt + 1)).toEqual({ days: 0, hours: 0, minutes: 0, seconds: 0 });
});
