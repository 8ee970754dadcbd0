import { expect, test } from 'vitest';
import { emptySelection, togglePage, toggleRow } from './selection';

const rows = ['a', 'b', 'c', 'd', 'e'];
const ticked = (...clicks: [id: string, range?: boolean][]) =>
  clicks.reduce((selection, [id, range = false]) => toggleRow(selection, rows, id, range), emptySelection);
const list = ({ ids }: { ids: ReadonlySet<string> }) => [...ids].sort().join('');

test('one by one', () => {
  expect(list(ticked(['b'], ['d']))).toBe('bd');
  expect(list(ticked(['b'], ['d'], ['b']))).toBe('d');
});

test('a range, in both directions', () => {
  expect(list(ticked(['b'], ['d', true]))).toBe('bcd');
  expect(list(ticked(['d'], ['a', true]))).toBe('abcd');
});

test('a range takes the state of the row that ends it', () => {
  expect(list(ticked(['a'], ['e', true], ['b', true]))).toBe('a');
});

test('a range from a row of another page is that one row', () => {
  expect(list(toggleRow({ ids: new Set(['z']), last: 'z' }, rows, 'b', true))).toBe('bz');
  expect(list(ticked(['c', true]))).toBe('c');
});

test('the whole page', () => {
  const some = ticked(['b']);
  const all = togglePage(some, rows);
  expect(list(all)).toBe('abcde');
  expect(list(togglePage(all, rows))).toBe('');
  expect(some.ids.size).toBe(1);
});
