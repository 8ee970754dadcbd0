import { expect, test } from 'vitest';
import { createLogger } from '@/lib/infra/logger';
import { RenditionRequests, keyOfRendition } from './rendition-requests';

const name = (file: number) => ({ assetId: 'film', rendition: '240p', file: `${file}.m4s` });

/** An empty storage and a queue whose jobs end when the test decides. */
function openRequests() {
  const jobs: { readonly file: string; readonly priority: number | undefined }[] = [];
  const asks = new RenditionRequests({
    ctx: { log: createLogger('test', 'silent') } as never,
    storage: { head: () => Promise.resolve(null) },
    queues: {
      enqueue: (_queue, data, options) => {
        jobs.push({ file: (data as { file: string }).file, priority: options.priority });
        return Promise.resolve();
      },
    },
  });
  return { asks, jobs };
}

test('the third file of an address comes after those of others, and its seventeenth fails without a wait', async () => {
  const { asks, jobs } = openRequests();
  const files = Array.from({ length: 17 }, (_, file) => file);
  const lookups = files.map((file) => asks.find(name(file), 60_000, '192.0.2.1'));
  const otherLookup = asks.find(name(20), 60_000, '192.0.2.2');
  expect(await lookups.at(-1)).toBeNull();
  await expect.poll(() => jobs.length).toBe(17);
  expect(jobs.slice(0, 4).map(({ priority }) => priority)).toEqual([undefined, undefined, 2, 3]);
  expect(jobs.at(-1)).toEqual({ file: '20.m4s', priority: undefined });
  for (const file of [...files, 20]) asks.markEnded(keyOfRendition(name(file)));
  expect(await Promise.all([...lookups, otherLookup])).toEqual(Array(18).fill(null));
});

test('requests of several addresses for the same file wait together', async () => {
  const { asks, jobs } = openRequests();
  const lookups = ['192.0.2.1', '192.0.2.2'].map((client) => asks.find(name(1), 60_000, client));
  await expect.poll(() => jobs.length).toBe(1);
  asks.markEnded(keyOfRendition(name(1)));
  expect(await Promise.all(lookups)).toEqual([null, null]);
});
