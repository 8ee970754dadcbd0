import { expect, test } from 'vitest';
import { emptySelection, isPageSelected, togglePage, toggleRow, type Selection } from './selection-bar';

/** Rows with one-letter ids. */
const createRows = (ids: string) => ids.split(' ').map((id) => ({ id, name: `Stream ${id}` }));
const page = createRows('a b c d e');
/** Selection after clicks on rows of the page. `isRange`: with the shift key. */
const afterClicks = (...clicks: [id: string, isRange?: boolean][]) =>
  clicks.reduce(
    (selection, [id, isRange = false]) => toggleRow(selection, page, id, isRange),
    emptySelection,
  );
/** Ids of the selected rows: "abd". */
const selectedIds = ({ rows }: Selection) => [...rows.keys()].sort().join('');

test('rows are toggled one by one', () => {
  expect(selectedIds(afterClicks(['b'], ['d']))).toBe('bd');
  expect(selectedIds(afterClicks(['b'], ['d'], ['b']))).toBe('d');
});

test('a range is selected in both directions', () => {
  expect(selectedIds(afterClicks(['b'], ['d', true]))).toBe('bcd');
  expect(selectedIds(afterClicks(['d'], ['a', true]))).toBe('abcd');
});

test('all rows of a range get the new state of the row that ends it', () => {
  expect(selectedIds(afterClicks(['a'], ['e', true], ['b', true]))).toBe('a');
});

test('a range that starts on another page toggles only the clicked row', () => {
  const otherPageSelection = toggleRow(emptySelection, createRows('z'), 'z', false);
  expect(selectedIds(toggleRow(otherPageSelection, page, 'b', true))).toBe('bz');
  expect(selectedIds(afterClicks(['c', true]))).toBe('c');
});

test('a whole page is selected and deselected, while the rows of another page stay selected', () => {
  const partOfPage = toggleRow(togglePage(emptySelection, createRows('z')), page, 'b', false);
  const wholePage = togglePage(partOfPage, page);
  expect(selectedIds(wholePage)).toBe('abcdez');
  expect([isPageSelected(partOfPage, page), isPageSelected(wholePage, page)]).toEqual([false, true]);
  expect(selectedIds(togglePage(wholePage, page))).toBe('z');
  expect(selectedIds(partOfPage)).toBe('bz');
});

test('a selection contains the names of its rows, because they may be on another page', () => {
  expect([...afterClicks(['b']).rows.values()]).toEqual([{ id: 'b', name: 'Stream b' }]);
});
