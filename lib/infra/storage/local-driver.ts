import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, copyFile, link, mkdir, open, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { isFull, freeDiskSpace } from './disk-space';
import {
  type ObjectsFolder,
  codeOf,
  readEntries,
  flush,
  moveInto,
  createObjectsFolder,
  deleteEmptyParents,
  deleteEmptyFolders,
  deleteFilesOlderThan,
  readObjectAt,
} from './local-files';
import {
  type CopyManyOptions,
  type StorageDriver,
  StorageError,
  type StoredObject,
  type StoredRange,
  checkKey,
  checkPrefix,
} from './storage-driver';
import { writeDurably } from './write-durably';

/** Number of files that are linked concurrently. */
const CONCURRENCY = 16;

/** Copies one object and replaces an existing one. */
type CopyOne = (from: string, to: string) => Promise<unknown>;

/**
 * Links every object below one prefix to another prefix, or copies it if it can't be linked. The names are flushed once per
 * folder, because flushing per object would be slow: an hour of segments in four renditions is 7,200 objects.
 * @returns the number of objects
 */
async function linkFolder(
  objects: ObjectsFolder,
  { from, to }: { readonly from: string; readonly to: string },
  { includes = () => true, signal }: CopyManyOptions,
  copyOne: CopyOne,
): Promise<number> {
  let count = 0;
  const pendingLinks = new Set<Promise<void>>();
  const failures: unknown[] = [];
  await mkdir(join(objects.path, to), { recursive: true });
  try {
    for await (const entry of readEntries(objects, from)) {
      signal?.throwIfAborted();
      if (failures.length > 0) break;
      if ('folder' in entry) {
        const subfolder = { from: `${from}${entry.folder}/`, to: `${to}${entry.folder}/` };
        count += await linkFolder(objects, subfolder, { includes, ...(signal ? { signal } : {}) }, copyOne);
        continue;
      }
      const name = entry.key.slice(from.length);
      if (!includes(name)) continue;
      count += 1;
      const linkResult = linkOne(objects, entry.key, `${to}${name}`, copyOne)
        .catch((error: unknown) => void failures.push(error))
        .finally(() => void pendingLinks.delete(linkResult));
      pendingLinks.add(linkResult);
      if (pendingLinks.size >= CONCURRENCY) await Promise.race(pendingLinks);
    }
  } finally {
    // Links are awaited even after an error, so that none is added while a caller tries again.
    await Promise.all(pendingLinks);
  }
  if (failures.length > 0) throw failures[0];
  await flush(join(objects.path, to));
  return count;
}

async function linkOne(objects: ObjectsFolder, from: string, to: string, copyOne: CopyOne): Promise<void> {
  const [source, target] = [join(objects.path, from), join(objects.path, to)];
  try {
    await link(source, target);
  } catch (error) {
    // The file was linked by an earlier attempt. Any other existing file, or a file system without links, needs a copy.
    const isSame = codeOf(error) === 'EEXIST' && (await readInode(source)) === (await readInode(target));
    if (!isSame) await copyOne(from, to);
  }
}

const readInode = async (path: string): Promise<number | null> =>
  (await stat(path).catch(() => null))?.ino ?? null;

/**
 * Stores objects as files below `<root>/objects`, named by their keys. A file is written below `parts` and moved into
 * place when it is complete and flushed, so a crash leaves only parts. Files are never changed in place.
 */
export function openLocalStorage(
  root: string,
  { parts = join(root, 'parts') }: { readonly parts?: string } = {},
): StorageDriver {
  const objects = createObjectsFolder(join(root, 'objects'));
  const pathOf = (key: string) => join(objects.path, checkKey(key));

  /** Creates a file at a temporary path with `createPart`, then moves it to the path of the key. */
  const writeObject = async (key: string, createPart: (path: string) => Promise<void>) => {
    const path = pathOf(key);
    await mkdir(parts, { recursive: true });
    const partPath = join(parts, randomUUID());
    try {
      await createPart(partPath);
      await moveInto(partPath, path);
    } catch (error) {
      if (isFull(error)) throw new StorageError('full', key);
      throw error;
    } finally {
      // The file still exists after an error, or if both paths were links to one file.
      await rm(partPath, { force: true });
    }
    return (await readObjectAt(objects, key)) ?? throwMissing(key);
  };

  const copy: StorageDriver['copy'] = async (from, to) => {
    if (!(await readObjectAt(objects, checkKey(from)))) throw new StorageError('missing', from);
    return writeObject(to, (part) => linkOrCopy(pathOf(from), part));
  };

  return {
    put: (key, body, { signal } = {}) => writeObject(key, (part) => writeDurably(part, body, signal)),
    async putFile(key, path, { keep = false } = {}) {
      const storedObject = await writeObject(key, (part) => linkOrCopy(path, part));
      if (!keep) await rm(path, { force: true });
      return storedObject;
    },
    head: (key) => readObjectAt(objects, checkKey(key)),
    async read(key, range) {
      if (!(await readObjectAt(objects, checkKey(key)))) return null;
      const file = await openToRead(pathOf(key));
      return file && createRangeStream(file, range);
    },
    async withFile(key, use) {
      if (!(await readObjectAt(objects, checkKey(key)))) throw new StorageError('missing', key);
      return use(pathOf(key));
    },
    delete: (key) => rm(pathOf(key), { force: true }).then(() => deleteEmptyParents(objects, key)),
    deletePrefix: (prefix) => rm(join(objects.path, checkPrefix(prefix)), { recursive: true, force: true }),
    list: (prefix) => walk(objects, checkPrefix(prefix)),
    copy,
    async copyPrefix(from, to, options = {}) {
      try {
        return await linkFolder(objects, { from: checkPrefix(from), to: checkPrefix(to) }, options, copy);
      } catch (error) {
        throw isFull(error) ? new StorageError('full', to) : error;
      }
    },
    room: () => freeDiskSpace(root),
    deleteAbandonedFiles: (olderThan) =>
      deleteEmptyFolders(objects, olderThan).then(() => deleteFilesOlderThan(join(root, 'parts'), olderThan)),
  };
}

/** Creates a hard link, or copies the file if the file system does not support links. */
async function linkOrCopy(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    if (!['EXDEV', 'EPERM', 'EMLINK', 'ENOTSUP'].includes(codeOf(error) ?? '')) throw error;
    await copyFile(from, to, constants.COPYFILE_FICLONE);
  }
  await flush(to);
}

async function openToRead(path: string): Promise<FileHandle | null> {
  try {
    return await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
}

function createRangeStream(file: FileHandle, range: StoredRange | undefined): Readable {
  return file.createReadStream({ ...range, highWaterMark: 256 * 1024 });
}

async function* walk(objects: ObjectsFolder, prefix: string): AsyncGenerator<StoredObject> {
  for await (const entry of readEntries(objects, prefix)) {
    if ('folder' in entry) yield* walk(objects, `${prefix}${entry.folder}/`);
    else yield entry;
  }
}

function throwMissing(key: string): never {
  throw new StorageError('missing', key);
}
