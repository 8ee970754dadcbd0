import { mkdtempSync, rmSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';

const prefix = 'headwater-';
let folder: string | null = null;

/**
 * A private folder (mode 0700) for temporary files of this process, such as sockets and secret options. Its path
 * is short enough for a Unix socket. The folder is removed with the process.
 */
export function scratchFolder(): string {
  if (folder === null) {
    const newFolder = mkdtempSync(join(tmpdir(), prefix));
    process.once('exit', () => rmSync(newFolder, { recursive: true, force: true }));
    folder = newFolder;
  }
  return folder;
}

/**
 * Removes the folder of a killed predecessor with this name and DATA_DIR, and stores the name of the new one. Only
 * the stored folder is removed, because similar ones may be in use.
 */
export async function replaceScratchFolder(dataDir: string, name: string): Promise<void> {
  const notes = join(dataDir, 'nodes');
  const note = join(notes, `${name}-scratch`);
  await mkdir(notes, { recursive: true });
  const previousFolder = (await readFile(note, 'utf8').catch(() => '')).trim();
  const ownFolder = scratchFolder();
  // The old name stays stored until its folder is removed: a crash in between leaves only an empty folder.
  if (previousFolder !== ownFolder && isScratchFolder(previousFolder))
    await rm(previousFolder, { recursive: true, force: true });
  await writeFile(`${note}.new`, `${ownFolder}\n`);
  await rename(`${note}.new`, note);
}

/** Whether a path is a scratch folder, so that no other path is ever removed. */
function isScratchFolder(path: string): boolean {
  return dirname(path) === tmpdir() && /^headwater-\w{6}$/.test(basename(path));
}
