import { expect, it } from 'vitest';
import { isCurrent, menuPageOf, navigation, operatorNavigation, siblingsOf } from './navigation';

it('a sub-page is within its section, and no other page is within the home page', () => {
  expect(isCurrent('/streams', '/streams')).toBe(true);
  expect(isCurrent('/streams', '/streams/abc')).toBe(true);
  expect(isCurrent('/streams', '/streams-old')).toBe(false);
  expect(isCurrent('/', '/')).toBe(true);
  expect(isCurrent('/', '/streams')).toBe(false);
});

it('no page is listed twice, and each has a unique key', () => {
  const hrefs = operatorNavigation.flatMap(({ items }) => items.map(({ href }) => href));
  expect(new Set(hrefs).size).toBe(hrefs.length);
  const keys = operatorNavigation.flatMap(({ items }) => items.map(({ key }) => key));
  expect(new Set(keys).size).toBe(keys.length);
});

it('the menu of a team has ten entries; other pages are within one of them', () => {
  const items = navigation.flatMap((group) => group.items);
  const menu = items.filter(({ within }) => within === undefined);
  expect(menu.length).toBeLessThanOrEqual(10);
  for (const { within } of items) if (within) expect(menu.map(({ href }) => href)).toContain(within);
});

it('a sub-page is linked on its menu page and marks it as current', () => {
  const hrefs = (path: string) => siblingsOf(navigation, path).map(({ href }) => href);
  expect(hrefs('/assets')).toEqual(['/assets', '/tasks']);
  expect(hrefs('/tasks')).toEqual(['/assets', '/tasks']);
  expect(hrefs('/developers/signing-keys')).toEqual(['/developers/keys', '/developers/signing-keys']);
  expect(hrefs('/streams')).toEqual(['/streams']);
  expect(menuPageOf(navigation, '/tasks')).toBe('/assets');
  expect(menuPageOf(navigation, '/assets/abc')).toBe('/assets');
  expect(menuPageOf(navigation, '/nowhere')).toBeUndefined();
});
