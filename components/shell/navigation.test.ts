import { expect, it } from 'vitest';
import { isCurrent, menuPageOf, navigation, operatorNavigation, siblingsOf } from './navigation';

it('the current page includes its sub-pages, except for the home page', () => {
  expect(isCurrent('/streams', '/streams')).toBe(true);
  expect(isCurrent('/streams', '/streams/abc')).toBe(true);
  expect(isCurrent('/streams', '/streams-old')).toBe(false);
  expect(isCurrent('/', '/')).toBe(true);
  expect(isCurrent('/', '/streams')).toBe(false);
});

it('no page is listed twice, and each has a unique shortcut key', () => {
  const hrefs = operatorNavigation.flatMap(({ items }) => items.map(({ href }) => href));
  expect(new Set(hrefs).size).toBe(hrefs.length);
  const keys = operatorNavigation.flatMap(({ items }) => items.map(({ key }) => key));
  expect(new Set(keys).size).toBe(keys.length);
});

it('the menu of a team has at most ten pages; other pages are sub-pages of one of them', () => {
  const items = navigation.flatMap((group) => group.items);
  const menuHrefs = items.filter(({ parentHref }) => parentHref === undefined).map(({ href }) => href);
  expect(menuHrefs.length).toBeLessThanOrEqual(10);
  const parentHrefs = items.flatMap(({ parentHref }) => parentHref ?? []);
  expect(menuHrefs).toEqual(expect.arrayContaining(parentHrefs));
});

it('a menu page and its sub-pages link to each other', () => {
  const siblingHrefs = (path: string) => siblingsOf(navigation, path).map(({ href }) => href);
  expect(siblingHrefs('/assets')).toEqual(['/assets', '/tasks']);
  expect(siblingHrefs('/tasks')).toEqual(['/assets', '/tasks']);
  expect(siblingHrefs('/developers/signing-keys')).toEqual(['/developers/keys', '/developers/signing-keys']);
  expect(siblingHrefs('/streams')).toEqual(['/streams']);
});

it('on a sub-page, its menu page is current', () => {
  expect(menuPageOf(navigation, '/tasks')).toBe('/assets');
  expect(menuPageOf(navigation, '/assets/abc')).toBe('/assets');
  expect(menuPageOf(navigation, '/nowhere')).toBeUndefined();
});
