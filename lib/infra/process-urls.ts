import { randomUUID } from 'node:crypto';
import { link, mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { processNames } from '@/lib/core/nodes/process-slots';
import type { Settings } from './env';

/**
 * File with the URL of a process of this DATA_DIR. It is used while the database, which has the URLs of all nodes, is
 * unavailable.
 */
const fileOf = (dataDir: string, name: string) => join(dataDir, 'nodes', `${name}-address`);

/** All files have the same length, so that they can be overwritten on a full disk. */
const FILE_LENGTH = 512;

/** Stores the URL of the process with this name. */
export async function saveProcessUrl(dataDir: string, name: string, url: string): Promise<void> {
  await mkdir(join(dataDir, 'nodes'), { recursive: true });
  await writeSmallFile(fileOf(dataDir, name), `${url}\n`.padEnd(FILE_LENGTH));
}

/** Last stored URL of a process; null if unknown. */
export async function readProcessUrl(dataDir: string, name: string): Promise<string | null> {
  const text = await readFile(fileOf(dataDir, name), 'utf8').catch(() => '');
  const url = z.url({ protocol: /^https?$/ }).safeParse(text.trim());
  return url.success ? url.data : null;
}

/** Last stored URLs of the processes of a role, in the order of their slots; null if unknown. */
export function readProcessUrls(
  { dataDir, processes }: Pick<Settings, 'dataDir' | 'processes'>,
  role: 'live' | 'origin' | 'jobs',
): Promise<(string | null)[]> {
  const names = processNames(role, role === 'jobs' ? 1 : processes[role]);
  return Promise.all(names.map((name) => readProcessUrl(dataDir, name)));
}

/** Unique id of this DATA_DIR and its machine, created by the first process that uses it. */
export async function loadMachineId(dataDir: string): Promise<string> {
  const file = join(dataDir, 'nodes', 'machine-id');
  await mkdir(join(dataDir, 'nodes'), { recursive: true });
  const ownFile = `${file}.${process.pid}`;
  const readId = async () => z.uuid().safeParse((await readFile(file, 'utf8').catch(() => '')).trim()).data;
  const existingId = await readId();
  if (existingId) return existingId;
  await writeFile(ownFile, `${randomUUID()}\n`);
  // `link` is atomic, and succeeds in one process only.
  const failure = await link(ownFile, file).then(
    () => null,
    (error: unknown) => error,
  );
  await rm(ownFile, { force: true });
  const writtenId = await readId();
  if (!writtenId) throw new Error(`${file} contains no machine id`, { cause: failure });
  return writtenId;
}

/**
 * Writes a small file atomically by renaming, so that a crash leaves the old text or the new one. On a full disk, the file is
 * overwritten in place, so the new text must be as long as the old one.
 */
export async function writeSmallFile(file: string, text: string): Promise<void> {
  try {
    await writeFile(`${file}.new`, text);
    await rename(`${file}.new`, file);
  } catch (error) {
    // Overwriting works on a full disk, because the length stays the same.
    await overwrite(file, text).catch(() => {
      throw error;
    });
  }
}

async function overwrite(file: string, text: string): Promise<void> {
  const handle = await open(file, 'r+');
  try {
    await handle.write(text, 0);
  } finally {
    await handle.close();
  }
}
