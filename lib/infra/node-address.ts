import { mkdir, open, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

/**
 * Where the processes of this DATA_DIR reach each other, in files below DATA_DIR/nodes: for the moments in which the
 * database, which has the addresses of all nodes, does not answer.
 */
const fileOf = (dataDir: string, role: string) => join(dataDir, 'nodes', `${role}-address`);

/** On a full disk a note is written over one of the same length. */
const length = 64;

/** Remembers where the process with this role listens. */
export async function noteAddress(dataDir: string, role: string, url: string): Promise<void> {
  await mkdir(join(dataDir, 'nodes'), { recursive: true });
  await writeNote(fileOf(dataDir, role), `${url}\n`.padEnd(length));
}

/** Where the process with this role listened when it started; null if unknown. */
export async function notedAddress(dataDir: string, role: string): Promise<string | null> {
  const text = await readFile(fileOf(dataDir, role), 'utf8').catch(() => '');
  const url = z.url({ protocol: /^http$/ }).safeParse(text.trim());
  return url.success ? url.data : null;
}

/** Renamed into place: a crash leaves the old text or the new one, never half of one. */
export async function writeNote(file: string, text: string): Promise<void> {
  try {
    await writeFile(`${file}.new`, text);
    await rename(`${file}.new`, file);
  } catch (error) {
    // A full disk still takes as many bytes as the file has.
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
