import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { openStorage } from '.';
import { openS3Storage } from './s3-driver';
import { describeStorageConformance } from './testing/conformance';
import { startS3Server, type S3Fault } from './testing/s3-server';

const MIB = 1024 ** 2;
// Parts have at least 8 MiB, or 16 MiB if the length is unknown, so bodies of 17 MiB have several.
const server = await startS3Server();
const root = await mkdtemp(join(tmpdir(), 's3-storage-'));
const copies = join(root, 'copies');
const storage = openS3Storage(server.settings, { copies });
afterAll(() => Promise.all([server.close(), rm(root, { recursive: true, force: true })]));
afterEach(() => (server.fault = null));

// Opened by openStorage, as in production.
describeStorageConformance('S3', () => Promise.resolve(openStorage({ dataDir: root, s3: server.settings })));

const bytesOf = async (key: string) => buffer((await storage.read(key)) ?? Readable.from([]));
/** Injects a fault into the next `count` matching requests. */
const failRequests = (count: number, fault: S3Fault, request: RegExp) => {
  let remaining = count;
  server.fault = ({ method, path }) =>
    request.test(`${method} ${path}`) && remaining-- > 0 ? fault : undefined;
};

describe('on S3', () => {
  test('a large file is stored in parts, and leaves no unfinished upload', async () => {
    const path = join(root, 'large');
    const bytes = randomBytes(17 * MIB);
    await writeFile(path, bytes);
    expect(await storage.putFile('asset/large/file', path)).toMatchObject({ bytes: bytes.length });
    expect((await bytesOf('asset/large/file')).equals(bytes)).toBe(true);
    expect(await server.unfinished()).toEqual([]);
  });

  test('buffers that the caller reuses are stored with the bytes that they had when they were yielded', async () => {
    const memory = Buffer.alloc(3 * MIB);
    const body = (async function* () {
      for (let n = 0; n < 8; n++) {
        await Promise.resolve();
        memory.fill(n);
        yield [memory.subarray(0, MIB), memory.subarray(MIB)];
      }
    })();
    expect(await storage.put('asset/again/file', body)).toMatchObject({ bytes: 24 * MIB });
    const expectedBytes = Buffer.concat(Array.from({ length: 8 }, (_, n) => Buffer.alloc(3 * MIB, n)));
    expect((await bytesOf('asset/again/file')).equals(expectedBytes)).toBe(true);
  });

  test('more files than the maximum of concurrent multipart uploads are all stored', async () => {
    const bodies = Array.from({ length: 5 }, (_, index) => Buffer.alloc(9 * MIB, index));
    const keys = bodies.map((_, index) => `asset/many/${index}`);
    await Promise.all(
      bodies.map(async (body, index) => {
        const path = join(root, `many-${index}`);
        await writeFile(path, body);
        await storage.putFile(keys[index] ?? '', path);
      }),
    );
    for (const [index, key] of keys.entries())
      expect((await bytesOf(key)).equals(bodies[index] ?? Buffer.alloc(0))).toBe(true);
  });

  test.each([
    ['the sender goes away', false],
    ['it is aborted', true],
  ])('a multipart upload leaves nothing when %s', async (_, isAborted) => {
    const abort = new AbortController();
    const body = new Readable({
      read() {
        if (this.readableDidRead && isAborted) abort.abort();
        else if (this.readableDidRead) this.destroy(new Error('the sender went away'));
        else this.push(Buffer.alloc(17 * MIB));
      },
    });
    await storage.put('asset/broken/a', Buffer.from('old'));
    await expect(storage.put('asset/broken/a', body, { signal: abort.signal })).rejects.toThrow();
    // The abort of the multipart upload is sent in the background.
    await expect.poll(() => server.unfinished(), { timeout: 100_000 }).toEqual([]);
    expect(await bytesOf('asset/broken/a')).toEqual(Buffer.from('old'));
  });

  test('an object too large for one request is copied in parts', async () => {
    const partedStorage = openS3Storage(server.settings, { copies, maxCopyBytes: 1_000 });
    const bytes = randomBytes(2_500);
    await partedStorage.put('asset/parted/a', bytes);
    expect(await partedStorage.copy('asset/parted/a', 'asset/parted/b')).toMatchObject({ bytes: 2_500 });
    expect((await bytesOf('asset/parted/b')).equals(bytes)).toBe(true);
    failRequests(99, 500, /^PUT .*parted\/c/);
    await expect(partedStorage.copy('asset/parted/a', 'asset/parted/c')).rejects.toThrow();
    expect([await partedStorage.head('asset/parted/c'), await server.unfinished()]).toEqual([null, []]);
  });

  test('a temporary error is retried a limited number of times', async () => {
    for (const fault of [503, 'cut'] as const) {
      failRequests(2, fault, /^PUT/);
      await storage.put('asset/again/a', Buffer.from('x'));
      failRequests(2, fault, /^GET/);
      expect(await bytesOf('asset/again/a')).toEqual(Buffer.from('x'));
      failRequests(99, fault, /^PUT/);
      await expect(storage.put('asset/again/a', Buffer.from('y'))).rejects.toThrow();
    }
    server.fault = null;
    expect(await bytesOf('asset/again/a')).toEqual(Buffer.from('x'));
  });

  test('an interrupted read resumes at its position', async () => {
    const bytes = randomBytes(100_000);
    await storage.put('asset/halves/a', bytes);
    failRequests(3, 'half', /^GET .*halves/);
    const requestsBefore = server.requests.length;
    expect((await bytesOf('asset/halves/a')).equals(bytes)).toBe(true);
    // The first request, and three resumptions.
    expect(server.requests.slice(requestsBefore)).toHaveLength(4);
    failRequests(3, 'half', /^GET .*halves/);
    const part = await storage.read('asset/halves/a', { start: 10, end: 90_000 });
    expect((await buffer(part ?? Readable.from([]))).equals(bytes.subarray(10, 90_001))).toBe(true);
    failRequests(1, 'half', /^GET .*halves/);
    const interruptedRead = (await storage.read('asset/halves/a')) ?? Readable.from([]);
    await storage.put('asset/halves/a', randomBytes(100_000));
    await expect(buffer(interruptedRead)).rejects.toThrow();
  });

  test('a failed copy or deletion below a prefix rejects only after its running requests have ended', async () => {
    const keys = Array.from({ length: 40 }, (_, n) => `asset/some/${String(n).padStart(2, '0')}`);
    for (const key of keys) await storage.put(key, Buffer.from('x'));
    // The request for an early object fails while concurrent requests for other objects run.
    server.fault = ({ method, path }) =>
      /^(PUT|DELETE) .*\/03$/.test(`${method} ${path}`) ? 403 : undefined;
    for (const run of [
      () => storage.copyPrefix('asset/some/', 'asset/others/'),
      () => storage.deletePrefix('asset/some/'),
    ]) {
      const requestsBefore = server.requests.length;
      await expect(run()).rejects.toThrow();
      const requestCount = server.requests.length;
      await delay(300);
      expect(server.requests).toHaveLength(requestCount);
      expect(requestCount - requestsBefore).toBeLessThan(keys.length);
    }
  });

  test('a full service is distinguished from other errors', async () => {
    server.fault = ({ method }) => (method === 'PUT' ? 507 : undefined);
    const fullError = { name: 'StorageError', kind: 'full' };
    await expect(storage.put('asset/full/a', Buffer.from('x'))).rejects.toMatchObject(fullError);
    await expect(storage.put('asset/full/a', Readable.from([Buffer.alloc(17 * MIB)]))).rejects.toMatchObject(
      fullError,
    );
  });

  test('the room is infinite, because S3 does not report the free space', async () => {
    expect(await storage.room()).toBe(Infinity);
  });

  test('a missing bucket and a wrong key are errors, not missing objects', async () => {
    const missingBucketStorage = openS3Storage({ ...server.settings, bucket: 'no-such-bucket' }, { copies });
    await expect(missingBucketStorage.read('asset/a')).rejects.toThrow();
    const unknownKeyStorage = openS3Storage({ ...server.settings, accessKeyId: 'wrong' }, { copies });
    await expect(unknownKeyStorage.head('asset/a')).rejects.toThrow();
    const wrongSecretStorage = openS3Storage({ ...server.settings, secretAccessKey: 'wrong' }, { copies });
    await expect(wrongSecretStorage.head('asset/a')).rejects.toThrow();
    await expect(wrongSecretStorage.put('asset/a', Buffer.from('x'))).rejects.toThrow();
  });

  test('local copies for ffmpeg are deleted after use, or by deleteAbandonedFiles when they are old', async () => {
    await storage.put('asset/lent/source.mp4', Buffer.from('the bytes'));
    await storage.withFile('asset/lent/source.mp4', async (path) => {
      expect(await readdir(copies)).toHaveLength(1);
      await utimes(path, new Date(0), new Date(0));
      expect(await storage.deleteAbandonedFiles(new Date(Date.now() - 60_000))).toBe(1);
    });
    expect(await readdir(copies)).toEqual([]);
  });

  test('old multipart uploads of a dead process are aborted', async () => {
    // The upload fails at its second part, and its abort fails too, as if the process had died.
    let isCut = false;
    server.fault = ({ method, query }) => {
      if (method === 'DELETE' && query.uploadId !== undefined) return 500;
      if (method === 'PUT' && query.partNumber === '2') isCut = true;
      return isCut && method === 'PUT' ? 400 : undefined;
    };
    await expect(
      storage.put('asset/dead/a', Readable.from([Buffer.alloc(17 * MIB), Buffer.alloc(17 * MIB)])),
    ).rejects.toThrow();
    server.fault = null;
    expect(await server.unfinished()).toHaveLength(1);
    expect(await storage.deleteAbandonedFiles(new Date(Date.now() - 60_000))).toBe(0);
    expect(await storage.deleteAbandonedFiles(new Date(Date.now() + 60_000))).toBe(1);
    expect(await server.unfinished()).toEqual([]);
  });

  test('a service that does not list multipart uploads is supported', async () => {
    server.fault = ({ query }) => (query.uploads === undefined ? undefined : 501);
    expect(await storage.deleteAbandonedFiles(new Date())).toBe(0);
  });
});
