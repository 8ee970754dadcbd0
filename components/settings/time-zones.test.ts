import { expect, test } from 'vitest';
import { zoneOptions } from './time-zones';

const automatic = 'Automatic: Europe/Berlin';
const labels = (text: string) => zoneOptions(text, automatic).map(({ label }) => label);

test.each([
  ['new york', ['America/New York']],
  ['Europe/ber', [automatic, 'Europe/Berlin']],
  ['automatic', [automatic]],
  [' utc ', ['UTC']],
  ['atlantis', []],
])('the search text "%s" matches %j', (text, matches) => expect(labels(text)).toEqual(matches));

test('an empty text lists the first zones after "Automatic"', () => {
  expect(labels('').slice(0, 2)).toEqual([automatic, 'UTC']);
  expect(labels('')).toHaveLength(51);
});
