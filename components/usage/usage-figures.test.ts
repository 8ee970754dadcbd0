import { expect, test } from 'vitest';
import { parseDays, formatMinutes, stackDays, totalOf, usageCsv, usageQuery } from './usage-figures';

const days = [
  {
    date: '2026-01-30',
    ingestedMinutes: 60,
    transcodedMinutes: 180,
    importedMinutes: 0,
    deliveredMinutes: 615.5,
    deliveredBytes: 921_600_000,
  },
  {
    date: '2026-01-31',
    ingestedMinutes: 1.5,
    transcodedMinutes: 0,
    importedMinutes: 12,
    deliveredMinutes: 0,
    deliveredBytes: 0,
  },
];

test('the period in the URL is a number of days, and 30 for invalid values', () => {
  expect(['7', '365', null, '', '31', '-1', '1e9'].map(parseDays)).toEqual([7, 365, 30, 30, 30, 30, 30]);
});

test('the query has the first and the last day of the period in UTC', () => {
  const now = Date.parse('2026-03-01T00:30:00Z');
  expect(usageQuery(7, now)).toEqual({ from: '2026-02-23', to: '2026-03-01' });
  expect(usageQuery(1, now)).toEqual({ from: '2026-03-01', to: '2026-03-01' });
});

test('a total is the sum of a figure of all days', () => {
  expect(totalOf(days, 'transcodedMinutes')).toBe(180);
  expect(totalOf(days, 'deliveredBytes')).toBe(921_600_000);
  expect(totalOf([], 'transcodedMinutes')).toBe(0);
});

test('stacked values contain the values of the kinds below', () => {
  // Live, live and transcoded, live and transcoded and imported minutes of each day.
  expect(stackDays(days)).toEqual([
    [60, 1.5],
    [240, 1.5],
    [240, 13.5],
  ]);
});

test('minutes are formatted with one decimal below 100', () => {
  expect([0, 1.25, 61.5, 1204.4].map((minutes) => formatMinutes('en', minutes))).toEqual([
    '0',
    '1.3',
    '61.5',
    '1,204',
  ]);
  expect(formatMinutes('de', 1204.4)).toBe('1.204');
});

test('the CSV has a header and one line per day', () => {
  expect(usageCsv(days)).toBe(
    'date,live_minutes,transcoded_minutes,imported_minutes,delivered_minutes,delivered_bytes\r\n' +
      '2026-01-30,60,180,0,615.5,921600000\r\n' +
      '2026-01-31,1.5,0,12,0,0\r\n',
  );
});
