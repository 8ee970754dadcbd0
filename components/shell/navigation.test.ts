import { expect, it } from 'vitest';
import { isCurrent, operatorNavigation } from './navigation';

it('a page below belongs to its section, and home only to itself', () => {
  expect(isCurrent('/streams', '/streams')).toBe(true);
  expect(isCurrent('/streams', '/streams/abc')).toBe(true);
  expect(isCurrent('/streams', '/streams-old')).toBe(false);
  expect(isCurrent('/', '/')).toBe(true);
  expect(isCurrent('/', '/streams')).toBe(false);
});

it('no page is listed twice, and each has a key of its own', () => {
  const hrefs = operatorNavigation.flatMap(({ items }) => items.map(({ href }) => href));
  expect(new Set(hrefs).size).toBe(hrefs.length);
  const keys = operatorNavigation.flatMap(({ items }) => items.map(({ key }) => key));
  expect(new Set(keys).size).toBe(keys.length);
});
