import { mkdir, statfs } from 'node:fs/promises';
import { Transform } from 'node:stream';
import { StorageError } from './storage-driver';

/**
 * Maximum reserve of disk space that uploads, imports and recordings do not use, because the database is on the same disk.
 */
const MAX_RESERVED_BYTES = 2 * 1024 ** 3;
const RESERVED_FRACTION = 0.05;

/** Free bytes below `path`, minus a reserve of 5 % of the disk (2 GiB at most). Negative if the reserve is in use. */
export async function freeDiskSpace(path: string): Promise<number> {
  await mkdir(path, { recursive: true });
  const { bavail, blocks, bsize } = await statfs(path);
  return bavail * bsize - Math.min(MAX_RESERVED_BYTES, blocks * bsize * RESERVED_FRACTION);
}

/** Total and free bytes of the disk of `path`, as `df` shows them. */
export async function readDiskBytes(
  path: string,
): Promise<{ readonly freeBytes: number; readonly sizeBytes: number }> {
  const { bavail, blocks, bsize } = await statfs(path);
  return { freeBytes: bavail * bsize, sizeBytes: blocks * bsize };
}

const CHECK_EVERY_BYTES = 1024 ** 2;

/**
 * A stream that fails with the StorageError `full` when the free space reaches the reserve. It checks about every megabyte,
 * because the sender may send more than it declared.
 */
export function createDiskSpaceLimit(path: string): Transform {
  let bytesSinceCheck = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, callback) {
      bytesSinceCheck += chunk.length;
      if (bytesSinceCheck < CHECK_EVERY_BYTES) {
        callback(null, chunk);
        return;
      }
      bytesSinceCheck = 0;
      freeDiskSpace(path).then(
        (freeBytes) =>
          freeBytes > 0 ? callback(null, chunk) : callback(new StorageError('full', 'the received bytes')),
        (error: unknown) => callback(error instanceof Error ? error : new Error(String(error))),
      );
    },
  });
}

/** Whether an error of the file system or of a storage driver means that there is no room. */
export function isFull(error: unknown): boolean {
  if (error instanceof StorageError) return error.kind === 'full';
  return error instanceof Error && 'code' in error && ['ENOSPC', 'EDQUOT'].includes(String(error.code));
}
