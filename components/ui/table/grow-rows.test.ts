import { expect, test } from 'vitest';
import { growRows, ROWS_PER_STEP } from './grow-rows';

const rows = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => ({ id: `r${from + index}` }));
const idsOf = (rows: readonly { id: string }[]) => new Set(rows.map(({ id }) => id));

/** Number of rendered rows after each step, until nothing is added. */
function rowCounts(all: readonly { id: string }[], begin: ReadonlySet<string>): number[] {
  const sizes: number[] = [];
  for (let current = begin; ;) {
    const next = growRows(all, current);
    sizes.push(next.length);
    if (next.length === all.length) return sizes;
    current = idsOf(next);
  }
}

test('a page is rendered a few rows at a time, until it is complete', () => {
  expect(rowCounts(rows(0, 50), new Set())).toEqual([7, 14, 21, 28, 35, 42, 49, 50]);
  expect(rowCounts(rows(0, 5), new Set())).toEqual([5]);
  expect(growRows([], new Set())).toEqual([]);
});

test('rows that are rendered stay rendered after the order changes', () => {
  const all = rows(0, 100);
  expect(growRows([...all].reverse(), idsOf(all))).toHaveLength(100);
  // A new row on top of the list.
  expect(growRows([{ id: 'new' }, ...all], idsOf(all))).toHaveLength(101);
});

test('another page starts small again, and so does a cleared search', () => {
  expect(rowCounts(rows(100, 200), idsOf(rows(0, 100)))[0]).toBe(ROWS_PER_STEP);
  const searchResult = idsOf([{ id: 'r3' }, { id: 'r99' }]);
  expect(rowCounts(rows(0, 50), searchResult)).toEqual([8, 15, 22, 29, 36, 43, 50]);
});

test('a complete list is returned unchanged, so that nothing re-renders', () => {
  const all = rows(0, 10);
  expect(growRows(all, idsOf(all))).toBe(all);
});
