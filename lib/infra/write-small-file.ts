import { open, rename, writeFile } from 'node:fs/promises';

/**
 * Writes a small file atomically by renaming, so that a crash leaves the old text or the new one. On a full disk, the file is
 * overwritten in place, so the new text must be as long as the old one.
 */
export async function writeSmallFile(path: string, text: string): Promise<void> {
  try {
    await writeFile(`${path}.new`, text);
    await rename(`${path}.new`, path);
  } catch (error) {
    // Overwriting works on a full disk, because the length stays the same.
    await overwrite(path, text).catch(() => {
      throw error;
    });
  }
}

async function overwrite(path: string, text: string): Promise<void> {
  const handle = await open(path, 'r+');
  try {
    await handle.write(text, 0);
  } finally {
    await handle.close();
  }
}
