import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { StorageError, type StorageDriver } from '../storage-driver';

let count = 0;
/** Creates a prefix that no other test uses. */
const createPrefix = (): string => `asset/test-${process.pid}-${Date.now()}-${count++}/`;

/**
 * Defines the tests that every storage driver must pass.
 * @param open opens the driver to test
 */
export function describeStorageConformance(name: string, open: () => Promise<StorageDriver>): void {
  describe(`${name}: a storage`, () => {
    testPutAndRead(open);
    testReplacement(open);
    testPrefixCopy(open);
    testListAndDelete(open);
    testLocalFiles(open);
    testErrors(open);
  });
}

const bytesOf = async (storage: StorageDriver, key: string, range?: { start: number; end: number }) => {
  const stream = await storage.read(key, range);
  return stream && (await buffer(stream));
};

async function keysOf(storage: StorageDriver, prefix: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of storage.list(prefix)) keys.push(key);
  return keys.sort();
}

function testPutAndRead(open: () => Promise<StorageDriver>): void {
  test.each([
    ['a buffer', (bytes: Buffer) => bytes],
    ['buffers', (bytes: Buffer) => [bytes.subarray(0, 10), bytes.subarray(10)]],
    ['a stream', (bytes: Buffer) => Readable.from([bytes.subarray(0, 7), bytes.subarray(7)])],
  ])('returns the bytes that were stored as %s', async (_, bodyOf) => {
    const storage = await open();
    const [key, bytes] = [`${createPrefix()}source.mp4`, randomBytes(100_000)];
    const startedAt = Date.now();
    const putObject = await storage.put(key, bodyOf(bytes), { contentType: 'video/mp4' });
    expect(putObject).toMatchObject({ key, bytes: bytes.length });
    expect(Math.abs(putObject.modifiedAt.getTime() - startedAt)).toBeLessThan(60_000);
    expect(await storage.head(key)).toEqual(putObject);
    // `equals` is fast; comparing the bytes one by one would take half a second.
    expect((await bytesOf(storage, key))?.equals(bytes)).toBe(true);
  });

  test('stores an empty object', async () => {
    const storage = await open();
    const key = `${createPrefix()}empty`;
    await storage.put(key, Readable.from([]));
    expect(await storage.head(key)).toMatchObject({ bytes: 0 });
    expect(await bytesOf(storage, key)).toEqual(Buffer.alloc(0));
  });

  test('stores a body larger than one part of an upload', async () => {
    const storage = await open();
    const [key, block] = [`${createPrefix()}large`, randomBytes(1024 * 1024)];
    const storedObject = await storage.put(key, Readable.from(Array.from({ length: 12 }, () => block)));
    expect(storedObject.bytes).toBe(12 * block.length);
    expect(
      (await bytesOf(storage, key))?.equals(Buffer.concat(Array.from({ length: 12 }, () => block))),
    ).toBe(true);
  });

  test.each([
    [{ start: 0, end: 0 }, [0, 1]],
    [{ start: 10, end: 19 }, [10, 20]],
    [{ start: 990, end: 999 }, [990, 1_000]],
    [{ start: 990, end: 5_000 }, [990, 1_000]],
  ])('reads the range %j', async (range, [start, endExclusive]) => {
    const storage = await open();
    const [key, bytes] = [`${createPrefix()}file`, randomBytes(1_000)];
    await storage.put(key, bytes);
    expect(await bytesOf(storage, key, range)).toEqual(bytes.subarray(start, endExclusive));
  });

  test('has no object at an unused key', async () => {
    const storage = await open();
    const key = `${createPrefix()}nothing`;
    expect(await storage.head(key)).toBeNull();
    expect(await storage.read(key)).toBeNull();
    expect(await storage.read(key, { start: 0, end: 9 })).toBeNull();
  });
}

function testReplacement(open: () => Promise<StorageDriver>): void {
  test('replaces an object, and changes its etag', async () => {
    const storage = await open();
    const key = `${createPrefix()}file`;
    const first = await storage.put(key, Buffer.from('first'));
    const second = await storage.put(key, Buffer.from('other'));
    expect(second.etag).not.toBe(first.etag);
    expect(await bytesOf(storage, key)).toEqual(Buffer.from('other'));
  });

  test('keeps the existing object when the new body fails', async () => {
    const storage = await open();
    const key = `${createPrefix()}file`;
    await storage.put(key, Buffer.from('old'));
    const brokenBody = Readable.from(
      (async function* () {
        yield Buffer.from('new, but');
        await Promise.resolve();
        throw new Error('the sender went away');
      })(),
    );
    await expect(storage.put(key, brokenBody)).rejects.toThrow('the sender went away');
    expect(await bytesOf(storage, key)).toEqual(Buffer.from('old'));
  });

  test('stores nothing if the write is aborted', async () => {
    const storage = await open();
    const key = `${createPrefix()}file`;
    const abort = new AbortController();
    const endlessBody = new Readable({
      read() {
        this.push(Buffer.alloc(1_024));
        setImmediate(() => abort.abort());
      },
    });
    await expect(storage.put(key, endlessBody, { signal: abort.signal })).rejects.toThrow();
    expect(endlessBody.destroyed).toBe(true);
    expect(await storage.head(key)).toBeNull();
  });

  test('copies an object, and replaces an earlier copy of it', async () => {
    const storage = await open();
    const folder = createPrefix();
    await storage.put(`${folder}a`, Buffer.from('the bytes'));
    for (let attempt = 0; attempt < 2; attempt++) {
      expect(await storage.copy(`${folder}a`, `${folder}b`)).toMatchObject({ key: `${folder}b`, bytes: 9 });
    }
    await storage.put(`${folder}a`, Buffer.from('changed'));
    expect(await bytesOf(storage, `${folder}b`)).toEqual(Buffer.from('the bytes'));
    await storage.delete(`${folder}a`);
    expect(await keysOf(storage, folder)).toEqual([`${folder}b`]);
  });
}

