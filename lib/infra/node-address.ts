import { randomUUID } from 'node:crypto';
import { link, mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

/**
 * Addresses of the processes of this DATA_DIR, in files below DATA_DIR/nodes. Used while the database, which has the
 * addresses of all nodes, is unavailable.
 */
const fileOf = (dataDir: string, role: string) => join(dataDir, 'nodes', `${role}-address`);

/** All files have the same length, so that they can be overwritten on a full disk. */
const length = 64;

/** Remembers where the process with this role listens. */
export async function saveAddress(dataDir: string, role: string, url: string): Promise<void> {
  await mkdir(join(dataDir, 'nodes'), { recursive: true });
  await writeSmallFile(fileOf(dataDir, role), `${url}\n`.padEnd(length));
}

/** Where the process with this role listened when it started; null if unknown. */
export async function readAddress(dataDir: string, role: string): Promise<string | null> {
  const text = await readFile(fileOf(dataDir, role), 'utf8').catch(() => '');
  const url = z.url({ protocol: /^http$/ }).safeParse(text.trim());
  return url.success ? url.data : null;
}

/** What tells this DATA_DIR from those of other machines; made on first use, by whichever process is first. */
export async function keptMachineId(dataDir: string): Promise<string> {
  const file = join(dataDir, 'nodes', 'machine-id');
  await mkdir(join(dataDir, 'nodes'), { recursive: true });
  const own = `${file}.${process.pid}`;
  const read = async () => z.uuid().safeParse((await readFile(file, 'utf8').catch(() => '')).trim()).data;
  const known = await read();
  if (known) return known;
  await writeFile(own, `${randomUUID()}\n`);
  // A link is made whole or not at all, and by one process.
  const failure = await link(own, file).then(
    () => null,
    (error: unknown) => error,
  );
  await rm(own, { force: true });
  const made = await read();
  if (!made) throw new Error(`${file} holds no machine ID`, { cause: failure });
  return made;
}

/** Writes atomically by renaming, so a crash leaves the old text or the new one. */
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
