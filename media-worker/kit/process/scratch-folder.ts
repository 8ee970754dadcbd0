import { mkdtempSync, rmSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';

const prefix = 'headwater-';
/** The folder of this process; null before the first call. */
let folder: string | null = null;

/**
 * Returns the private folder (mode 0700) for temporary files of this process, for example sockets and files with
 * secrets. Its path is short enough for a Unix socket. The folder is created at the first call and removed when
 * the process exits.
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
 * Removes the scratch folder of a killed predecessor with this name and DATA_DIR, and stores the path of the new
 * folder. Similar folders are not removed, because other processes may use them.
 */
export async function replaceScratchFolder(dataDir: string, name: string): Promise<void> {
  const recordFolder = join(dataDir, 'nodes');
  const recordFile = join(recordFolder, `${name}-scratch`);
  await mkdir(recordFolder, { recursive: true });
  const previousFolder = (await readFile(recordFile, 'utf8').catch(() => '')).trim();
  const ownFolder = scratchFolder();
  // The old path stays stored until its folder is removed, so a crash in between leaves only the new, empty folder.
  if (previousFolder !== ownFolder && isScratchFolder(previousFolder))
    await rm(previousFolder, { recursive: true, force: true });
  await writeFile(`${recordFile}.new`, `${ownFolder}\n`);
  await rename(`${recordFile}.new`, recordFile);
}

/** Whether a path is a scratch folder, so that no other path is ever removed. */
function isScratchFolder(path: string): boolean {
  return dirname(path) === tmpdir() && /^headwater-\w{6}$/.test(basename(path));
}
