import { expect, test } from 'vitest';
import { readPage } from './list-page';
import { parseListQuery, type RawListQuery } from './list-query';

const fields = { id: { type: 'uuid' }, name: { type: 'text' } } as const;
const rows = ['a', 'b', 'c'].map((name, index) => ({
  id: `00000000-0000-4000-8000-00000000000${index}`,
  name,
}));

const readPageOf = (query: RawListQuery, loadedRows = rows) =>
  readPage(parseListQuery(query, fields, 'name-false'), {
    findRows: ({ take }) => Promise.resolve(loadedRows.slice(0, take)),
    countRows: (conditions) => Promise.resolve(loadedRows.length + conditions.length),
    toItem: ({ name }) => name,
  });

test('a page that is not the last one has a cursor and the requested number of rows', async () => {
  const page = await readPageOf({ limit: '2' });
  expect(page.items).toEqual(['a', 'b']);
  expect(parseListQuery({ cursor: page.nextCursor ?? '' }, fields, 'name-false').after).toEqual([
    'b',
    rows[1]?.id,
  ]);
});

test('the last page has no cursor, even if it is full or empty', async () => {
  expect(await readPageOf({ limit: '3' })).toEqual({ items: ['a', 'b', 'c'], nextCursor: null, total: null });
  expect(await readPageOf({}, [])).toEqual({ items: [], nextCursor: null, total: null });
});

test('the total is counted only on request, with the filters and without the cursor', async () => {
  const { nextCursor } = await readPageOf({ limit: '1' });
  const page = await readPageOf({
    count: '1',
    cursor: nextCursor ?? '',
    filters: '[{"id":"name","value":"a"}]',
  });
  // `countRows` returns the three rows and the number of conditions: that of the filter, without that of the cursor.
  expect(page.total).toBe(4);
});
