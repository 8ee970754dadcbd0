import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, afterEach, expect, test } from 'vitest';
import { assetKey, ipfsArchiveKey, ipfsKey, recordingKey, storageRoots } from '@/lib/core/storage-keys';
import { uploadedObjectKey } from '@/lib/core/access/upload-token';
import { openStorage, type StorageDriver } from '.';
import { copyStorage, CopyDiffersError } from './copy-storage';
import { startS3Server } from './testing/s3-server';

const s3 = await startS3Server();
const folder = await mkdtemp(join(tmpdir(), 'copy-storage-'));
afterAll(() => Promise.all([s3.close(), rm(folder, { recursive: true, force: true })]));
afterEach(() => (s3.fault = null));
const remote = openStorage({ dataDir: join(folder, 'remote'), s3: s3.settings });
let count = 0;
const openEmptyStorage = () => openStorage({ dataDir: join(folder, `${++count}`) });
const signal = new AbortController().signal;

const keys = [
  assetKey('a', 'source.mp4'),
  assetKey('a', 'hls/source/0.m4s'),
  recordingKey('r', 'hls/index.m3u8'),
  ipfsKey('bafy'),
  ipfsArchiveKey('bafy'),
  uploadedObjectKey('p'.repeat(16)),
];
const bytesAt = (key: string) => Buffer.from(`the bytes at ${key}`);
async function createFilledStorage(): Promise<StorageDriver> {
  const storage = openEmptyStorage();
  for (const key of keys) await storage.put(key, bytesAt(key));
  return storage;
}
async function contentsOf(storage: StorageDriver): Promise<Record<string, string>> {
  const contents: Record<string, string> = {};
  for (const root of storageRoots) {
    for await (const { key } of storage.list(root)) {
      contents[key] = (await buffer((await storage.read(key)) ?? Readable.from([]))).toString();
    }
  }
  return contents;
}
const allContents = Object.fromEntries(keys.map((key) => [key, bytesAt(key).toString()]));
const totalBytes = keys.reduce((sum, key) => sum + bytesAt(key).length, 0);

test('all objects are copied to S3 and back, and deleted from the source only on request', async () => {
  const local = await createFilledStorage();
  expect(await copyStorage({ source: local, target: remote, deleteSource: false, signal })).toEqual({
    copied: keys.length,
    bytes: totalBytes,
    unchanged: 0,
    deleted: 0,
  });
  expect(await contentsOf(remote)).toEqual(allContents);
  expect(await contentsOf(local)).toEqual(allContents);
  const secondCopy = openEmptyStorage();
  expect(await copyStorage({ source: remote, target: secondCopy, deleteSource: true, signal })).toMatchObject(
    {
      copied: keys.length,
      deleted: keys.length,
    },
  );
  expect(await contentsOf(secondCopy)).toEqual(allContents);
  expect(await contentsOf(remote)).toEqual({});
});

test('a repeated copy continues an interrupted copy', async () => {
  const [source, target] = [await createFilledStorage(), openEmptyStorage()];
  const abort = new AbortController();
  const onProgress = ({ copied }: { copied: number }) => {
    if (copied === 2) abort.abort();
  };
  const interruptedCopy = copyStorage({
    source,
    target,
    deleteSource: false,
    signal: abort.signal,
    onProgress,
  });
  await expect(interruptedCopy).rejects.toThrow();
  const copiedBefore = Object.keys(await contentsOf(target)).length;
  expect(copiedBefore).toBeGreaterThanOrEqual(2);
  const { copied, unchanged } = await copyStorage({ source, target, deleteSource: false, signal });
  expect([copied, unchanged]).toEqual([keys.length - copiedBefore, copiedBefore]);
  expect(await contentsOf(target)).toEqual(allContents);
});

test('an existing object with another length is replaced', async () => {
  const [source, target] = [await createFilledStorage(), openEmptyStorage()];
  await target.put(keys[0] ?? '', Buffer.from('short'));
  expect(await copyStorage({ source, target, deleteSource: false, signal })).toMatchObject({ unchanged: 0 });
  expect(await contentsOf(target)).toEqual(allContents);
});

test('with deleteSource, an existing object of the same length but other bytes is an error, and its source is kept', async () => {
  const [source, target] = [await createFilledStorage(), openEmptyStorage()];
  const [key = ''] = keys;
  await target.put(key, Buffer.alloc(bytesAt(key).length));
  await expect(copyStorage({ source, target, deleteSource: true, signal })).rejects.toThrow(
    new CopyDiffersError(key),
  );
  expect((await contentsOf(source))[key]).toBe(allContents[key]);
});

test('a copy with other bytes than its source is an error, and the source is kept', async () => {
  const [source, target] = [await createFilledStorage(), openEmptyStorage()];
  const faultyTarget = {
    ...target,
    read: () => Promise.resolve(Readable.from([Buffer.from('something else')])),
  };
  await expect(copyStorage({ source, target: faultyTarget, deleteSource: true, signal })).rejects.toThrow(
    CopyDiffersError,
  );
  expect(await contentsOf(source)).toEqual(allContents);
});

test('a failing storage ends the copy with an error, and the source is kept', async () => {
  s3.fault = ({ method }) => (method === 'PUT' ? 403 : undefined);
  const source = await createFilledStorage();
  await expect(copyStorage({ source, target: remote, deleteSource: true, signal })).rejects.toThrow();
  expect(await contentsOf(source)).toEqual(allContents);
});
