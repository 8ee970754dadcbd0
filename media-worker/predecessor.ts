import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

/**
 * The id of the process that had this role in this DATA_DIR before, if it left one: what it published ended with it.
 * Remembers `nodeId` in its place. One process a role and DATA_DIR, which the ports see to.
 */
export async function replacePredecessor(
  dataDir: string,
  role: string,
  nodeId: string,
): Promise<string | null> {
  const folder = join(dataDir, 'nodes');
  const file = join(folder, role);
  await mkdir(folder, { recursive: true });
  const found = z.uuid().safeParse((await readFile(file, 'utf8').catch(() => '')).trim());
  // Renamed into place: a crash leaves the old id or the new one, never half of one.
  await writeFile(`${file}.new`, `${nodeId}\n`);
  await rename(`${file}.new`, file);
  return found.success ? found.data : null;
}
