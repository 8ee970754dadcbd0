import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { processNames } from '@/lib/core/nodes/process-slots';
import type { Settings } from './env';
import { writeSmallFile } from './write-small-file';

/**
 * File with the URL of a process of this DATA_DIR. It is used while the database, which has the URLs of all nodes, is
 * unavailable.
 */
const filePathOf = (dataDir: string, name: string) => join(dataDir, 'nodes', `${name}-address`);

/** All files have the same length, so that they can be overwritten on a full disk. */
const FILE_BYTES = 512;

/** Stores the URL of the process with this name. */
export async function saveProcessUrl(dataDir: string, name: string, url: string): Promise<void> {
  await mkdir(join(dataDir, 'nodes'), { recursive: true });
  await writeSmallFile(filePathOf(dataDir, name), `${url}\n`.padEnd(FILE_BYTES));
}

/** Last stored URL of a process; null if unknown. */
export async function readProcessUrl(dataDir: string, name: string): Promise<string | null> {
  const text = await readFile(filePathOf(dataDir, name), 'utf8').catch(() => '');
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
