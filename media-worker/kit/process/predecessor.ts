import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Logger } from '@/lib/infra/logger';
import { saveProcessUrl } from '@/lib/infra/process-urls';
import { writeSmallFile } from '@/lib/infra/write-small-file';

export interface ProcessRecord {
  readonly dataDir: string;
  /** Name of the process by role and slot. */
  readonly name: string;
  readonly nodeId: string;
  /** Internal URL of this process. */
  readonly url: string;
}

/**
 * Stores the node id and URL of this process for its name and DATA_DIR, which one process uses at a time. The previous
 * process is not contacted: it has ended, and the caller releases its streams. A write error does not prevent the start:
 * the next process then cannot release the streams of this process, which become idle when the node counts as dead.
 * @returns the node id of the previous process; null if there was none
 */
export async function saveProcessRecord(
  { dataDir, name, nodeId, url }: ProcessRecord,
  log: Pick<Logger, 'warn'>,
): Promise<string | null> {
  const folder = join(dataDir, 'nodes');
  const file = join(folder, name);
  const previousId = z.uuid().safeParse((await readFile(file, 'utf8').catch(() => '')).trim());
  try {
    await mkdir(folder, { recursive: true });
    await writeSmallFile(file, `${nodeId}\n`);
    await saveProcessUrl(dataDir, name, url);
  } catch (error) {
    log.warn({ err: error }, 'node ID not saved; the next process cannot release its streams');
  }
  return previousId.success ? previousId.data : null;
}
