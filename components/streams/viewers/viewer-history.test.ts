import { expect, test } from 'vitest';
import { englishMessages } from '@/components/testing/messages';
import { peakOf, viewerPoints, viewerChartPeriods, formatCurrentViewers } from './viewer-history';

const t = englishMessages('streams.viewerHistory');
const [hour, day, week] = viewerChartPeriods;
const timeAt = (text: string) => Date.parse(`2026-03-01T${text}:00Z`);
const now = timeAt('12:34') + 20_000;
const minutes = [
  { at: timeAt('12:05'), viewers: 4, views: 3 },
  { at: timeAt('12:30'), viewers: 10, views: 1 },
  { at: timeAt('12:31'), viewers: 12.5, views: 0 },
  { at: timeAt('12:34'), viewers: 2, views: 2 },
];

test('an hour has a point for each minute, and minutes without viewers are zero', () => {
  const points = viewerPoints(minutes, hour, now);
  expect(points).toHaveLength(60);
  expect(points[0]).toEqual({ at: timeAt('11:35'), viewers: 0, views: 0 });
  expect(points.at(-1)).toEqual({ at: timeAt('12:34'), viewers: 2, views: 2 });
  expect(points.filter(({ viewers }) => viewers > 0)).toHaveLength(4);
});

test('a day has averages of ten minutes, and the last average covers only elapsed minutes', () => {
  const points = viewerPoints(minutes, day, now);
  expect(points).toHaveLength(144);
  // (10 + 12.5 + 2) viewers in the five minutes from 12:30 to 12:34.
  expect(points.at(-1)).toEqual({ at: timeAt('12:30'), viewers: 4.9, views: 3 });
  // 4 viewers in one of ten minutes.
  expect(points.at(-4)).toEqual({ at: timeAt('12:00'), viewers: 0.4, views: 3 });
});

test('a week has a point for each hour, and ignores older minutes', () => {
  const oldMinute = { at: now - 8 * 86_400_000, viewers: 99, views: 99 };
  const points = viewerPoints([oldMinute, ...minutes], week, now);
  expect(points).toHaveLength(168);
  expect(points.reduce((sum, { views }) => sum + views, 0)).toBe(6);
});

test('the peak is the highest number of viewers of a minute', () => {
  expect(peakOf(minutes)).toBe(12.5);
  expect(peakOf([])).toBe(0);
});

test('the number of viewers is formatted, and empty while it is unknown', () => {
  expect([undefined, 0, 1_200].map((count) => formatCurrentViewers(t, count))).toEqual([
    '',
    '0 watching',
    '1,200 watching',
  ]);
});
