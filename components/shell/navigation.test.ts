import { expect, it } from 'vitest';
import { isCurrent, navigation } from './navigation';

it('a page below belongs to its section, and home only to itself', () => {
  expect(isCurrent('/streams', '/streams')).toBe(true);
  expect(isCurrent('/streams', '/streams/abc')).toBe(true);
  expect(isCurrent('/streams', '/streams-old')).toBe(false);
  expect(isCurrent('/', '/')).toBe(true);
  expect(isCurrent('/', '/streams')).toBe(false);
});

it('no page is listed twice, and each has a key of its own', () => {
  const hrefs = navigation.flatMap(({ items }) => items.map(({ href }) => href));
  expect(new Set(hrefs).size).toBe(hrefs.length);
  const keys = navigation.flatMap(({ items }) => items.map(({ key }) => key));
  expect(new Set(keys).size).toBe(keys.length);
});