function testPrefixCopy(open: () => Promise<StorageDriver>): void {
  test('copies the included objects below a prefix, and replaces existing ones', async () => {
    const storage = await open();
    const [from, to] = [createPrefix(), createPrefix()];
    const files = [
      'a.m4s',
      'deep/b.m4s',
      'deep/c.json',
      ...Array.from({ length: 18 }, (_, n) => `many/${n}.m4s`),
    ];
    await Promise.all(files.map((file) => storage.put(`${from}${file}`, Buffer.from(`bytes of ${file}`))));
    // An existing object at one of the targets.
    await storage.put(`${to}deep/b.m4s`, Buffer.from('older'));
    const isMedia = (name: string) => name.endsWith('.m4s');
    for (let attempt = 0; attempt < 2; attempt++)
      expect(await storage.copyPrefix(from, to, { includes: isMedia })).toBe(20);
    await storage.put(`${from}a.m4s`, Buffer.from('changed'));
    await storage.deletePrefix(`${from}many/`);
    const copies = await keysOf(storage, to);
    expect(copies).toEqual(
      files
        .filter(isMedia)
        .map((file) => `${to}${file}`)
        .sort(),
    );
    const bodies = await Promise.all(copies.map(async (key) => (await bytesOf(storage, key))?.toString()));
    expect(bodies).toEqual(copies.map((key) => `bytes of ${key.slice(to.length)}`));
    expect(await storage.copyPrefix(createPrefix(), to)).toBe(0);
    await expect(storage.copyPrefix(from, to, { signal: AbortSignal.abort() })).rejects.toThrow();
  });
}

function testListAndDelete(open: () => Promise<StorageDriver>): void {
  test('lists the objects below a prefix, and no others', async () => {
    const storage = await open();
    const folder = createPrefix();
    const inside = ['a.mp4', 'hls/000000.m4s', 'hls/deep/b'].map((file) => `${folder}${file}`);
    for (const key of [...inside, `${folder.slice(0, -1)}-other/c`]) await storage.put(key, Buffer.from('x'));
    expect(await keysOf(storage, folder)).toEqual(inside);
    expect(await keysOf(storage, createPrefix())).toEqual([]);
    for await (const object of storage.list(folder)) expect(await storage.head(object.key)).toEqual(object);
  });

  test('deletes objects and prefixes, including missing ones', async () => {
    const storage = await open();
    const folder = createPrefix();
    for (const file of ['a', 'b/c', 'b/d']) await storage.put(`${folder}${file}`, Buffer.from('x'));
    await storage.delete(`${folder}a`);
    await storage.delete(`${folder}a`);
    expect(await keysOf(storage, folder)).toEqual([`${folder}b/c`, `${folder}b/d`]);
    await storage.deletePrefix(`${folder}b/`);
    await storage.deletePrefix(`${folder}b/`);
    expect(await keysOf(storage, folder)).toEqual([]);
    await storage.put(`${folder}b/c`, Buffer.from('again'));
    expect(await bytesOf(storage, `${folder}b/c`)).toEqual(Buffer.from('again'));
  });
}

function testLocalFiles(open: () => Promise<StorageDriver>): void {
  test('stores a local file, and keeps it only on request', async () => {
    const storage = await open();
    const key = `${createPrefix()}source.mp4`;
    const path = join(await mkdtemp(join(tmpdir(), 'storage-')), 'file');
    await writeFile(path, 'the bytes');
    for (const keep of [true, false]) expect((await storage.putFile(key, path, { keep })).bytes).toBe(9);
    expect(await bytesOf(storage, key)).toEqual(Buffer.from('the bytes'));
    await expect(readFile(path)).rejects.toThrow('ENOENT');
  });

  test('provides an object as a file', async () => {
    const storage = await open();
    const key = `${createPrefix()}source.mp4`;
    await storage.put(key, Buffer.from('the bytes'));
    expect(await storage.withFile(key, (path) => readFile(path, 'utf8'))).toBe('the bytes');
    await expect(storage.withFile(key, () => Promise.reject(new Error('no use')))).rejects.toThrow('no use');
    expect(await bytesOf(storage, key)).toEqual(Buffer.from('the bytes'));
  });
}

function testErrors(open: () => Promise<StorageDriver>): void {
  test('reports a missing object', async () => {
    const storage = await open();
    const [from, to] = [`${createPrefix()}from`, `${createPrefix()}to`];
    await expect(storage.copy(from, to)).rejects.toThrow(new StorageError('missing', from));
    await expect(storage.withFile(from, () => Promise.resolve())).rejects.toThrow(
      new StorageError('missing', from),
    );
  });

  test.each(['../outside', 'asset/../../outside', '/etc/passwd', 'asset/.hidden', 'asset/a\0b', 'a\\b', ''])(
    'rejects the key %j',
    async (key) => {
      const storage = await open();
      const badKey = /Not a storage key/;
      await expect((async () => storage.put(key, Buffer.from('x')))()).rejects.toThrow(badKey);
      await expect((async () => storage.read(key))()).rejects.toThrow(badKey);
      await expect((async () => storage.delete(key))()).rejects.toThrow(badKey);
      await expect((async () => storage.deletePrefix(key))()).rejects.toThrow(/Not a storage prefix/);
    },
  );
}
