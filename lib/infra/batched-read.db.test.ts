import { afterAll, expect, test } from 'vitest';
import { createBatchedRead, openDatabase } from './db';
import { testDatabase } from './testing/test-database';

const db = openDatabase(await testDatabase(), { max: 4 });
afterAll(() => db.$disconnect());

/** A query that returns, with each row, the number of keys that its statement read together. */
const text = `
  select asked."place", asked."number" * 2 as "double", array_length($1::int[], 1) as "together"
  from unnest($1::int[], $2::text[]) with ordinality asked("number", "word", "place")
  where asked."word" <> 'nothing'`;
interface Row {
  double: number;
  together: number;
}
const openRead = () => createBatchedRead<Row>({ name: `double-${crypto.randomUUID()}`, text });

test('each read gets its own row, or null', async () => {
  const read = openRead();
  const reads = Array.from({ length: 300 }, (_, number) => read(db, number, number % 3 ? 'one' : 'nothing'));
  const rows = await Promise.all(reads);
  rows.forEach((row, number) => expect(row?.double).toBe(number % 3 ? number * 2 : undefined));
});

test('concurrent reads are combined up to a limit', async () => {
  const read = openRead();
  expect((await read(db, 1, 'one'))?.together).toBe(1);
  const rows = await Promise.all(Array.from({ length: 100 }, (_, number) => read(db, number, 'one')));
  expect(new Set(rows.map((row) => row?.together))).toEqual(new Set([64, 36]));
});

test('reads that arrive while statements run are combined when one of them ends', async () => {
  const slow = createBatchedRead<Row>({ name: 'slow', text: `${text} and pg_sleep(0.5) is not null` });
  const first = slow(db, 1, 'one');
  await new Promise(setImmediate);
  const second = slow(db, 2, 'one');
  await new Promise(setImmediate);
  const later: Promise<Row | null>[] = [];
  for (let number = 3; number < 6; number++) {
    later.push(slow(db, number, 'one'));
    await new Promise(setImmediate);
  }
  const rows = await Promise.all([first, second, ...later]);
  expect(rows.map((row) => row?.together)).toEqual([1, 1, 3, 3, 3]);
});

test('a failing statement rejects its own reads only', async () => {
  const read = createBatchedRead<Row>({ name: 'cast', text });
  const together = await Promise.allSettled([read(db, 'no number', 'one'), read(db, 2, 'one')]);
  expect(together.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  for (let number = 0; number < 5; number++) expect((await read(db, number, 'one'))?.double).toBe(number * 2);
});

test('nothing is cached: a repeated key is read again', async () => {
  const read = createBatchedRead<{ value: string }>({
    name: 'random',
    text: `select asked."place", gen_random_uuid() as "value" from unnest($1::text[]) with ordinality asked("name", "place")`,
  });
  const first = await read(db, 'a');
  expect((await read(db, 'a'))?.value).not.toBe(first?.value);
});
