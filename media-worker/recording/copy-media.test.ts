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

/** Segment files of these sizes (bytes), a storage that counts reads, and copies of two slices of each with new bytes between. */
async function createStoredFiles(...sizes: number[]) {
  const files = new Map<string, Buffer>();
  for (const [index, size] of sizes.entries()) {
    const [key, data] = [`${files.size}-${index}-${size}`, randomBytes(size)];
    files.set(key, data);
    await writeFile(join(folder, key), data);
  }
  const reads = { running: 0, maxRunning: 0, started: 0 };
  const storage = {
    async withFile<T>(key: string, use: (path: string) => Promise<T>): Promise<T> {
      reads.started += 1;
      reads.maxRunning = Math.max(reads.maxRunning, ++reads.running);
      try {
        return await use(join(folder, key));
      } finally {
        reads.running -= 1;
      }
    },
  };
  const copies = [...files].map(([key, data]): SegmentCopy => {
    const middle = Math.floor(data.length / 2);
    const slices = [
      { offset: 3, length: middle - 3 },
      { data: Buffer.from(key) },
      { offset: middle + 1, length: 5 },
    ];
    return { key, bytes: data.length, slices };
  });
  const expectedBuffers = [...files].map(([key, data]) => {
    const middle = Math.floor(data.length / 2);
    return Buffer.concat([data.subarray(3, middle), Buffer.from(key), data.subarray(middle + 1, middle + 6)]);
  });
  return { storage, copies, expectedBuffers, reads };
}

async function collect(chunks: AsyncIterable<readonly Buffer[]>) {
  const [buffers, memoryBlocks]: [Buffer[], Set<ArrayBufferLike>] = [[], new Set()];
  for await (const pieces of chunks) {
    buffers.push(Buffer.concat(pieces));
    for (const { buffer, byteLength } of pieces) if (byteLength > 1_000) memoryBlocks.add(buffer);
  }
  return { buffers, memoryBlocks };
}

/** Indexes of the buffers that differ. */
function differingIndexes(buffers: readonly Buffer[], expectedBuffers: readonly Buffer[]): number[] {
  expect(buffers.length).toBe(expectedBuffers.length);
  return buffers.flatMap((data, index) =>
    data.equals(expectedBuffers[index] ?? Buffer.alloc(0)) ? [] : [index],
  );
}

test('the slices of each segment are copied in order, in reused memory', async () => {
  const { storage, copies, expectedBuffers, reads } = await createStoredFiles(
    ...Array.from({ length: 50 }, () => 40_000),
  );
  const { buffers, memoryBlocks } = await collect(copyMedia(storage, copies, signal));
  expect(differingIndexes(buffers, expectedBuffers)).toEqual([]);
  // Four segments are read ahead while one is in use.
  expect(memoryBlocks.size).toBeLessThanOrEqual(5);
  expect(reads.maxRunning).toBeLessThanOrEqual(4);
});

test('segments of any size are copied, and large ones are not read concurrently', async () => {
  const { storage, copies, expectedBuffers, reads } = await createStoredFiles(
    10_000,
    50_000,
    9 * MIB,
    9 * MIB,
    17 * MIB,
    20_000,
  );
  const chunks = copyMedia(storage, copies, signal);
  const { value: first } = (await chunks.next()) as IteratorYieldResult<readonly Buffer[]>;
  // The two small segments and the first of 9 MiB; a second one would exceed the limit of 16 MiB.
  expect(reads.started).toBe(3);
  const buffers: Buffer[] = [Buffer.concat(first)];
  buffers.push(...(await collect(chunks)).buffers);
  expect(differingIndexes(buffers, expectedBuffers)).toEqual([]);
});

test('a truncated or missing segment is an error', async () => {
  const truncatedFile = await createStoredFiles(10_000, 10_000);
  await writeFile(join(folder, truncatedFile.copies[1]?.key ?? ''), 'x');
  await expect(collect(copyMedia(truncatedFile.storage, truncatedFile.copies, signal))).rejects.toThrow(
    'cut off',
  );
  const deletedFile = await createStoredFiles(10_000, 20_000);
  await rm(join(folder, deletedFile.copies[1]?.key ?? ''));
  await expect(collect(copyMedia(deletedFile.storage, deletedFile.copies, signal))).rejects.toThrow('ENOENT');
});

test('an abort ends the copy immediately', async () => {
  const { storage, copies, reads } = await createStoredFiles(...Array.from({ length: 20 }, () => 10_000));
  const controller = new AbortController();
  const chunks = copyMedia(storage, copies, controller.signal);
  await chunks.next();
  controller.abort(new Error('enough'));
  await expect(chunks.next()).rejects.toThrow('enough');
  expect(reads.started).toBeLessThan(10);
});
