import { expect, test } from 'vitest';
import { zoneOptions } from './time-zones';

const automaticLabel = 'Automatic: Europe/Berlin';
const labelsFor = (searchText: string) => zoneOptions(searchText, automaticLabel).map(({ label }) => label);

test.each([
  ['new york', ['America/New York']],
  ['Europe/ber', [automaticLabel, 'Europe/Berlin']],
  ['automatic', [automaticLabel]],
  [' utc ', ['UTC']],
  ['atlantis', []],
])('the search text "%s" matches %j', (searchText, matches) =>
  expect(labelsFor(searchText)).toEqual(matches),
);

test('an empty text lists the first 50 zones after "Automatic"', () => {
  expect(labelsFor('').slice(0, 2)).toEqual([automaticLabel, 'UTC']);
  expect(labelsFor('')).toHaveLength(1 + 50);
});
