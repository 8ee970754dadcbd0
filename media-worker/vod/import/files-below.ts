import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** @returns the paths of all files in a folder and its subfolders, relative to it */
export async function listFilesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
}
