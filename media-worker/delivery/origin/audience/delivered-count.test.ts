import { describe, expect, test } from 'vitest';
import { DeliveredCount, type DeliveredCountOptions, type WriteDelivered } from './delivered-count';

type Batch = Parameters<WriteDelivered>[0];
type Loss = Parameters<DeliveredCountOptions['onLoss']>[0];

function openCount(maxEntries?: number) {
  const batches: Batch[] = [];
  const database = { isAway: false, slow: null as Promise<void> | null };
  const time = { now: new Date('2026-03-09T23:59:58Z') };
  const write = async (batch: Batch) => {
    await database.slow;
    if (database.isAway) throw new Error('away');
    batches.push(batch);
  };
  const losses: Loss[] = [];
  const onLoss = (loss: Loss) => void losses.push(loss);
  const count = new DeliveredCount({ now: () => time.now }, { write, onLoss, maxEntries });
  return { count, batches, database, time, losses };
}
const streamDelivery = (id: string, secondsPerByte: number | null = 0.5) =>
  ({ kind: 'stream', id, secondsPerByte }) as const;

describe('delivered bytes', () => {
  test('are summed up by object', async () => {
    const { count, batches } = openCount();
    count.add(streamDelivery('a'), 10);
    count.add(streamDelivery('a', 0), 5);
    count.add(streamDelivery('a', null), 3);
    count.add({ kind: 'asset', id: 'a', secondsPerByte: null }, 7);
    count.add(streamDelivery('b'), 0);
    await count.flush();
    expect(batches).toEqual([
      {
        number: 1,
        day: '2026-03-09',
        delivered: [
          { kind: 'stream', id: 'a', bytes: 18, seconds: 5, mediaBytes: 3 },
          { kind: 'asset', id: 'a', bytes: 7, seconds: 0, mediaBytes: 7 },
        ],
        views: [],
      },
    ]);
    await count.flush();
    expect(batches).toHaveLength(1);
  });

  test('are not required: views of assets are written alone, up to the limit of entries', async () => {
    const { count, batches } = openCount(2);
    for (const id of ['a', 'b', 'a', 'c']) count.recordView(id);
    await count.flush();
    await count.flush();
    expect(batches).toEqual([
      {
        number: 1,
        day: '2026-03-09',
        delivered: [],
        views: [
          { playbackId: 'a', count: 2 },
          { playbackId: 'b', count: 1 },
        ],
      },
    ]);
  });

  test('of a failed write are written as the same batch, of the same day, before newer bytes', async () => {
    const { count, batches, database, time } = openCount();
    count.add(streamDelivery('a'), 1);
    database.isAway = true;
    await expect(count.flush()).rejects.toThrow('away');
    count.add(streamDelivery('a'), 10);
    time.now = new Date('2026-03-10T00:00:03Z');
    await expect(count.flush()).rejects.toThrow('away');
    database.isAway = false;
    count.add(streamDelivery('a'), 100);
    await count.flush();
    expect(batches.map(({ number, day, delivered }) => [number, day, delivered[0]?.bytes])).toEqual([
      [1, '2026-03-09', 1],
      [2, '2026-03-10', 110],
    ]);
  });

  test('that arrive during a write are in the next batch', async () => {
    const { count, batches, database } = openCount();
    let release: () => void = () => undefined;
    database.slow = new Promise((resolve) => (release = resolve));
    count.add(streamDelivery('a'), 1);
    const flushing = count.flush();
    count.add(streamDelivery('a'), 2);
    release();
    await flushing;
    await count.flush();
    expect(batches.map(({ number, delivered }) => [number, delivered[0]?.bytes])).toEqual([
      [1, 1],
      [2, 2],
    ]);
  });

  test('of an object beyond the limit of entries are lost, and its later bytes are in the next batch', async () => {
    const { count, batches } = openCount(2);
    for (const id of ['a', 'b', 'c', 'a']) count.add(streamDelivery(id), 1);
    await count.flush();
    count.add(streamDelivery('c'), 1);
    await count.flush();
    expect(batches.map(({ delivered }) => delivered.map(({ id, bytes }) => [id, bytes]))).toEqual([
      [
        ['a', 2],
        ['b', 1],
      ],
      [['c', 1]],
    ]);
  });

  test('beyond the limit of entries are reported when the database is back, once', async () => {
    const { count, database, losses } = openCount(1);
    database.isAway = true;
    for (const id of ['a', 'b']) count.add(streamDelivery(id), 5);
    await expect(count.flush()).rejects.toThrow('away');
    for (const id of ['a', 'b', 'c']) count.add(streamDelivery(id), 1);
    for (const id of ['a', 'b', 'b']) count.recordView(id);
    await expect(count.flush()).rejects.toThrow('away');
    expect(losses).toEqual([{ bytes: 5, views: 0 }]);
    database.isAway = false;
    await count.flush();
    await count.flush();
    expect(losses).toEqual([
      { bytes: 5, views: 0 },
      { bytes: 2, views: 2 },
    ]);
  });
});
