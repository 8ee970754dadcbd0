import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { copyMedia, type SegmentCopy } from './copy-media';

const folder = await mkdtemp(join(tmpdir(), 'copy-media-'));
afterAll(() => rm(folder, { recursive: true, force: true }));
const signal = new AbortController().signal;
const MIB = 1024 ** 2;

/** Creates files of these sizes, and a storage that reports how many of their bytes are being read concurrently. */
async function storedFiles(...sizes: number[]) {
  const files = new Map<string, Buffer>();
  for (const [index, size] of sizes.entries()) {
    const [key, data] = [`${files.size}-${index}-${size}`, randomBytes(size)];
    files.set(key, data);
    await writeFile(join(folder, key), data);
  }
  const open = { files: 0, maxFiles: 0, begun: 0 };
  const storage = {
    async withFile<T>(key: string, use: (path: string) => Promise<T>): Promise<T> {
      open.begun += 1;
      open.maxFiles = Math.max(open.maxFiles, ++open.files);
      try {
        return await use(join(folder, key));
      } finally {
        open.files -= 1;
      }
    },
  };
  const copies = [...files].map(([key, data]): SegmentCopy => {
    const half = Math.floor(data.length / 2);
    const bytes = [{ at: 3, length: half - 3 }, { data: Buffer.from(key) }, { at: half + 1, length: 5 }];
    return { key, length: data.length, bytes };
  });
  const expected = [...files].map(([key, data]) => {
    const half = Math.floor(data.length / 2);
    return Buffer.concat([data.subarray(3, half), Buffer.from(key), data.subarray(half + 1, half + 6)]);
  });
  return { storage, copies, expected, open };
}

async function collect(chunks: AsyncIterable<readonly Buffer[]>) {
  const [buffers, memories]: [Buffer[], Set<ArrayBufferLike>] = [[], new Set()];
  for await (const pieces of chunks) {
    buffers.push(Buffer.concat(pieces));
    for (const { buffer, byteLength } of pieces) if (byteLength > 1_000) memories.add(buffer);
  }
  return { buffers, memories };
}

/** Indexes of the buffers that differ. */
function differing(buffers: readonly Buffer[], expectedBuffers: readonly Buffer[]): number[] {
  expect(buffers.length).toBe(expectedBuffers.length);
  return buffers.flatMap((data, index) =>
    data.equals(expectedBuffers[index] ?? Buffer.alloc(0)) ? [] : [index],
  );
}

test('the requested ranges of each file are copied in order, in reused memory', async () => {
  const { storage, copies, expected, open } = await storedFiles(...Array.from({ length: 50 }, () => 40_000));
  const { buffers, memories } = await collect(copyMedia(storage, copies, signal));
  expect(differing(buffers, expected)).toEqual([]);
  expect(memories.size).toBeLessThanOrEqual(5);
  expect(open.maxFiles).toBeLessThanOrEqual(4);
});

test('larger segments get more memory, and large ones are not read concurrently', async () => {
  const { storage, copies, expected, open } = await storedFiles(
    10_000,
    50_000,
    9 * MIB,
    9 * MIB,
    17 * MIB,
    20_000,
  );
  const chunks = copyMedia(storage, copies, signal);
  const { value: first } = (await chunks.next()) as IteratorYieldResult<readonly Buffer[]>;
  expect(open.begun).toBe(3);
  const buffers: Buffer[] = [Buffer.concat(first)];
  buffers.push(...(await collect(chunks)).buffers);
  expect(differing(buffers, expected)).toEqual([]);
});

test('a truncated segment and a missing one are errors', async () => {
  const short = await storedFiles(10_000, 10_000);
  await writeFile(join(folder, short.copies[1]?.key ?? ''), 'x');
  await expect(collect(copyMedia(short.storage, short.copies, signal))).rejects.toThrow('cut off');
  const deletedFile = await storedFiles(10_000, 20_000);
  await rm(join(folder, deletedFile.copies[1]?.key ?? ''));
  await expect(collect(copyMedia(deletedFile.storage, deletedFile.copies, signal))).rejects.toThrow('ENOENT');
});

test('an abort ends the copy immediately', async () => {
  const { storage, copies, open } = await storedFiles(...Array.from({ length: 20 }, () => 10_000));
  const ending = new AbortController();
  const chunks = copyMedia(storage, copies, ending.signal);
  await chunks.next();
  ending.abort(new Error('enough'));
  await expect(chunks.next()).rejects.toThrow('enough');
  expect(open.begun).toBeLessThan(10);
});
