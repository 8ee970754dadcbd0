import { Client } from 'pg';
import { describe, expect, test } from 'vitest';
import { transact } from '@/lib/domain/context';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { emitEvent } from '@/lib/domain/webhooks';
import { snapshotOf } from '@/lib/domain/webhooks/testing/webhook-fixtures';
import { openTestApi, type Person } from '@/app/api/testing/test-api';

const api = openTestApi(await createTestDatabase());
const { db } = api.services;
const ada = await api.createPerson('ada');
const eve = await api.createPerson('eve');

interface EventPage {
  events: { id: string; event: string; sequence: number; stream: object }[];
  cursor: string;
}

async function readEvents(query = '', { key }: Person = ada): Promise<EventPage> {
  const response = await api.request('GET', `/api/event${query}`, { key });
  expect(response.status).toBe(200);
  return (await response.json()) as EventPage;
}

/**
 * Reads until `count` events have arrived. A running transaction of this database, including a vacuum, holds events
 * back.
 */
async function readUntil(cursor: string, count: number): Promise<EventPage> {
  const events: EventPage['events'] = [];
  while (events.length < count) {
    const page = await readEvents(`?after=${cursor}&wait=20`);
    events.push(...page.events);
    cursor = page.cursor;
  }
  return { events, cursor };
}

async function insertStream({ teamId }: Person = ada): Promise<string> {
  const playbackId = crypto.randomUUID().replaceAll('-', '').slice(0, 16);
  return (await db.stream.create({ data: { teamId, name: 'x', playbackId } })).id;
}

const emitTestEvent = (
  tx: Parameters<typeof emitEvent>[0],
  { teamId }: Person,
  streamId: string,
  sequence: number,
) => emitEvent(tx, { name: 'stream.idle', teamId, streamId, sequence, stream: snapshotOf(teamId, streamId) });

const emitInTransaction = (person: Person, streamId: string, sequence: number) =>
  transact(person.ctx, (tx) => emitTestEvent(tx, person, streamId, sequence));

