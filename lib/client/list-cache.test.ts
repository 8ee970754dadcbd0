import { QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import type { Page } from '@/lib/contract/define-endpoint';
import { changeLists, replaceLists, wholeListQuery, withoutRows, withChangedRows } from './list-cache';

interface Item {
  readonly id: string;
  readonly record: boolean;
}
const createItem = (id: string): Item => ({ id, record: false });
const createPage = (...ids: string[]): Page<Item> => ({
  items: ids.map(createItem),
  nextCursor: 'c1',
  total: 7,
});
const setOf = (...ids: string[]) => new Set(ids);

test('rows are removed from a page and its total', () => {
  expect(withoutRows(createPage('a', 'b', 'c'), setOf('b', 'z'))).toEqual({
    ...createPage('a', 'c'),
    total: 6,
  });
  expect(withoutRows({ ...createPage('a'), total: null }, setOf('a'))).toEqual({
    ...createPage(),
    total: null,
  });
});

test('changed rows keep their positions', () => {
  expect(withChangedRows(createPage('a', 'b'), setOf('b'), { record: true }).items).toEqual([
    createItem('a'),
    { id: 'b', record: true },
  ]);
});

test('an optimistic change appears on every page of the list and can be reverted', async () => {
  const client = new QueryClient();
  client.setQueryData(['streams', 'list', 1], createPage('a', 'b'));
  client.setQueryData(['streams', 'list', 2], createPage('b', 'c'));
  client.setQueryData(['streams', 'one', 'b'], createItem('b'));
  const snapshot = await changeLists<Item>(client, ['streams', 'list'], (page) =>
    withoutRows(page, setOf('b')),
  );
  const cachedPages = () =>
    [1, 2].map((number) => client.getQueryData<Page<Item>>(['streams', 'list', number]));
  expect(cachedPages().map((cachedPage) => cachedPage?.items.map(({ id }) => id))).toEqual([['a'], ['c']]);
  expect(client.getQueryData(['streams', 'one', 'b'])).toEqual(createItem('b'));
  replaceLists<Item>(client, snapshot, (page) => page);
  expect(cachedPages()).toEqual([createPage('a', 'b'), createPage('b', 'c')]);
});

test('a whole list is one request without a cursor', () => {
  expect(wholeListQuery({ order: 'name-false', limit: '20', cursor: 'c1', count: '1' })).toEqual({
    order: 'name-false',
    limit: '1000',
    cursor: '',
    count: '',
  });
});
