import { expect, it } from 'vitest';
import { timeFormatOf } from './time/time-format';
import { agoInWords, counted, durationInWords, sizeInWords } from './time-words';

const format = timeFormatOf({ zone: 'UTC', hours: '24' });
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
])('%d ms ago reads "%s"', (gone, words) => {
  expect(agoInWords(now - gone, now, format)).toBe(words);
});

it('a clock that runs behind never gives a negative time', () => {
  expect(agoInWords(now + 5_000, now, format)).toBe('just now');
});

it.each([
  [0, '0 s'],
  [59.9, '59 s'],
  [61, '1 min 01 s'],
  [3599, '59 min 59 s'],
  [7500, '2 h 05 min'],
])('%d seconds read %s', (seconds, words) => expect(durationInWords(seconds)).toBe(words));

it.each([
  [0, '0 B'],
  [999, '999 B'],
  [1000, '1.0 kB'],
  [999_900, '1.0 MB'],
  [1_500_000, '1.5 MB'],
  [250_000_000, '250 MB'],
  [3.2e12, '3.2 TB'],
])('%d bytes read %s', (bytes, words) => expect(sizeInWords(bytes)).toBe(words));

it('counts things', () => {
  expect([counted(1, 'stream'), counted(0, 'stream'), counted(1204, 'stream')]).toEqual([
    '1 stream',
    '0 streams',
    '1,204 streams',
  ]);
  expect(counted(2, 'delivery', 'deliveries')).toBe('2 deliveries');
});
