import { mkdir, open, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Logger } from '@/lib/infra/logger';

export interface Place {
  readonly dataDir: string;
  readonly role: string;
  readonly nodeId: string;
}

/**
 * The id of the process that had this role in this DATA_DIR before, if it left one: what it published ended with it.
 * Remembers `nodeId` in its place. One process a role and DATA_DIR, which the ports see to. A disk that takes no note
 * keeps no process from starting: then its successor does not know it, and its streams are idle when it has been
 * silent long enough.
 */
export async function replacePredecessor(
  { dataDir, role, nodeId }: Place,
  log: Pick<Logger, 'warn'>,
): Promise<string | null> {
  const folder = join(dataDir, 'nodes');
  const file = join(folder, role);
  const found = z.uuid().safeParse((await readFile(file, 'utf8').catch(() => '')).trim());
  try {
    await mkdir(folder, { recursive: true });
    await note(file, `${nodeId}\n`);
  } catch (error) {
    log.warn({ err: error }, 'the next process in this place will not know of this one');
  }
  return found.success ? found.data : null;
}

/** Renamed into place: a crash leaves the old id or the new one, never half of one. */
async function note(file: string, text: string): Promise<void> {
  try {
    await writeFile(`${file}.new`, text);
    await rename(`${file}.new`, file);
  } catch (error) {
    // A full disk still takes as many bytes as the file has; half of an id would be nobody's.
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
