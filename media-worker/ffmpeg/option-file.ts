import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { scratchFolder } from '../scratch-folder';

/**
 * Options for `-fpre`, one `name=value` a line, in a file that only this user can read: the command line of ffmpeg can be
 * read by every user of the machine. Hand it to `removeOptionFile` as soon as ffmpeg has read it.
 */
export async function writeOptionFile(lines: string): Promise<string> {
  const folder = await mkdtemp(join(scratchFolder(), 'options-'));
  const file = join(folder, 'options');
  await writeFile(file, lines, { mode: 0o600 });
  return file;
}

/** May be called twice. */
export async function removeOptionFile(file: string): Promise<void> {
  await rm(dirname(file), { recursive: true, force: true });
}
