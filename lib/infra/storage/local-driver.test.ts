import { mkdir, mkdtemp, readdir, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, describe, expect, test } from 'vitest';
import { readDiskBytes } from './disk-space';
import { deleteUnfinished } from './index';
import { deleteFilesOlderThan } from './local-files';
import { openLocalStorage } from './local-driver';
import { describeStorageConformance } from './testing/conformance';

const root = await mkdtemp(join(tmpdir(), 'local-storage-'));
afterAll(() => rm(root, { recursive: true, force: true }));
const storage = openLocalStorage(root);

describeStorageConformance('local disk', () => Promise.resolve(storage));

describe('on local disk', () => {
  test('a write leaves no part, whether it succeeds or fails', async () => {
    await storage.put('asset/parts/a', Buffer.from('x'));
    await storage.copy('asset/parts/a', 'asset/parts/b');
    await storage.copy('asset/parts/a', 'asset/parts/b');
    const brokenBody = new Readable({ read: () => brokenBody.destroy(new Error('connection lost')) });
    await expect(storage.put('asset/parts/c', brokenBody)).rejects.toThrow('connection lost');
    expect(await readdir(join(root, 'parts'))).toEqual([]);
  });

  test('a symbolic link to a file or folder is not followed', async () => {
    const outsideFolder = join(root, 'outside');
    await mkdir(outsideFolder);
    await writeFile(join(outsideFolder, 'secret'), 'not ours');
    await mkdir(join(root, 'objects', 'asset', 'links'), { recursive: true });
    await symlink(join(outsideFolder, 'secret'), join(root, 'objects', 'asset', 'links', 'file'));
    await symlink(outsideFolder, join(root, 'objects', 'asset', 'links', 'folder'));
    for (const key of ['asset/links/file', 'asset/links/folder/secret']) {
      expect(await storage.head(key)).toBeNull();
      expect(await storage.read(key)).toBeNull();
      await expect(storage.withFile(key, () => Promise.resolve())).rejects.toThrow('nothing is stored');
    }
    for await (const object of storage.list('asset/links/')) expect.unreachable(object.key);
  });

  test('a full disk is distinguished from other errors', async () => {
    const fullDiskError = Object.assign(new Error('no space'), { code: 'ENOSPC' });
    const body = new Readable({ read: () => body.destroy(fullDiskError) });
    await expect(storage.put('asset/full/a', body)).rejects.toMatchObject({
      name: 'StorageError',
      kind: 'full',
    });
  });

  test('old parts of every process are deleted', async () => {
    const parts = join(root, 'parts', 'live');
    await mkdir(parts, { recursive: true });
    await Promise.all(['old', 'new'].map((name) => writeFile(join(parts, name), 'x')));
    await utimes(join(parts, 'old'), new Date(0), new Date(0));
    expect(await storage.deleteAbandonedFiles(new Date(Date.now() - 60_000))).toBe(1);
    expect(await readdir(parts)).toEqual(['new']);
  });

  test('an aborted copy of a folder rejects only after its running copies have ended', async () => {
    const separateStorage = openLocalStorage(join(root, 'own'));
    const names = Array.from({ length: 12 }, (_, n) => `${n}.m4s`);
    // Existing targets are copied instead of linked, which takes longer.
    for (const folder of ['from', 'to'])
      for (const name of names) await separateStorage.put(`asset/${folder}/${name}`, Buffer.from(folder));
    const abort = new AbortController();
    let seenCount = 0;
    const includes = () => {
      if (++seenCount === 8) abort.abort();
      return true;
    };
    const copying = separateStorage.copyPrefix('asset/from/', 'asset/to/', {
      includes,
      signal: abort.signal,
    });
    await expect(copying).rejects.toThrow('aborted');
    expect(await readdir(join(root, 'own', 'parts'))).toEqual([]);
  });

  test('old files are deleted in subfolders too, except those to keep', async () => {
    const folder = join(root, 'leftovers');
    await mkdir(join(folder, 'deep'), { recursive: true });
    for (const name of ['kept', 'old', 'deep/kept', 'deep/old']) {
      await writeFile(join(folder, name), 'x');
      await utimes(join(folder, name), new Date(0), new Date(0));
    }
    expect(await deleteFilesOlderThan(folder, new Date(), (name) => name === 'kept')).toBe(2);
    expect((await readdir(folder, { recursive: true })).sort()).toEqual(['deep', 'deep/kept', 'kept']);
  });

  test('empty folders are deleted with their last object; one left by a crash is deleted when it is old', async () => {
    for (const file of ['a', 'deep/b']) await storage.put(`directUpload/x/${file}`, Buffer.from('x'));
    await storage.delete('directUpload/x/deep/b');
    expect(await readdir(join(root, 'objects', 'directUpload', 'x'))).toEqual(['a']);
    await storage.delete('directUpload/x/a');
    expect(await readdir(join(root, 'objects', 'directUpload'))).toEqual([]);
    const leftoverFolder = join(root, 'objects', 'directUpload', 'left');
    await mkdir(leftoverFolder);
    await storage.deleteAbandonedFiles(new Date(Date.now() - 60_000));
    expect(await readdir(join(root, 'objects', 'directUpload'))).toEqual(['left']);
    await storage.deleteAbandonedFiles(new Date(Date.now() + 60_000));
    expect(await readdir(join(root, 'objects', 'directUpload'))).toEqual([]);
  });

  test('unfinished files of a killed process are deleted when the next one starts', async () => {
    const dataDir = join(root, 'data');
    for (const folder of ['parts/live', 'parts/jobs', 'copies/live']) {
      await mkdir(join(dataDir, 'storage', folder), { recursive: true });
      await writeFile(join(dataDir, 'storage', folder, 'left'), 'x');
    }
    await deleteUnfinished({ dataDir }, 'live');
    expect(await readdir(join(dataDir, 'storage', 'parts'))).toEqual(['jobs']);
    expect(await readdir(join(dataDir, 'storage', 'copies'))).toEqual([]);
  });
});

test('the room of a new folder is the free space of its disk minus the reserve', async () => {
  const path = join(root, 'not', 'there', 'yet');
  const usableBytes = await openLocalStorage(path).room();
  const { freeBytes, sizeBytes } = await readDiskBytes(path);
  const reserve = Math.min(2 * 1024 ** 3, sizeBytes * 0.05);
  // Other processes write to the disk, too.
  expect(Math.abs(freeBytes - usableBytes - reserve)).toBeLessThan(reserve / 2);
});