describe('reading events', () => {
  test('starts at the present and returns each event once', async () => {
    const streamId = await insertStream();
    const before = await readEvents();
    await emitInTransaction(ada, streamId, 1);
    await readUntil(before.cursor, 1);
    const startPage = await readEvents();
    expect(startPage.events).toEqual([]);
    for (const sequence of [2, 3, 4]) await emitInTransaction(ada, streamId, sequence);
    await emitInTransaction(eve, await insertStream(eve), 9);
    const first = await readUntil(startPage.cursor, 3);
    expect(first.events.map(({ sequence }) => sequence)).toEqual([2, 3, 4]);
    expect(first.events[0]).toMatchObject({ event: 'stream.idle', stream: { id: streamId } });
    expect(JSON.stringify(first)).not.toContain('streamKey');
    expect(await readEvents(`?after=${first.cursor}`)).toEqual({ events: [], cursor: first.cursor });
  });

  test('waits for the first event and returns it promptly', async () => {
    const streamId = await insertStream();
    const { cursor } = await readEvents();
    // The request of another team, which has no events, waits until its timeout.
    const { cursor: other } = await readEvents('', eve);
    const silent = readEvents(`?after=${other}&wait=8`, eve).then(() => 'the end of the wait');
    const waiting = readEvents(`?after=${cursor}&wait=20`);
    await emitInTransaction(ada, streamId, 1);
    expect(await Promise.race([waiting.then(() => 'the event'), silent])).toBe('the event');
    expect((await waiting).events).toHaveLength(1);
    await silent;
  });

  test('does not skip an event whose transaction commits after a later event', async () => {
    const streamId = await insertStream();
    const { cursor } = await readEvents();
    let finish: () => void = () => undefined;
    const writing = new Promise<void>((resolve) => (finish = resolve));
    let markStarted: () => void = () => undefined;
    const started = new Promise<void>((resolve) => (markStarted = resolve));
    const slow = transact(ada.ctx, async (tx) => {
      await emitTestEvent(tx, ada, streamId, 1);
      markStarted();
      await writing;
    });
    await started;
    await emitInTransaction(ada, streamId, 2);
    // The newer event is committed, but an older transaction may still commit an event that precedes it.
    expect((await readEvents(`?after=${cursor}`)).events).toEqual([]);
    finish();
    await slow;
    const { events } = await readUntil(cursor, 2);
    expect(events.map(({ sequence }) => sequence)).toEqual([1, 2]);
  });

  test('ignores transactions in other databases of the cluster, but waits for those in this one', async () => {
    const streamId = await insertStream();
    const elsewhere = new Client({ connectionString: await createTestDatabase() });
    await elsewhere.connect();
    try {
      await elsewhere.query('begin');
      await elsewhere.query('select pg_current_xact_id()');
      const startPage = await readEvents();
      await emitInTransaction(ada, streamId, 1);
      // Other sessions of this database, such as a vacuum, may hold events for a moment; the open transaction would
      // hold them forever.
      const { events, cursor } = await readUntil(startPage.cursor, 1);
      expect(events.map(({ sequence }) => sequence)).toEqual([1]);
      await transact(ada.ctx, async (tx) => {
        await tx.db.$queryRaw`select pg_current_xact_id()::text`;
        await emitInTransaction(ada, streamId, 2);
        expect((await readEvents(`?after=${cursor}`)).events).toEqual([]);
      });
      expect((await readUntil(cursor, 1)).events.map(({ sequence }) => sequence)).toEqual([2]);
      // A database role without privileges sees no more of other sessions than necessary. Roles belong to the whole
      // server, so this one exists only in the transaction, whatever fails.
      const role = `stranger_${crypto.randomUUID().slice(0, 8)}`;
      const [visibleSessions] = await db.$transaction(async (tx) => {
        await tx.$executeRawUnsafe(`create role ${role}`);
        await tx.$executeRawUnsafe(`set local role ${role}`);
        const rows = await tx.$queryRaw<{ count: bigint }[]>`
          select count(*) from pg_stat_activity where "backend_xid" is not null and "datname" <> current_database()`;
        await tx.$executeRawUnsafe('reset role');
        await tx.$executeRawUnsafe(`drop role ${role}`);
        return rows;
      });
      expect(Number(visibleSessions?.count)).toBeGreaterThan(0);
    } finally {
      await elsewhere.end();
    }
  });

  test('returns each event once, in whatever order transactions begin, write and end', async () => {
    const streamId = await insertStream();
    const elsewhere = new Client({ connectionString: await createTestDatabase() });
    await elsewhere.connect();
    let { cursor } = await readEvents();
    const committedSequences: number[] = [];
    let over = false;
    const isOver = () => over;
    const pause = () => new Promise((resolve) => setTimeout(resolve, Math.random() * 20));
    const writers = Array.from({ length: 6 }, async (_, writer) => {
      for (let round = 0; round < 20; round++) {
        const sequence = writer * 100 + round;
        await transact(ada.ctx, async (tx) => {
          // The transaction gets its id before it writes.
          await tx.db.$queryRaw`select pg_current_xact_id()::text`;
          await pause();
          await emitTestEvent(tx, ada, streamId, sequence);
          await pause();
        });
        committedSequences.push(sequence);
      }
    });
    const otherTransactions = (async () => {
      while (!isOver()) {
        await elsewhere.query('begin');
        await elsewhere.query('select pg_current_xact_id()');
        await pause();
        await elsewhere.query('commit');
      }
    })();
    const allWriters = Promise.all(writers).then(() => (over = true));
    const returnedSequences: number[] = [];
    for (let last = false; !last;) {
      last = isOver();
      const page = await readEvents(`?after=${cursor}&wait=${last ? 2 : 0}`);
      returnedSequences.push(...page.events.map(({ sequence }) => sequence));
      ({ cursor } = page);
      last &&= page.events.length === 0;
    }
    await Promise.all([allWriters, otherTransactions]);
    await elsewhere.end();
    // Six writers with 20 events each.
    expect(returnedSequences).toHaveLength(120);
    expect([...returnedSequences].sort((a, b) => a - b)).toEqual(
      [...committedSequences].sort((a, b) => a - b),
    );
  });

  test('returns a backlog in pages of 100, each event once', async () => {
    const streamId = await insertStream();
    let { cursor } = await readEvents();
    await db.$executeRaw`
      insert into "Event" ("id", "teamId", "streamId", "name", "payload")
      select gen_random_uuid(), ${ada.teamId}::uuid, ${streamId}::uuid, 'stream.idle', '{}' from generate_series(1, 250)`;
    const ids = new Set<string>();
    for (const [size, wait] of [
      [100, 20],
      [100, 0],
      [50, 0],
      [0, 0],
    ] as const) {
      const page = await readEvents(`?after=${cursor}&wait=${wait}`);
      expect(page.events).toHaveLength(size);
      for (const { id } of page.events) ids.add(id);
      ({ cursor } = page);
    }
    expect(ids.size).toBe(250);
  });

  test.each(['?after=nonsense', '?after=MTIz', `?after=${Buffer.from('1.x').toString('base64url')}`])(
    'the query %s is rejected as an invalid cursor',
    async (query) => {
      expect((await api.request('GET', `/api/event${query}`, { key: ada.key })).status).toBe(400);
    },
  );

  test.each(['26', '-1', 'x', '1.5'])('wait=%s is rejected', async (wait) => {
    expect((await api.request('GET', `/api/event?wait=${wait}`, { key: ada.key })).status).toBe(422);
  });
});
