import { QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import type { Page } from '@/lib/contract/define-endpoint';
import { changeLists, replaceLists, wholeListQuery, withoutRows, withChangedRows } from './list-cache';

interface Item {
  readonly id: string;
  readonly record: boolean;
}
const item = (id: string): Item => ({ id, record: false });
const page = (...ids: string[]): Page<Item> => ({ items: ids.map(item), nextCursor: 'c1', total: 7 });
const set = (...ids: string[]) => new Set(ids);

test('rows are removed from a page and its total', () => {
  expect(withoutRows(page('a', 'b', 'c'), set('b', 'z'))).toEqual({ ...page('a', 'c'), total: 6 });
  expect(withoutRows({ ...page('a'), total: null }, set('a'))).toEqual({ ...page(), total: null });
});

test('changed rows keep their positions', () => {
  expect(withChangedRows(page('a', 'b'), set('b'), { record: true }).items).toEqual([
    item('a'),
    { id: 'b', record: true },
  ]);
});

test('an optimistic change appears on every page of the list and can be reverted', async () => {
  const client = new QueryClient();
  client.setQueryData(['streams', 'list', 1], page('a', 'b'));
  client.setQueryData(['streams', 'list', 2], page('b', 'c'));
  client.setQueryData(['streams', 'one', 'b'], item('b'));
  const snapshot = await changeLists<Item>(client, ['streams', 'list'], (listItem) =>
    withoutRows(listItem, set('b')),
  );
  const cachedPages = () =>
    [1, 2].map((number) => client.getQueryData<Page<Item>>(['streams', 'list', number]));
  expect(cachedPages().map((cachedPage) => cachedPage?.items.map(({ id }) => id))).toEqual([['a'], ['c']]);
  expect(client.getQueryData(['streams', 'one', 'b'])).toEqual(item('b'));
  replaceLists<Item>(client, snapshot, (listItem) => listItem);
  expect(cachedPages()).toEqual([page('a', 'b'), page('b', 'c')]);
});

test('a whole list is one request without a cursor', () => {
  expect(wholeListQuery({ order: 'name-false', limit: '20', cursor: 'c1', count: '1' })).toEqual({
    order: 'name-false',
    limit: '1000',
    cursor: '',
    count: '',
  });
});
