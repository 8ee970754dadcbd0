import { afterAll, expect, test } from 'vitest';
import { createBatchedRead, openDatabase } from './db';
import { createTestDatabase } from './testing/test-database';

const db = openDatabase(await createTestDatabase(), { max: 4 });
afterAll(() => db.$disconnect());

/**
 * Doubles the number of each key, and returns how many keys the statement read. A key is a number, and a word, of which `absent`
 * means that there is no row for the key.
 */
const doubleSql = `
  select asked."keyIndex", asked."number" * 2 as "double", array_length($1::int[], 1) as "batchSize"
  from unnest($1::int[], $2::text[]) with ordinality asked("number", "word", "keyIndex")
  where asked."word" <> 'absent'`;
interface Row {
  double: number;
  batchSize: number;
}
const createDoublingRead = () =>
  createBatchedRead<Row>({ name: `double-${crypto.randomUUID()}`, text: doubleSql });

test('each read gets its own row, or null', async () => {
  const read = createDoublingRead();
  const reads = Array.from({ length: 300 }, (_, number) =>
    read(db, number, number % 3 ? 'present' : 'absent'),
  );
  const rows = await Promise.all(reads);
  expect(rows.map((row) => row && row.double)).toEqual(
    rows.map((_row, number) => (number % 3 ? number * 2 : null)),
  );
});

test('concurrent reads are combined into statements of at most 64 keys', async () => {
  const read = createDoublingRead();
  expect((await read(db, 1, 'present'))?.batchSize).toBe(1);
  const rows = await Promise.all(Array.from({ length: 100 }, (_, number) => read(db, number, 'present')));
  expect(new Set(rows.map((row) => row?.batchSize))).toEqual(new Set([64, 100 - 64]));
});

test('reads that arrive while two statements run are combined into one when one of them ends', async () => {
  // `pg_sleep` returns void, which is not null, so every row is returned.
  const readSlowly = createBatchedRead<Row>({
    name: 'slow',
    text: `${doubleSql} and pg_sleep(0.5) is not null`,
  });
  const first = readSlowly(db, 1, 'present');
  await new Promise(setImmediate);
  const second = readSlowly(db, 2, 'present');
  await new Promise(setImmediate);
  // Two statements run at a time, so these three reads wait.
  const later: Promise<Row | null>[] = [];
  for (let number = 3; number < 6; number++) {
    later.push(readSlowly(db, number, 'present'));
    await new Promise(setImmediate);
  }
  const rows = await Promise.all([first, second, ...later]);
  expect(rows.map((row) => row?.batchSize)).toEqual([1, 1, 3, 3, 3]);
});

test('a failing statement rejects the reads of its batch, and later reads succeed', async () => {
  const read = createBatchedRead<Row>({ name: 'cast', text: doubleSql });
  // PostgreSQL cannot cast this key to an int.
  const results = await Promise.allSettled([read(db, 'no number', 'present'), read(db, 2, 'present')]);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  for (let number = 0; number < 5; number++)
    expect((await read(db, number, 'present'))?.double).toBe(number * 2);
});

test('nothing is cached: a repeated key is read again', async () => {
  const read = createBatchedRead<{ value: string }>({
    name: 'random',
    text: `select asked."keyIndex", gen_random_uuid() as "value" from unnest($1::text[]) with ordinality asked("name", "keyIndex")`,
  });
  const first = await read(db, 'a');
  expect((await read(db, 'a'))?.value).not.toBe(first?.value);
});
