import { expect, test } from 'vitest';
import { systemClock } from '@/lib/infra/clock';
import { createLogger } from '@/lib/infra/logger';
import { RenditionRequests, renditionKeyOf } from './rendition-requests';

/** The first argument of `find` for a segment. */
const renditionFile = (index: number) => ({ assetId: 'asset', rendition: '240p', file: `${index}.m4s` });

/** Creates rendition requests with an empty storage and a queue whose jobs end when the test decides. */
function openRequests() {
  const jobs: { readonly file: string; readonly priority: number | undefined }[] = [];
  const requests = new RenditionRequests({
    ctx: { log: createLogger('test', 'silent') } as never,
    storage: { head: () => Promise.resolve(null) },
    queues: {
      enqueue: (_queue, data, options) => {
        jobs.push({ file: (data as { file: string }).file, priority: options.priority });
        return Promise.resolve();
      },
    },
  });
  return { requests, jobs };
}

test('files of an address have a lower priority from the third on, and the seventeenth is not requested', async () => {
  const { requests, jobs } = openRequests();
  const files = Array.from({ length: 17 }, (_, file) => file);
  const lookups = files.map((file) => requests.find(renditionFile(file), 60_000, '192.0.2.1'));
  const otherLookup = requests.find(renditionFile(20), 60_000, '192.0.2.2');
  expect(await lookups.at(-1)).toBeNull();
  await expect.poll(() => jobs.length).toBe(17);
  expect(jobs.slice(0, 4).map(({ priority }) => priority)).toEqual([undefined, undefined, 2, 3]);
  expect(jobs.at(-1)).toEqual({ file: '20.m4s', priority: undefined });
  for (const file of [...files, 20]) requests.markEnded(renditionKeyOf(renditionFile(file)));
  expect(await Promise.all([...lookups, otherLookup])).toEqual(Array(18).fill(null));
});

test('requests of several addresses for the same file add one job', async () => {
  const { requests, jobs } = openRequests();
  const lookups = ['192.0.2.1', '192.0.2.2'].map((client) => requests.find(renditionFile(1), 60_000, client));
  await expect.poll(() => jobs.length).toBe(1);
  requests.markEnded(renditionKeyOf(renditionFile(1)));
  expect(await Promise.all(lookups)).toEqual([null, null]);
});

test('uses that could not be written are written again, together with later ones', async () => {
  const database = { isAway: true };
  const writtenKeys: unknown[] = [];
  const $executeRaw = (_sql: unknown, _now: unknown, keys: unknown) => {
    if (database.isAway) return Promise.reject(new Error('away'));
    writtenKeys.push(keys);
    return Promise.resolve(1);
  };
  const requests = new RenditionRequests({
    ctx: { db: { $executeRaw }, clock: systemClock, log: createLogger('test', 'silent') } as never,
    storage: { head: (key) => Promise.resolve({ key, bytes: 1 } as never) },
    queues: { enqueue: () => Promise.resolve() },
  });
  await requests.findStored(renditionFile(1));
  const write = requests.recordUse();
  await requests.findStored(renditionFile(2));
  await expect(write).rejects.toThrow('away');
  database.isAway = false;
  await requests.recordUse();
  await requests.recordUse();
  expect(writtenKeys).toEqual([[renditionKeyOf(renditionFile(1)), renditionKeyOf(renditionFile(2))]]);
});
