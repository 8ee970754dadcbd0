import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { freeDiskSpace } from '../storage/disk-space';
import { SliceCache } from './slice-cache';

/** Default size of the cache, as a fraction of the free space when the process starts. */
const DEFAULT_FRACTION = 0.1;
/** Maximum default size. */
const MAX_DEFAULT_BYTES = 10 * 1024 ** 3;
/** Minimum interval between two checks of the free disk space. */
const SPACE_CHECK_INTERVAL_MS = 1_000;

/**
 * Opens a disk cache below DATA_DIR/cache, in an empty folder of this process, and deletes the folders of processes that
 * have ended.
 * @param bytes maximum size; undefined for a fraction of the free space, 0 for no cache
 * @returns null without a cache, also if the disk is full
 */
export async function openDiskCache(dataDir: string, bytes: number | undefined): Promise<SliceCache | null> {
  const cacheFolder = join(dataDir, 'cache');
  await mkdir(cacheFolder, { recursive: true, mode: 0o700 });
  for (const name of await readdir(cacheFolder)) {
    if (isAbandonedFolder(name)) await rm(join(cacheFolder, name), { recursive: true, force: true });
  }
  const maxBytes =
    bytes ?? Math.min(MAX_DEFAULT_BYTES, Math.floor(DEFAULT_FRACTION * (await freeDiskSpace(dataDir))));
  if (maxBytes <= 0) return null;
  const folder = join(cacheFolder, String(process.pid));
  await mkdir(folder, { mode: 0o700 });
  return new SliceCache({
    folder,
    maxBytes,
    readFreeBytes: createFreeBytesReader(() => freeDiskSpace(folder)),
  });
}

/**
 * Whether a folder belongs to a process that has ended. Folders are named by process id; a folder with the id of this
 * process is from an earlier one.
 */
function isAbandonedFolder(name: string): boolean {
  const pid = Number(name);
  if (!Number.isInteger(pid) || pid <= 0) return false;
  if (pid === process.pid) return true;
  try {
    // Signal 0 is not sent; it only checks whether the process exists.
    process.kill(pid, 0);
    return false;
  } catch (error) {
    // EPERM: the process exists and belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

/** A function that returns the free bytes, read at most once per interval. */
function createFreeBytesReader(readFreeBytes: () => Promise<number>): () => Promise<number> {
  let freeBytes = Promise.resolve(0);
  let readAt = -Infinity;
  return () => {
    const now = performance.now();
    if (now - readAt > SPACE_CHECK_INTERVAL_MS) [freeBytes, readAt] = [readFreeBytes(), now];
    return freeBytes;
  };
}
