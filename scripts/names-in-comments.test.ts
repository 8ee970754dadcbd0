import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/** Names in backticks in comments must exist in the code. A rename changes the code, but not the text of comments. */

const root = join(import.meta.dirname, '..');
const folders = ['app', 'bench', 'components', 'e2e', 'lib', 'media-worker', 'messages/en', 'scripts', 'web'];
const paths = [...folders, 'prisma']
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path)),
  )
  .filter((path) => /\.(?:tsx?|mjs|prisma|sql)$/.test(path) && !path.startsWith(join('lib', 'generated')));

const comment = /\/\*[^]*?\*\/|(?<!['"`:\w/])\/\/.*/g;
/** Names that are certainly of code: in camel case, or in upper case with an underscore. */
const codeName = /\b(?:[a-z]+[A-Z]\w*|[A-Z][A-Z\d]*(?:_[A-Z\d]+)+)\b/g;
/** Names of code outside of this repository. */
const externalNames = ['exactOptionalPropertyTypes', 'setFfmpegPath'];

const namesIn = (text: string): string[] => text.match(codeName) ?? [];
const quotedNamesIn = (text: string): string[] =>
  (text.match(comment) ?? []).flatMap((part) => part.match(/`[^`]+`/g) ?? []).flatMap(namesIn);

test('names in comments exist', () => {
  const texts = paths.map((path) => [path, readFileSync(join(root, path), 'utf8')] as const);
  expect(texts.length).toBeGreaterThan(2_000);
  const existing = new Set(externalNames);
  for (const [, text] of texts) for (const name of namesIn(text.replaceAll(comment, ' '))) existing.add(name);
  const unknown = texts.flatMap(([path, text]) =>
    quotedNamesIn(text)
      .filter((name) => !existing.has(name))
      .map((name) => `${path}: ${name}`),
  );
  expect(unknown).toEqual([]);
});

test.each([
  ['/** At most `maxRows` rows. */', ['maxRows']],
  ['const a = 1; // Longer than `MAX_WAIT_MS`.', ['MAX_WAIT_MS']],
  ['/** The `moov` box, and any word. */', []],
  ["const url = 'https://example.org/`someName`';", []],
])('names in the comment of %s are found', (text, names) => expect(quotedNamesIn(text)).toEqual(names));
