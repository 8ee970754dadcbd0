import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createLogger } from '@/lib/infra/logger';
import { WriteQueue } from './write-queue';

/** A queue whose writes fail while `database.isAway`. */
function setUp() {
  const database = { isAway: false, written: [] as string[] };
  const exiting = new AbortController();
  const queue = new WriteQueue(createLogger('test', 'silent'), exiting.signal);
  const write = (name: string) => () => {
    if (database.isAway) return Promise.reject(new Error('away'));
    database.written.push(name);
    return Promise.resolve();
  };
  return { database, exiting, queue, write };
}

test('writes happen in the order in which they are added', async () => {
  const { database, queue, write } = setUp();
  void queue.addUntilWritten('active', async () => {
    await delay(20);
    await write('active')();
  });
  void queue.addOnce('issues', write('issues'));
  await queue.addUntilWritten('idle', write('idle'));
  expect(database.written).toEqual(['active', 'issues', 'idle']);
});

test('a write that must succeed is retried before later writes, other writes are attempted once', async () => {
  const { database, queue, write } = setUp();
  database.isAway = true;
  void queue.addOnce('issues', write('issues'));
  void queue.addUntilWritten('active', write('active'));
  const idle = queue.addUntilWritten('idle', write('idle'));
  await delay(50);
  expect(database.written).toEqual([]);
  database.isAway = false;
  await idle;
  expect(database.written).toEqual(['active', 'idle']);
});

test('writes that are attempted once do not accumulate while the database is unavailable', async () => {
  const { database, queue, write } = setUp();
  database.isAway = true;
  void queue.addUntilWritten('active', write('active'));
  for (let i = 0; i < 1_000; i++) void queue.addOnce('issues', write('issues'));
  database.isAway = false;
  await queue.addUntilWritten('idle', write('idle'));
  expect(database.written.at(-1)).toBe('idle');
  expect(database.written.length).toBeLessThan(40);
});

test('retries end when the process exits', async () => {
  const { database, exiting, queue, write } = setUp();
  database.isAway = true;
  const idle = queue.addUntilWritten('idle', write('idle'));
  await delay(50);
  exiting.abort();
  await idle;
  expect(database.written).toEqual([]);
});
