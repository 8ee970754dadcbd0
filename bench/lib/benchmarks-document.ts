import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { format, type FormatConfig } from 'oxfmt';

const root = join(import.meta.dirname, '../..');
const path = join(root, 'docs/benchmarks.md');

/** Replaces the section between the markers of `name` in docs/benchmarks.md. */
export async function writeSection(name: string, section: string): Promise<void> {
  const document = await readFile(path, 'utf8');
  const startMarker = `<!-- bench:${name} -->`;
  const endMarker = `<!-- /bench:${name} -->`;
  const startIndex = document.indexOf(startMarker);
  const endIndex = document.indexOf(endMarker);
  if (startIndex < 0 || endIndex < startIndex)
    throw new Error(`docs/benchmarks.md has no ${startMarker} … ${endMarker}`);
  const text = `${document.slice(0, startIndex)}${startMarker}\n\n${section}\n\n${document.slice(endIndex)}`;
  const options = JSON.parse(await readFile(join(root, '.oxfmtrc.json'), 'utf8')) as FormatConfig;
  const { code, errors } = await format(path, text, options);
  if (errors[0]) throw new Error(errors[0].message);
  await writeFile(path, code);
}
