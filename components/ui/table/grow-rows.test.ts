import { expect, test } from 'vitest';
import { growRows, ROWS_PER_STEP } from './grow-rows';

/** Rows with numbers from `first` up to, but not including, `end`. */
const createRows = (first: number, end: number) =>
  Array.from({ length: end - first }, (_, index) => ({ id: `row-${first + index}` }));
const idsOf = (rows: readonly { id: string }[]) => new Set(rows.map(({ id }) => id));

/** Number of rendered rows after each step, until nothing is added. */
function rowCounts(rows: readonly { id: string }[], initialIds: ReadonlySet<string>): number[] {
  const counts: number[] = [];
  for (let visibleIds = initialIds; ;) {
    const visibleRows = growRows(rows, visibleIds);
    counts.push(visibleRows.length);
    if (visibleRows.length === rows.length) return counts;
    visibleIds = idsOf(visibleRows);
  }
}

test('a page is rendered a few rows at a time, until it is complete', () => {
  expect(rowCounts(createRows(0, 50), new Set())).toEqual([7, 14, 21, 28, 35, 42, 49, 50]);
  expect(rowCounts(createRows(0, 5), new Set())).toEqual([5]);
  expect(growRows([], new Set())).toEqual([]);
});

test('rendered rows stay rendered when the order changes or a row is added', () => {
  const rows = createRows(0, 100);
  expect(growRows([...rows].reverse(), idsOf(rows))).toHaveLength(100);
  expect(growRows([{ id: 'new' }, ...rows], idsOf(rows))).toHaveLength(101);
});

test('another page, and the list after a search, are rendered a few rows at a time', () => {
  expect(rowCounts(createRows(100, 200), idsOf(createRows(0, 100)))[0]).toBe(ROWS_PER_STEP);
  // One row of the search result is on the page, so the first step renders it and seven more.
  const searchResult = idsOf([{ id: 'row-3' }, { id: 'row-99' }]);
  expect(rowCounts(createRows(0, 50), searchResult)).toEqual([8, 15, 22, 29, 36, 43, 50]);
});

test('a complete list is returned unchanged, so that nothing re-renders', () => {
  const rows = createRows(0, 10);
  expect(growRows(rows, idsOf(rows))).toBe(rows);
});
