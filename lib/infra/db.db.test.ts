import { afterAll, expect, test, vi } from 'vitest';
import { openDatabase, readRows } from './db';
import { testDatabase } from './testing/test-database';

const db = openDatabase(await testDatabase(), { max: 1 });
afterAll(() => db.$disconnect());

const query = { text: 'select $1::int as "one"', values: [1] };

test('reads rows on the connections of the client', async () => {
  expect(await readRows(db, query)).toEqual([{ one: 1 }]);
});

test('reads with a client that another copy of the module opened, because Next bundles several', async () => {
  vi.resetModules();
  const copy = await import('./db');
  expect(copy.readRows).not.toBe(readRows);
  expect(await copy.readRows(db, query)).toEqual([{ one: 1 }]);
});

test('refuses to read outside the transaction of its caller', async () => {
  const inside = db.$transaction((tx) => readRows(tx, query));
  await expect(inside).rejects.toThrow('must not be used inside a transaction');
});
