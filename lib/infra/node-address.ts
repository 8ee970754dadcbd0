import { mkdir, open, readFile, rename, writeFile } from 'node:fs/promises';
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
