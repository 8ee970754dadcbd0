import { readFile, rename, writeFile } from 'node:fs/promises';

/**
 * Reads a file that only the user of the service may read, such as a secret. Creates it on first use, and if it is empty or
 * cannot be read.
 * @param create returns the content of a new file
 * @returns the content without surrounding white space
 */
export async function readOrCreate(file: string, create: () => string): Promise<string> {
  const savedText = await readFile(file, 'utf8').catch(() => '');
  if (savedText.trim()) return savedText.trim();
  const content = create();
  // Rename it into place, so that a killed process leaves no incomplete file.
  await writeFile(`${file}.new`, content, { mode: 0o600 });
  await rename(`${file}.new`, file);
  return content;
}
