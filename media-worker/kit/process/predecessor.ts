import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Logger } from '@/lib/infra/logger';
import { saveAddress, writeSmallFile } from '@/lib/infra/node-address';

export interface ProcessRecord {
  readonly dataDir: string;
  /** Name of the process by role and slot. */
  readonly name: string;
  readonly nodeId: string;
  /** Address of this process. */
  readonly url: string;
}

/**
 * Stores `nodeId` and its address for this name and DATA_DIR. Only one process uses a name and DATA_DIR at a time. A
 * write error does not prevent the start: the next process then cannot release this one's streams, which become idle
 * when the node counts as dead.
 * @returns the node id of the previous process, if there was one
 */
export async function replacePredecessor(
  { dataDir, name, nodeId, url }: ProcessRecord,
  log: Pick<Logger, 'warn'>,
): Promise<string | null> {
  const folder = join(dataDir, 'nodes');
  const file = join(folder, name);
  const previousId = z.uuid().safeParse((await readFile(file, 'utf8').catch(() => '')).trim());
  try {
    await mkdir(folder, { recursive: true });
    await writeSmallFile(file, `${nodeId}\n`);
    await saveAddress(dataDir, name, url);
  } catch (error) {
    log.warn({ err: error }, 'node ID not saved; the next process cannot release its streams');
  }
  return previousId.success ? previousId.data : null;
}
