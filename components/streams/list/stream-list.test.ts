import { expect, test } from 'vitest';
import { readListState } from '@/components/ui/table/list-state';
import { streamListQueryOf, streamListOptions } from './stream-list';

const queryOf = (search: string) =>
  streamListQueryOf(readListState(streamListOptions, new URLSearchParams(search)));

test('the default query has the streams without their sessions, last live first', () => {
  expect(queryOf('')).toEqual({
    streamsonly: '1',
    limit: '20',
    count: '1',
    order: 'lastLive-true,createdAt-true',
  });
});

test('search text and filter are sent as conditions together', () => {
  const query = queryOf('?q=+hall+&status=idle&cursor=c1');
  expect(JSON.parse(query.filters ?? '')).toEqual([
    { id: 'isActive', value: false },
    { id: 'suspended', value: false },
    { id: 'name', value: 'hall' },
  ]);
  expect(query.cursor).toBe('c1');
});

test('order and page size of the URL are sent', () => {
  expect(queryOf('?sort=name-asc&size=100')).toMatchObject({ order: 'name-false', limit: '100' });
  expect(queryOf('?sort=lastSeen-asc').order).toBe('lastLive-false,createdAt-false');
});

test('invalid values in the URL are ignored', () => {
  expect(queryOf('?status=happy&sort=colour-desc&size=7')).toEqual(queryOf(''));
});
