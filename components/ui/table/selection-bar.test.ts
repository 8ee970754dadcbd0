import { expect, test } from 'vitest';
import { emptySelection, isPageSelected, togglePage, toggleRow, type Selection } from './selection-bar';

const rowsOf = (ids: string) => ids.split(' ').map((id) => ({ id, name: `Stream ${id}` }));
const page = rowsOf('a b c d e');
const afterClicks = (...clicks: [id: string, range?: boolean][]) =>
  clicks.reduce((selection, [id, range = false]) => toggleRow(selection, page, id, range), emptySelection);
const list = ({ rows }: Selection) => [...rows.keys()].sort().join('');

test('rows are toggled one by one', () => {
  expect(list(afterClicks(['b'], ['d']))).toBe('bd');
  expect(list(afterClicks(['b'], ['d'], ['b']))).toBe('d');
});

test('a range works in both directions', () => {
  expect(list(afterClicks(['b'], ['d', true]))).toBe('bcd');
  expect(list(afterClicks(['d'], ['a', true]))).toBe('abcd');
});

test('all rows of a range get the new state of the row that ends it', () => {
  expect(list(afterClicks(['a'], ['e', true], ['b', true]))).toBe('a');
});

test('a range that starts on another page toggles only the clicked row', () => {
  const other = toggleRow(emptySelection, rowsOf('z'), 'z', false);
  expect(list(toggleRow(other, page, 'b', true))).toBe('bz');
  expect(list(afterClicks(['c', true]))).toBe('c');
});

test('a whole page is selected in addition to another page', () => {
  const partOfPage = toggleRow(togglePage(emptySelection, rowsOf('z')), page, 'b', false);
  const wholePage = togglePage(partOfPage, page);
  expect(list(wholePage)).toBe('abcdez');
  expect([isPageSelected(partOfPage, page), isPageSelected(wholePage, page)]).toEqual([false, true]);
  expect(list(togglePage(wholePage, page))).toBe('z');
  expect(list(partOfPage)).toBe('bz');
});

test('names are kept while their rows are on another page', () => {
  expect([...afterClicks(['b']).rows.values()]).toEqual([{ id: 'b', name: 'Stream b' }]);
});
