import { mkdtemp, readdir, rm, writeFile, mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { StoredRange } from '../storage/storage-driver';
import { openDiskCache } from './cache-folder';
import { SliceCache } from './slice-cache';

const fileBytes = Buffer.from(Array.from({ length: 1_000 }, (_, index) => index % 251));
let folder: string;
let requestedRanges: StoredRange[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'slices-'));
  requestedRanges = [];
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const openCache = (options: Partial<ConstructorParameters<typeof SliceCache>[0]> = {}) =>
  new SliceCache({
    folder,
    maxBytes: 1024 ** 2,
    readFreeBytes: () => Promise.resolve(Infinity),
    sliceBytes: 100,
    ...options,
  });
const createFile = (name = 'video') => ({
  name,
  bytes: fileBytes.length,
  read: (range: StoredRange) => {
    requestedRanges.push(range);
    return Promise.resolve(
      Readable.from([fileBytes.subarray(range.start, range.end + 1)], { objectMode: false }),
    );
  },
});
const readAll = (cache: SliceCache, start = 0, end = fileBytes.length - 1, name?: string) =>
  buffer(cache.read(createFile(name), { start, end }));

test('reading a range loads only the slices that it touches, and each of them once', async () => {
  const cache = openCache();
  expect(await readAll(cache, 250, 420)).toEqual(fileBytes.subarray(250, 421));
  expect(requestedRanges.map(({ start, end }) => [start, end])).toEqual([
    [200, 299],
    [300, 399],
    [400, 499],
  ]);
  expect(await readAll(cache, 299, 300)).toEqual(fileBytes.subarray(299, 301));
  expect(requestedRanges).toHaveLength(3);
  expect(await readAll(cache)).toEqual(fileBytes);
  expect(requestedRanges).toHaveLength(10);
});

test('the last slice ends with the file, and an empty file has none', async () => {
  const cache = openCache({ sliceBytes: 300 });
  expect(await readAll(cache, 950)).toEqual(fileBytes.subarray(950));
  expect(requestedRanges).toEqual([{ start: 900, end: 999 }]);
  expect(await buffer(cache.read({ ...createFile(), bytes: 0 }, { start: 0, end: -1 }))).toHaveLength(0);
});

test('concurrent readers load each slice once', async () => {
  const cache = openCache();
  const bodies = await Promise.all(Array.from({ length: 50 }, () => readAll(cache)));
  expect(bodies.every((body) => body.equals(fileBytes))).toBe(true);
  expect(requestedRanges).toHaveLength(10);
});

test('files with different names share no slices', async () => {
  const cache = openCache();
  await readAll(cache, 0, 99, 'video 1');
  await readAll(cache, 0, 99, 'video 2');
  expect(requestedRanges).toHaveLength(2);
});

test('the least recently used slices are evicted, and deleted from the disk', async () => {
  // Each slice of 100 bytes counts as a block of 4,096 bytes.
  const cache = openCache({ maxBytes: 3 * 4_096 });
  await readAll(cache, 0, 299);
  await readAll(cache, 0, 99);
  await readAll(cache, 300, 399);
  requestedRanges.length = 0;
  await readAll(cache, 0, 99);
  expect(requestedRanges).toEqual([]);
  await readAll(cache, 100, 199);
  expect(requestedRanges).toHaveLength(1);
  await expect.poll(() => readdir(folder)).toHaveLength(3);
  expect(cache.bytes).toBe(3 * 4_096);
});

test('on a full disk, cached slices are evicted and readers get the bytes that are not cached from the source', async () => {
  let freeBytes = Infinity;
  const cache = openCache({ readFreeBytes: () => Promise.resolve(freeBytes) });
  await readAll(cache, 0, 499);
  freeBytes = -1;
  expect(await readAll(cache, 450, 799)).toEqual(fileBytes.subarray(450, 800));
  expect(requestedRanges.at(-1)).toEqual({ start: 500, end: 799 });
  await expect.poll(() => readdir(folder)).toEqual([]);
});

test('on a broken disk, readers get the file from its source', async () => {
  const cache = openCache({ folder: join(folder, 'nowhere') });
  expect(await readAll(cache)).toEqual(fileBytes);
});

test('a slice whose source fails or has the wrong length is not cached', async () => {
  const cache = openCache();
  const brokenFile = {
    ...createFile(),
    read: () => Promise.resolve(Readable.from([fileBytes.subarray(0, 50)], { objectMode: false })),
  };
  await expect(buffer(cache.read(brokenFile, { start: 0, end: 99 }))).rejects.toThrow('expected length');
  const failingFile = { ...createFile(), read: () => Promise.reject(new Error('source failed')) };
  await expect(buffer(cache.read(failingFile, { start: 0, end: 99 }))).rejects.toThrow('source failed');
  expect(await readdir(folder)).toEqual([]);
  expect(await readAll(cache, 0, 99)).toEqual(fileBytes.subarray(0, 100));
});

test('opening the cache creates the folder of this process, and deletes those of ended processes', async () => {
  // No process has this id: the maximum of Linux is 4,194,304.
  const oldFolder = join(folder, 'cache', '4194399');
  await mkdir(oldFolder, { recursive: true });
  await writeFile(join(oldFolder, 'slice'), 'x');
  // The parent process is running.
  await mkdir(join(folder, 'cache', String(process.ppid)));
  const cache = await openDiskCache(folder, undefined);
  expect(cache).not.toBeNull();
  expect((await readdir(join(folder, 'cache'))).sort()).toEqual(
    [String(process.pid), String(process.ppid)].sort(),
  );
});

test('a maximum size of 0 means no cache', async () => {
  expect(await openDiskCache(folder, 0)).toBeNull();
});
