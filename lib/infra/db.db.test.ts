import { afterAll, expect, test, vi } from 'vitest';
import { openDatabase, readRows } from './db';
import { createTestDatabase } from './testing/test-database';

const db = openDatabase(await createTestDatabase(), { max: 1 });
afterAll(() => db.$disconnect());

const query = { text: 'select $1::int as "one"', values: [1] };

test('readRows returns the rows of a query', async () => {
  expect(await readRows(db, query)).toEqual([{ one: 1 }]);
});

test('readRows of another copy of the module accepts a client that this copy opened', async () => {
  vi.resetModules();
  const copy = await import('./db');
  expect(copy.readRows).not.toBe(readRows);
  expect(await copy.readRows(db, query)).toEqual([{ one: 1 }]);
});

test('readRows rejects the client of a transaction', async () => {
  const read = db.$transaction((tx) => readRows(tx, query));
  await expect(read).rejects.toThrow('must not be used inside a transaction');
});
