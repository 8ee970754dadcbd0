import { link, mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf, entriesOf, flush, type ObjectsFolder } from './local-files';
import type { CopyManyOptions } from './storage-driver';

/** Links made at the same time: each is a short wait for the file system. */
const together = 16;

/** Copies one object whatever is in its way. */
type CopyOne = (from: string, to: string) => Promise<unknown>;

/**
 * Links every object below one prefix to another prefix. One by one, each of them would be flushed with
 * its folder: an hour of segments in four renditions is 7,200. Their bytes are on the disk already, so their names
 * are flushed once, when all of a folder are there.
 * @returns how many
 */
export async function linkFolder(
  objects: ObjectsFolder,
  { from, to }: { readonly from: string; readonly to: string },
  { wanted = () => true, signal }: CopyManyOptions,
  copyOne: CopyOne,
): Promise<number> {
  let count = 0;
  const linking = new Set<Promise<void>>();
  const failures: unknown[] = [];
  await mkdir(join(objects.path, to), { recursive: true });
  for await (const entry of entriesOf(objects, from)) {
    signal?.throwIfAborted();
    if (failures.length > 0) break;
    if ('folder' in entry) {
      const inside = { from: `${from}${entry.folder}/`, to: `${to}${entry.folder}/` };
      count += await linkFolder(objects, inside, { wanted, ...(signal ? { signal } : {}) }, copyOne);
      continue;
    }
    const name = entry.key.slice(from.length);
    if (!wanted(name)) continue;
    count += 1;
    const one = linkOne(objects, entry.key, `${to}${name}`, copyOne)
      .catch((error: unknown) => void failures.push(error))
      .finally(() => void linking.delete(one));
    linking.add(one);
    if (linking.size >= together) await Promise.race(linking);
  }
  await Promise.all(linking);
  if (failures.length > 0) throw failures[0];
  await flush(join(objects.path, to));
  return count;
}

async function linkOne(objects: ObjectsFolder, from: string, to: string, copyOne: CopyOne): Promise<void> {
  const [source, target] = [join(objects.path, from), join(objects.path, to)];
  try {
    await link(source, target);
  } catch (error) {
    // Linked by an earlier try; anything else in the way, or a file system without links, takes the longer road.
    const isSame = codeOf(error) === 'EEXIST' && (await inodeOf(source)) === (await inodeOf(target));
    if (!isSame) await copyOne(from, to);
  }
}

const inodeOf = async (path: string): Promise<number | null> =>
  (await stat(path).catch(() => null))?.ino ?? null;
