import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';

const path = join(import.meta.dirname, '../../docs/benchmarks.md');

/** Replaces what stands between the markers of `name`; everything else in the document is written by people. */
export async function writeSection(name: string, section: string): Promise<void> {
  const document = await readFile(path, 'utf8');
  const start = `<!-- bench:${name} -->`;
  const end = `<!-- /bench:${name} -->`;
  const from = document.indexOf(start);
  const to = document.indexOf(end);
  if (from < 0 || to < from) throw new Error(`docs/benchmarks.md has no ${start} … ${end}`);
  const text = `${document.slice(0, from)}${start}\n\n${section}\n\n${document.slice(to)}`;
  await writeFile(path, await format(text, { ...(await resolveConfig(path)), filepath: path }));
}
