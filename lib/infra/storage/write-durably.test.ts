import { createHash, randomBytes } from 'node:crypto';
import { open, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import { writeDurably } from './write-durably';

const folder = await mkdtemp(join(tmpdir(), 'write-durably-'));
afterAll(() => rm(folder, { recursive: true, force: true }));
let count = 0;
const newPath = (): string => join(folder, String(count++));
const MIB = 1024 ** 2;

/** Prototype of file handles, whose methods the tests spy on. */
const exampleHandle = await open(newPath(), 'wx');
const fileHandlePrototype = Object.getPrototypeOf(exampleHandle) as {
  writev: (
    this: typeof exampleHandle,
    pieces: readonly NodeJS.ArrayBufferView[],
    position?: number | null,
  ) => Promise<unknown>;
  datasync: (this: typeof exampleHandle) => Promise<void>;
  sync: (this: typeof exampleHandle) => Promise<void>;
};
await exampleHandle.close();
afterEach(() => vi.restoreAllMocks());

describe('a written file', () => {
  test('contains the yielded bytes, even if their memory is reused', async () => {
    const path = newPath();
    const memory = Buffer.alloc(MIB);
    const expectedHash = createHash('md5');
    await writeDurably(
      path,
      (async function* () {
        for (let n = 0; n < 20; n++) {
          await Promise.resolve();
          memory.fill(n);
          expectedHash.update(memory);
          yield [memory.subarray(0, 1), Buffer.alloc(0), memory.subarray(1)];
        }
      })(),
    );
    expect(
      createHash('md5')
        .update(await readFile(path))
        .digest('hex'),
    ).toBe(expectedHash.digest('hex'));
  });

  test('contains the whole stream, in few calls', async () => {
    const path = newPath();
    const pieces = Array.from({ length: 3_000 }, () => randomBytes(700));
    const writev = vi.spyOn(fileHandlePrototype, 'writev');
    await writeDurably(path, Readable.from(pieces));
    expect((await readFile(path)).equals(Buffer.concat(pieces))).toBe(true);
    // A batch has 512 pieces at most, so 3,000 pieces need six calls.
    expect(writev.mock.calls.length).toBeLessThan(10);
  });

  test('is complete after short writes', async () => {
    const path = newPath();
    const pieces = [randomBytes(1_000), randomBytes(1), randomBytes(5_000)];
    const writev = fileHandlePrototype.writev;
    vi.spyOn(fileHandlePrototype, 'writev').mockImplementation(function (
      this: typeof exampleHandle,
      buffers,
      position,
    ) {
      const [firstBuffer] = buffers;
      if (!firstBuffer) throw new Error('nothing to write');
      const { buffer, byteOffset, byteLength } = firstBuffer;
      return writev.call(this, [Buffer.from(buffer, byteOffset, Math.min(700, byteLength))], position);
    });
    await writeDurably(path, pieces);
    expect((await readFile(path)).equals(Buffer.concat(pieces))).toBe(true);
  });
});

describe('flushing', () => {
  test('happens during the write, and completely at its end', async () => {
    const path = newPath();
    const flushes: string[] = [];
    const { datasync, sync } = fileHandlePrototype;
    const recordCalls = (name: string, method: (this: typeof exampleHandle) => Promise<void>) =>
      function (this: typeof exampleHandle): Promise<void> {
        flushes.push(`${name} after ${writtenMib} MiB`);
        return method.call(this);
      };
    vi.spyOn(fileHandlePrototype, 'datasync').mockImplementation(recordCalls('datasync', datasync));
    vi.spyOn(fileHandlePrototype, 'sync').mockImplementation(recordCalls('sync', sync));
    const block = Buffer.alloc(4 * MIB);
    let writtenMib = 0;
    await writeDurably(
      path,
      (async function* () {
        for (; writtenMib < 72; writtenMib += 4) {
          await Promise.resolve();
          yield [block];
        }
      })(),
    );
    // The counter grows when the next block is requested, so at 60 MiB it stands for 64 MiB, after which a flush is due.
    expect(flushes).toEqual(['datasync after 60 MiB', 'sync after 72 MiB']);
    expect((await stat(path)).size).toBe(72 * MIB);
  });

  test('fails the write if an early flush fails', async () => {
    const diskError = Object.assign(new Error('the disk'), { code: 'EIO' });
    vi.spyOn(fileHandlePrototype, 'datasync').mockRejectedValueOnce(diskError);
    const block = Buffer.alloc(65 * MIB);
    await expect(writeDurably(newPath(), [block])).rejects.toBe(diskError);
  });
});

describe('the source of the body', () => {
  test('is closed when writing fails', async () => {
    vi.spyOn(fileHandlePrototype, 'writev').mockRejectedValue(
      Object.assign(new Error('full'), { code: 'ENOSPC' }),
    );
    let isClosed = false;
    const body = (async function* () {
      try {
        for (;;) {
          await Promise.resolve();
          yield [Buffer.alloc(10)];
        }
      } finally {
        isClosed = true;
      }
    })();
    await expect(writeDurably(newPath(), body)).rejects.toThrow('full');
    expect(isClosed).toBe(true);
  });

  test('is closed when it is aborted', async () => {
    const abort = new AbortController();
    let pieceCount = 0;
    const body = (async function* () {
      for (;;) {
        await Promise.resolve();
        if (++pieceCount === 3) abort.abort(new Error('enough'));
        yield [Buffer.alloc(10)];
      }
    })();
    await expect(writeDurably(newPath(), body, abort.signal)).rejects.toThrow('enough');
    expect(pieceCount).toBe(3);
  });

  test('is not written if the signal was aborted before', async () => {
    const signal = AbortSignal.abort(new Error('too late'));
    const path = newPath();
    for (const body of [Buffer.from('x'), [Buffer.from('x')], Readable.from([Buffer.from('x')])]) {
      await expect(writeDurably(path, body, signal)).rejects.toThrow();
      expect((await stat(path)).size).toBe(0);
      await rm(path);
    }
  });
});
