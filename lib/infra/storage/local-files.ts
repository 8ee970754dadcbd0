import { lstat, mkdir, open, realpath, rename } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import type { StoredObject } from './storage-driver';

/** Of an error of the file system, such as `ENOENT`. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/**
 * The object at this key. A symbolic link, wherever on the way, leads to none: a file outside the storage is not ours
 * to give away (reliability F28).
 */
export async function statAt(objects: string, key: string): Promise<StoredObject | null> {
  const path = join(objects, key);
  try {
    const [found, real, root] = await Promise.all([lstat(path), realpath(path), realpath(objects)]);
    if (!found.isFile() || relative(root, real) !== key) return null;
    return {
      key,
      bytes: found.size,
      modifiedAt: found.mtime,
      etag: [found.ino, found.size, Math.round(found.mtimeMs * 1_000)]
        .map((part) => part.toString(36))
        .join('-'),
    };
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw error;
  }
}

/** Renames a complete file into place; afterwards it is there even when the power fails. */
export async function moveInto(part: string, path: string): Promise<void> {
  const folder = dirname(path);
  // Twice, because somebody may remove the folder between the two steps when its last object is deleted.
  for (let attempt = 1; ; attempt++) {
    await mkdir(folder, { recursive: true });
    try {
      await rename(part, path);
      break;
    } catch (error) {
      if (attempt === 2 || codeOf(error) !== 'ENOENT') throw error;
    }
  }
  await flush(folder);
}

/** Waits until a file, or the names in a folder, are on the disk. */
export async function flush(path: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
