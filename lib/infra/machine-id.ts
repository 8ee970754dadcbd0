import { randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

/** Unique id of this DATA_DIR and its machine, created by the first process that uses it. */
export async function loadMachineId(dataDir: string): Promise<string> {
  const file = join(dataDir, 'nodes', 'machine-id');
  await mkdir(join(dataDir, 'nodes'), { recursive: true });
  const temporaryFile = `${file}.${process.pid}`;
  const readId = async () => z.uuid().safeParse((await readFile(file, 'utf8').catch(() => '')).trim()).data;
  const existingId = await readId();
  if (existingId) return existingId;
  await writeFile(temporaryFile, `${randomUUID()}\n`);
  // `link` is atomic, and succeeds in one process only.
  const failure = await link(temporaryFile, file).then(
    () => null,
    (error: unknown) => error,
  );
  await rm(temporaryFile, { force: true });
  const writtenId = await readId();
  if (!writtenId) throw new Error(`${file} contains no machine id`, { cause: failure });
  return writtenId;
}
