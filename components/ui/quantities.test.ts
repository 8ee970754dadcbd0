import { expect, it } from 'vitest';
import { counted, durationInWords, sizeInWords } from './quantities';

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
