import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { freeDiskSpace } from '../storage/disk-space';
import { SliceCache } from './slice-cache';

/** Default size: share of the free space at the start of the process. */
const defaultShare = 0.1;
/** Maximum default size. */
const maxDefaultBytes = 10 * 1024 ** 3;
/** Interval between two checks of the free disk space. */
const roomMs = 1_000;

/**
 * Opens a disk cache below DATA_DIR/cache, in an empty folder of this process, and deletes the folders of processes that
 * have ended.
 * @param bytes maximum size; undefined for a share of the free space, 0 for no cache
 */
export async function openDiskCache(dataDir: string, bytes: number | undefined): Promise<SliceCache | null> {
  const folders = join(dataDir, 'cache');
  await mkdir(folders, { recursive: true, mode: 0o700 });
  for (const name of await readdir(folders)) {
    if (isAbandonedFolder(name)) await rm(join(folders, name), { recursive: true, force: true });
  }
  const maxBytes =
    bytes ?? Math.min(maxDefaultBytes, Math.floor(defaultShare * (await freeDiskSpace(dataDir))));
  if (maxBytes <= 0) return null;
  const folder = join(folders, String(process.pid));
  await mkdir(folder, { mode: 0o700 });
  return new SliceCache({ folder, maxBytes, room: cachedCount(() => freeDiskSpace(folder)) });
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
    process.kill(pid, 0);
    return false;
  } catch (error) {
    // EPERM: the process exists and belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

function cachedCount(readCount: () => Promise<number>): () => Promise<number> {
  let room = Promise.resolve(0);
  let at = -Infinity;
  return () => {
    const now = performance.now();
    if (now - at > roomMs) [room, at] = [readCount(), now];
    return room;
  };
}
