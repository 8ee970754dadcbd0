import type { Stats } from 'node:fs';
import { lstat, mkdir, open, readdir, realpath, rename, rm, rmdir, stat } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import type { StoredObject } from './storage-driver';

/** Code of a file system error, such as `ENOENT`. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** Folder of the objects, as configured and as a real path. */
export interface ObjectsFolder {
  readonly path: string;
  readonly resolveRealPath: () => Promise<string>;
}

/**
 * The folder of a storage, which may not exist yet. Its real path is resolved once, because every object is compared with
 * it.
 */
export function createObjectsFolder(path: string): ObjectsFolder {
  let realPath: string | null = null;
  return { path, resolveRealPath: async () => (realPath ??= await realpath(path)) };
}

/**
 * The object at this key; null without one. A path through a symbolic link has no object, because files outside the storage
 * must not be served.
 */
export async function readObjectAt(objects: ObjectsFolder, key: string): Promise<StoredObject | null> {
  const path = join(objects.path, key);
  try {
    const [fileStat, isOwnPath] = await Promise.all([lstat(path), hasNoSymlink(objects, key)]);
    return fileStat.isFile() && isOwnPath ? storedObject(key, fileStat) : null;
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/**
 * The objects and folders in a folder, by name. Objects that are deleted during the iteration are left out.
 * @param prefix key prefix that ends with a slash
 */
export async function* readEntries(
  objects: ObjectsFolder,
  prefix: string,
): AsyncGenerator<StoredObject | { readonly folder: string }> {
  const path = join(objects.path, prefix);
  const entries = await readdir(path, { withFileTypes: true }).catch(emptyWhenMissing);
  if (entries.length === 0 || !(await hasNoSymlink(objects, prefix.slice(0, -1)))) return;
  for (const entry of entries) {
    if (entry.isDirectory()) yield { folder: entry.name };
    if (!entry.isFile()) continue;
    const fileStat = await lstat(join(path, entry.name)).catch(nullWhenMissing);
    if (fileStat?.isFile()) yield storedObject(`${prefix}${entry.name}`, fileStat);
  }
}

/** Whether the path of this key contains no symbolic link. */
async function hasNoSymlink(objects: ObjectsFolder, key: string): Promise<boolean> {
  const [real, root] = await Promise.all([realpath(join(objects.path, key)), objects.resolveRealPath()]);
  return relative(root, real) === key;
}

function storedObject(key: string, { ino, size, mtime, mtimeMs }: Stats): StoredObject {
  const etag = [ino, size, Math.round(mtimeMs * 1_000)].map((part) => part.toString(36)).join('-');
  return { key, bytes: size, modifiedAt: mtime, etag };
}

const isMissing = (error: unknown): boolean => ['ENOENT', 'ENOTDIR'].includes(codeOf(error) ?? '');

function nullWhenMissing(error: unknown): null {
  if (isMissing(error)) return null;
  throw error;
}

function emptyWhenMissing(error: unknown): [] {
  if (isMissing(error)) return [];
  throw error;
}

/** Renames a complete file into place. The rename is flushed, so that it survives a power failure. */
export async function moveInto(partPath: string, path: string): Promise<void> {
  const folder = dirname(path);
  // Two attempts, because the folder may be deleted after `mkdir` when its last object is deleted.
  for (let attempt = 1; ; attempt++) {
    await mkdir(folder, { recursive: true });
    try {
      await rename(partPath, path);
      break;
    } catch (error) {
      if (attempt === 2 || codeOf(error) !== 'ENOENT') throw error;
    }
  }
  await flush(folder);
}

/** Flushes a file, or the names in a folder, to the disk. */
export async function flush(path: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Deletes the folders of a deleted object that are empty now. */
export async function deleteEmptyParents({ path }: ObjectsFolder, key: string): Promise<void> {
  // The top folder (`asset`, for example) is kept, because other objects are about to use it.
  for (let folder = dirname(key); dirname(folder) !== '.'; folder = dirname(folder))
    if (!(await deleteIfEmpty(join(path, folder)))) return;
}

/** Deletes empty folders of assets, uploads and recordings without changes since `olderThan`. */
export async function deleteEmptyFolders({ path }: ObjectsFolder, olderThan: Date): Promise<void> {
  for (const kind of await readdir(path).catch(emptyWhenMissing)) {
    for (const name of await readdir(join(path, kind)).catch(emptyWhenMissing)) {
      const fileStat = await lstat(join(path, kind, name)).catch(nullWhenMissing);
      if (fileStat?.isDirectory() && fileStat.mtime < olderThan) await deleteIfEmpty(join(path, kind, name));
    }
  }
}

/**
 * Deletes a folder unless it has content.
 * @returns whether the folder no longer exists
 */
async function deleteIfEmpty(path: string): Promise<boolean> {
  try {
    await rmdir(path);
    return true;
  } catch (error) {
    return codeOf(error) === 'ENOENT';
  }
}

/**
 * Deletes files that dead processes left behind in a folder and its subfolders.
 * @param olderThan modification time; files in use are always newer
 * @param isKept whether a name is kept at any age, in every folder
 * @returns their number
 */
export async function deleteFilesOlderThan(
  folder: string,
  olderThan: Date,
  isKept: (name: string) => boolean = () => false,
): Promise<number> {
  let deletedCount = 0;
  for (const name of await readdir(folder).catch(() => [])) {
    if (isKept(name)) continue;
    const path = join(folder, name);
    const fileStat = await stat(path).catch(() => null);
    if (fileStat?.isDirectory()) {
      deletedCount += await deleteFilesOlderThan(path, olderThan, isKept);
      continue;
    }
    if (!fileStat || fileStat.mtime >= olderThan) continue;
    await rm(path, { force: true });
    deletedCount++;
  }
  return deletedCount;
}
