import { describe, expect, test } from 'vitest';
import { timeStyleOf, unknownTime, type TimeSettings } from './time-choice';
import { parseTimeCookie, formatTimeCookie } from './time-cookie';
import { timeFormatOf } from './time-format';

const timestamp = Date.UTC(2026, 4, 20, 22, 5, 9);

describe('a time', () => {
  test.each([
    ['UTC', '24', '22:05', '22:05:09', 'May 20, 2026', 'May 20, 2026, 22:05:09 UTC'],
    ['Europe/Berlin', '24', '00:05', '00:05:09', 'May 21, 2026', 'May 21, 2026, 00:05:09 GMT+2'],
    ['Europe/Berlin', '12', '12:05 AM', '12:05:09 AM', 'May 21, 2026', 'May 21, 2026, 12:05:09 AM GMT+2'],
    ['Asia/Kolkata', '12', '3:35 AM', '3:35:09 AM', 'May 21, 2026', 'May 21, 2026, 3:35:09 AM GMT+5:30'],
    ['America/New_York', '24', '18:05', '18:05:09', 'May 20, 2026', 'May 20, 2026, 18:05:09 EDT'],
  ] as const)(
    'in the zone %s with a %s-hour clock is formatted as %s',
    (zone, hours, time, timeWithSeconds, date, full) => {
      const format = timeFormatOf({ zone, hours }, 'en');
      expect([
        format.time(timestamp),
        format.timeWithSeconds(timestamp),
        format.date(timestamp),
        format.full(timestamp),
      ]).toEqual([time, timeWithSeconds, date, full]);
      expect(format.dayAndTime(timestamp)).toBe(`${format.day(timestamp)}, ${time}`);
      expect(format.dateAndTime(timestamp)).toBe(`${date}, ${time}`);
    },
  );

  test('is formatted by the same object for the same style and language', () => {
    const style = { zone: 'UTC', hours: '24' } as const;
    expect(timeFormatOf(style, 'en')).toBe(timeFormatOf({ ...style }, 'en'));
    expect(timeFormatOf(style, 'de')).not.toBe(timeFormatOf(style, 'en'));
  });
});

describe('the cookie', () => {
  const settings: TimeSettings = {
    choice: { zone: 'auto', hours: '24' },
    browser: { zone: 'America/New_York', hours: '12' },
  };

  test('is parsed with its value encoded or decoded', () => {
    expect(parseTimeCookie(formatTimeCookie(settings))).toEqual(settings);
    expect(parseTimeCookie(decodeURIComponent(formatTimeCookie(settings)))).toEqual(settings);
  });

  test(`selects the browser's settings with "auto"`, () => {
    expect(timeStyleOf(settings, 'en')).toEqual({ zone: 'America/New_York', hours: '24' });
    const chosenSettings = { ...settings, choice: { zone: 'Asia/Tokyo', hours: 'auto' } } as const;
    expect(timeStyleOf(chosenSettings, 'en')).toEqual({ zone: 'Asia/Tokyo', hours: '12' });
    expect(timeStyleOf(unknownTime, 'en')).toEqual({ zone: 'UTC', hours: '24' });
  });

  test('selects the clock format of the language instead of that of the browser with "auto"', () => {
    const americanBrowser = {
      choice: { zone: 'auto', hours: 'auto' },
      browser: { zone: 'UTC', hours: '12' },
    } as const;
    expect(timeStyleOf(americanBrowser, 'de').hours).toBe('24');
    const chosenSettings = { ...americanBrowser, choice: { zone: 'auto', hours: '12' } } as const;
    expect(timeStyleOf(chosenSettings, 'de').hours).toBe('12');
  });

  test.each([
    undefined,
    '',
    '%',
    'auto|24',
    'auto|24|Nowhere/Else|24',
    'Nowhere/Else|24|UTC|24',
    'auto|13|UTC|24',
    'auto|24|UTC|auto',
    `auto|24|UTC|24${' '.repeat(300)}`,
  ])('with the value %j is ignored', (text) => expect(parseTimeCookie(text)).toBeNull());
});
