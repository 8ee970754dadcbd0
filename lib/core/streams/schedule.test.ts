import { describe, expect, test } from 'vitest';
import { scheduleStateOf, splitTimeUntil } from './schedule';

const STARTS_AT = 10_000_000_000;
const MINUTE_MS = 60_000;

describe('announced session', () => {
  test.each([
    ['is coming before its start', STARTS_AT - 5 * MINUTE_MS, {}, 'coming'],
    ['is not late in its first minute', STARTS_AT + MINUTE_MS - 1, {}, 'coming'],
    ['is late after a minute without media', STARTS_AT + MINUTE_MS, {}, 'late'],
    [
      'is late if the last media was long before',
      STARTS_AT + 2 * MINUTE_MS,
      { lastSeen: STARTS_AT - 31 * MINUTE_MS },
      'late',
    ],
    [
      'is still coming after a rehearsal',
      STARTS_AT - MINUTE_MS,
      { lastSeen: STARTS_AT - 10 * MINUTE_MS },
      'coming',
    ],
    [
      'has ended once media has arrived',
      STARTS_AT + 5 * MINUTE_MS,
      { lastSeen: STARTS_AT + 2 * MINUTE_MS },
      null,
    ],
    ['is not announced while it is on air', STARTS_AT - MINUTE_MS, { isActive: true }, null],
    ['is given up an hour after its start', STARTS_AT + 61 * MINUTE_MS, {}, null],
    ['is not announced without a start', STARTS_AT, { startsAt: null }, null],
  ] as const)('%s', (_what, now, facts, state) => {
    expect(scheduleStateOf({ startsAt: STARTS_AT, isActive: false, lastSeen: null, ...facts }, now)).toBe(
      state,
    );
  });
});

test('the time until a start is rounded up, and never negative', () => {
  const day = 24 * 60 * MINUTE_MS;
  expect(splitTimeUntil(STARTS_AT, STARTS_AT - day - 61 * MINUTE_MS - 1)).toEqual({
    days: 1,
    hours: 1,
    minutes: 1,
    seconds: 1,
  });
  expect(splitTimeUntil(STARTS_AT, STARTS_AT + 1)).toEqual({ days: 0, hours: 0, minutes: 0, seconds: 0 });
});
