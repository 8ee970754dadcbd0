import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import { createLogger } from '@/lib/infra/logger';
import { StorageError, type StorageDriver } from '@/lib/infra/storage';
import { SegmentStore, type SegmentStoreOptions } from './segment-store';

type Put = StorageDriver['put'];

const stored = (key: string) => ({ key, bytes: 1, modifiedAt: new Date(0), etag: 'x' });
const file = (key: string, bytes = 1) => ({ key, body: [Buffer.alloc(bytes)] });

function open(put: Put, options: Partial<SegmentStoreOptions> = {}) {
  const onFailed = vi.fn<(reason: string) => void>();
  const log = createLogger('test', 'silent');
  return {
    onFailed,
    store: new SegmentStore({ storage: { put }, log, onFailed, retryMs: [1, 1], ...options }),
  };
}

describe('SegmentStore', () => {
  test('stores everything in order, one at a time', async () => {
    const keys: string[] = [];
    let running = 0;
    const { store, onFailed } = open(async (key) => {
      expect(++running).toBe(1);
      await delay(1);
      running--;
      keys.push(key);
      return stored(key);
    });
    for (const key of ['a', 'b', 'c']) store.add(file(key));
    expect(store.busy).toBe(true);
    await store.drained();
    store.add(file('d'));
    await store.drained();
    expect(keys).toEqual(['a', 'b', 'c', 'd']);
    expect([store.busy, onFailed.mock.calls]).toEqual([false, []]);
  });

  test('tries again, then goes on with the next', async () => {
    let failures = 2;
    const keys: string[] = [];
    const { store, onFailed } = open((key) => {
      if (failures-- > 0) return Promise.reject(new Error('away'));
      keys.push(key);
      return Promise.resolve(stored(key));
    });
    for (const key of ['a', 'b']) store.add(file(key));
    await store.drained();
    expect([keys, onFailed.mock.calls]).toEqual([['a', 'b'], []]);
  });

  test('gives up after that, once, and takes nothing more', async () => {
    const put = vi.fn<Put>(() => Promise.reject(new Error('away')));
    const { store, onFailed } = open(put);
    for (const key of ['a', 'b']) store.add(file(key));
    await store.drained();
    expect(onFailed.mock.calls).toEqual([['The storage does not take what is recorded.']]);
    expect(put).toHaveBeenCalledTimes(3);
    store.add(file('c'));
    expect([store.busy, store.failed]).toEqual([false, true]);
  });

  test('a full disk ends it at once', async () => {
    const put = vi.fn<Put>((key) => Promise.reject(new StorageError('full', key)));
    const { store, onFailed } = open(put);
    store.add(file('a'));
    await store.drained();
    expect(put).toHaveBeenCalledTimes(1);
    expect(onFailed.mock.calls).toEqual([['There is no room left to record.']]);
  });

  test.each([
    ['bytes', { maxBytes: 10 }, 3],
    ['files', { maxFiles: 2 }, 3],
  ])('what piles up is bounded in %s', async (_, limit, count) => {
    const aborted = vi.fn();
    const put: Put = (key, _body, options) =>
      new Promise((_resolve, reject) => {
        options?.signal?.addEventListener('abort', () => {
          aborted();
          reject(new Error(`aborted ${key}`));
        });
      });
    const { store, onFailed } = open(put, limit);
    for (let i = 0; i < count; i++) store.add(file(`f${i}`, 4));
    expect(onFailed.mock.calls).toEqual([['The storage is too slow for what is recorded.']]);
    await store.drained();
    expect(aborted).toHaveBeenCalledTimes(1);
  });

  test('a storage that never answers is not waited for', async () => {
    const put: Put = (key, _body, options) =>
      new Promise((_resolve, reject) => {
        options?.signal?.addEventListener('abort', () => reject(new Error(`aborted ${key}`)));
      });
    const { store, onFailed } = open(put, { timeoutMs: 10 });
    store.add(file('a'));
    await store.drained();
    expect(onFailed).toHaveBeenCalledTimes(1);
  });
});
