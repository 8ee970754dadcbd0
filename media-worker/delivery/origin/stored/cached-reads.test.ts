import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test, vi, type MockInstance } from 'vitest';
import { SliceCache } from '@/lib/infra/cache/slice-cache';
import { openStorage, type StorageDriver } from '@/lib/infra/storage';
import { createCachedReads } from './cached-reads';
import { serveFile } from './serve-file';

const key = 'asset/3c9f2f0e-8f4b-4a40-9a53-0a0b1f1d2c3e/video.mp4';
const fileBytes = Buffer.from(Array.from({ length: 5_000 }, (_, index) => index % 251));
let folder: string;
let storage: StorageDriver;
let cachedStorage: Pick<StorageDriver, 'head' | 'read'>;
let reads: MockInstance<StorageDriver['read']>;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cached-reads-'));
  storage = openStorage({ dataDir: folder });
  await storage.put(key, fileBytes);
  reads = vi.spyOn(storage, 'read');
  const slices = new SliceCache({
    folder: await mkdtemp(join(folder, 'slices-')),
    maxBytes: 1024 ** 2,
    readFreeBytes: () => Promise.resolve(Infinity),
    sliceBytes: 1_000,
  });
  cachedStorage = createCachedReads(storage, slices);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const serve = async (range?: string) => {
  const file = { key, contentType: 'video/mp4', cacheControl: 'no-store' };
  const answer = await serveFile(cachedStorage, file, range === undefined ? {} : { range });
  return answer?.stream ? buffer(await answer.stream.open()) : null;
};

test('each slice of an object is read from the storage once, however many viewers seek in it', async () => {
  expect(await serve('bytes=1500-2499')).toEqual(fileBytes.subarray(1_500, 2_500));
  expect(reads).toHaveBeenCalledTimes(2);
  await Promise.all(Array.from({ length: 20 }, () => serve('bytes=1000-2999')));
  expect(reads).toHaveBeenCalledTimes(2);
  expect(await serve()).toEqual(fileBytes);
  expect(await serve('bytes=-100')).toEqual(fileBytes.subarray(4_900));
  expect(reads).toHaveBeenCalledTimes(5);
});

test('a deleted object is not found, and a new object with the same key is read again', async () => {
  await serve();
  await storage.delete(key);
  expect(await serve()).toBeNull();
  const otherBytes = Buffer.alloc(3_000, 7);
  await storage.put(key, otherBytes);
  expect(await serve()).toEqual(otherBytes);
});

test('a playlist is always read from the storage', async () => {
  const playlistKey = key.replace('video.mp4', 'hls/index.m3u8');
  await storage.put(playlistKey, Buffer.from('#EXTM3U'));
  for (let round = 1; round <= 2; round += 1) {
    await cachedStorage.head(playlistKey);
    const source = await cachedStorage.read(playlistKey);
    expect(source && (await buffer(source))).toEqual(Buffer.from('#EXTM3U'));
    expect(reads).toHaveBeenCalledTimes(round);
  }
});
