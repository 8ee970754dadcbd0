import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openDatabase, type Database } from './db';
import { createLogger } from './logger';
import { listen, notify, type Listener } from './notifications';
import { createTestDatabase } from './testing/test-database';

const log = createLogger('test', 'silent');
const warn = vi.spyOn(log, 'warn');
const receivedIds: (string | null)[] = [];
const url = await createTestDatabase();
let db: Database;
let listener: Listener;

beforeAll(() => {
  db = openDatabase(url);
  listener = listen(url, 'stream_changed', (id) => receivedIds.push(id), log);
});

afterAll(async () => {
  await listener.close();
  await db.$disconnect();
});

test('a listener gets null on connecting, and the id once the transaction commits', async () => {
  await expect.poll(() => receivedIds).toEqual([null]);
  await db.$transaction(async (tx) => {
    await notify(tx, 'stream_changed', 'one');
    await notify(tx, 'event_written', 'another channel');
    expect(receivedIds).toEqual([null]);
  });
  await expect.poll(() => receivedIds).toEqual([null, 'one']);
});

test('a transaction that is rolled back sends no notification', async () => {
  await expect(
    db.$transaction(async (tx) => {
      await notify(tx, 'stream_changed', 'never');
      throw new Error('rolled back');
    }),
  ).rejects.toThrow('rolled back');
  await db.$transaction((tx) => notify(tx, 'stream_changed', 'two'));
  await expect.poll(() => receivedIds.at(-1)).toBe('two');
  expect(receivedIds).not.toContain('never');
});

test('a listener whose connection breaks reconnects, gets null, and logs one warning', async () => {
  receivedIds.length = 0;
  await db.$queryRaw`
    select pg_terminate_backend(pid) from pg_stat_activity
    where pid <> pg_backend_pid() and datname = current_database() and query = 'listen stream_changed'`;
  await expect.poll(() => receivedIds).toEqual([null]);
  await db.$transaction((tx) => notify(tx, 'stream_changed', 'three'));
  await expect.poll(() => receivedIds).toEqual([null, 'three']);
  expect(warn).toHaveBeenCalledOnce();
});

/** A server that forwards connections to the database. */
async function startProxy() {
  const target = new URL(url);
  const { port, hostname } = target;
  const clients: Socket[] = [];
  const proxy = createServer((socket) => {
    const databaseSocket = connect(Number(port), hostname);
    for (const eachSocket of [socket, databaseSocket]) eachSocket.on('error', () => undefined);
    socket.pipe(databaseSocket).pipe(socket);
    clients.push(socket);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  // The tests' own server listens at a Unix socket too.
  target.searchParams.delete('host');
  target.host = `127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  return { url: target.href, clients, close: () => proxy.close() };
}

test('a listener that has reconnected after an error ignores that its old connection closes', async () => {
  const proxy = await startProxy();
  const proxiedIds: (string | null)[] = [];
  const proxiedListener = listen(proxy.url, 'stream_changed', (id) => proxiedIds.push(id), log);
  await expect.poll(() => proxiedIds).toEqual([null]);
  // An ErrorResponse of PostgreSQL, with the code of a server that shuts down.
  const fields = 'SFATAL\0C57P01\0Mterminating connection\0\0';
  const length = Buffer.alloc(4);
  length.writeUInt32BE(fields.length + 4);
  proxy.clients[0]?.write(Buffer.concat([Buffer.from('E'), length, Buffer.from(fields)]));
  await expect.poll(() => proxiedIds).toEqual([null, null]);
  proxy.clients[0]?.destroy();
  // Longer than the pause before a new connection.
  await delay(1_500);
  expect(proxiedListener.isListening).toBe(true);
  expect(proxy.clients).toHaveLength(2);
  await db.$transaction((tx) => notify(tx, 'stream_changed', 'four'));
  await expect.poll(() => proxiedIds).toEqual([null, null, 'four']);
  await proxiedListener.close();
  proxy.close();
});
