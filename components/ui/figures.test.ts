import { expect, it, test } from 'vitest';
import { formatBitrate, formatSize } from './figures';

it.each([
  [0, '0 B'],
  [999, '999 B'],
  [1000, '1.0 kB'],
  [999_900, '1.0 MB'],
  [1_500_000, '1.5 MB'],
  [250_000_000, '250 MB'],
  [3.2e12, '3.2 TB'],
])('%d bytes are formatted as %s', (bytes, text) => expect(formatSize(bytes, 'en')).toBe(text));

it.each([
  [640_000, '640 kbit/s'],
  [999_499, '999 kbit/s'],
  [999_500, '1.0 Mbit/s'],
  [2_900_000, '2.9 Mbit/s'],
  [12_340_000, '12 Mbit/s'],
])('%d bits per second are formatted as %s', (bits, text) => expect(formatBitrate(bits, 'en')).toBe(text));

test('the decimal separator depends on the language', () => {
  expect(formatSize(1_500_000, 'de')).toBe('1,5 MB');
  expect(formatBitrate(3_128_000, 'de')).toBe('3,1 Mbit/s');
});
