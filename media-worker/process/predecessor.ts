import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Logger } from '@/lib/infra/logger';
import { noteAddress, writeNote } from '@/lib/infra/node-address';

export interface Place {
  readonly dataDir: string;
  readonly role: string;
  readonly nodeId: string;
  /** Where this process listens. */
  readonly url: string;
}

/**
 * The id of the process that had this role in this DATA_DIR before, if it left one: what it published ended with it.
 * Remembers `nodeId` and its address in its place. One process a role and DATA_DIR, which the ports see to. A disk that takes no note
 * keeps no process from starting: then its successor does not know it, and its streams are idle when it has been
 * silent long enough.
 */
export async function replacePredecessor(
  { dataDir, role, nodeId, url }: Place,
  log: Pick<Logger, 'warn'>,
): Promise<string | null> {
  const folder = join(dataDir, 'nodes');
  const file = join(folder, role);
  const found = z.uuid().safeParse((await readFile(file, 'utf8').catch(() => '')).trim());
  try {
    await mkdir(folder, { recursive: true });
    await writeNote(file, `${nodeId}\n`);
    await noteAddress(dataDir, role, url);
  } catch (error) {
    log.warn({ err: error }, 'node ID not saved; the next process cannot release its streams');
  }
  return found.success ? found.data : null;
}
