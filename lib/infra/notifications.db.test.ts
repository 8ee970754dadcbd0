import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openDatabase, type Database } from './db';
import { createLogger } from './logger';
import { listen, notify, type Listener } from './notifications';
import { testDatabase } from './testing/test-database';

const log = createLogger('test', 'silent');
const warn = vi.spyOn(log, 'warn');
const receivedEvents: (string | null)[] = [];
const url = await testDatabase();
let db: Database;
let listener: Listener;

beforeAll(() => {
  db = openDatabase(url);
  listener = listen(url, 'stream_changed', (id) => receivedEvents.push(id), log);
});

afterAll(async () => {
  await listener.close();
  await db.$disconnect();
});

test('a listener gets null on connecting, and the id once the transaction commits', async () => {
  await expect.poll(() => receivedEvents).toEqual([null]);
  await db.$transaction(async (tx) => {
    await notify(tx, 'stream_changed', 'one');
    await notify(tx, 'event_written', 'another channel');
    expect(receivedEvents).toEqual([null]);
  });
  await expect.poll(() => receivedEvents).toEqual([null, 'one']);
});

test('a transaction that is rolled back sends no notification', async () => {
  await expect(
    db.$transaction(async (tx) => {
      await notify(tx, 'stream_changed', 'never');
      throw new Error('rolled back');
    }),
  ).rejects.toThrow('rolled back');
  await db.$transaction((tx) => notify(tx, 'stream_changed', 'two'));
  await expect.poll(() => receivedEvents.at(-1)).toBe('two');
  expect(receivedEvents).not.toContain('never');
});

test('a broken connection is logged once, and the listener reconnects with null', async () => {
  receivedEvents.length = 0;
  await db.$queryRaw`
    select pg_terminate_backend(pid) from pg_stat_activity
    where pid <> pg_backend_pid() and datname = current_database() and query = 'listen stream_changed'`;
  await expect.poll(() => receivedEvents).toEqual([null]);
  await db.$transaction((tx) => notify(tx, 'stream_changed', 'three'));
  await expect.poll(() => receivedEvents).toEqual([null, 'three']);
  expect(warn).toHaveBeenCalledOnce();
});
