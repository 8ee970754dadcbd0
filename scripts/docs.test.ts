import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const readDocument = (path: string) => readFileSync(join(root, path), 'utf8');

const listFiles = (...patterns: readonly string[]) =>
  execFileSync('git', ['ls-files', '-co', '--exclude-standard', ...patterns], { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter((path) => path !== '' && existsSync(join(root, path)));

const documents = listFiles('*.md');
const sources = listFiles('*.ts', '*.tsx', '*.mjs', '*.js', '*.prisma', '*.css');
const decisions = listFiles('docs/adr/*.md');

/** Whether a path names a folder, a file, or a module without its extension. */
const isKnownPath = (path: string) =>
  ['', '.ts', '.tsx'].some((ending) => existsSync(join(root, path + ending)));

/** Links to files, and inline code that starts with a folder of this repository, without patterns. */
function namedPaths(document: string): string[] {
  const text = readDocument(document).replaceAll(/```[^]*?```/g, '');
  const links = [...text.matchAll(/\]\((?!https?:|#|mailto:)([^)#]+)[^)]*\)/g)].map(([, target = '']) =>
    join(dirname(document), target),
  );
  const code = [
    ...text.matchAll(/`((?:app|bench|components|docs|e2e|lib|media-worker|prisma|scripts)\/[^`\s]+)`/g),
  ]
    .map(([, path = '']) => path)
    .filter((path) => !/[*<>{}…[]/.test(path));
  return [...links, ...code];
}

describe('documents', () => {
  test.each(documents)('%s names only files that exist', (document) => {
    expect(namedPaths(document).filter((path) => !isKnownPath(path))).toEqual([]);
  });
});

/** List items, table rows and paragraphs. */
const itemsOf = (text: string): string[] => text.split(/\n(?=\s*(?:\d+\. |- |\||\n))/);

/** Files that an item names twice, which happens after a rename that merged two files. */
const namedTwice = (item: string): string[] => {
  const paths = [...item.matchAll(/`((?:app|components|lib|media-worker|scripts|web)\/[^`\s]+\.\w+)`/g)].map(
    ([, path = '']) => path,
  );
  return paths.filter((path, index) => paths.indexOf(path) !== index);
};

test('a step that names a file twice is found', () => {
  expect(itemsOf('1. `lib/a.ts` reads,\n   `lib/a.ts` writes.\n2. `lib/a.ts`').map(namedTwice)).toEqual([
    ['lib/a.ts'],
    [],
  ]);
});

test('docs/benchmarks.md has the results of each bench', () => {
  const document = readDocument('docs/benchmarks.md');
  const [, list = ''] = /const benches[^{]*\{([^}]+)\}/.exec(readDocument('bench/run.ts')) ?? [];
  const names = [...list.matchAll(/^ {2}'?([a-zA-Z-]+)'?(?::|,)/gm)].map(([, name = '']) => name);
  expect(names).toContain('audience');
  const resultsOf = (name: string) =>
    document.split(`<!-- bench:${name} -->`)[1]?.split(`<!-- /bench:${name} -->`)[0]?.trim();
  expect(names.filter((name) => !resultsOf(name))).toEqual([]);
});

test('docs/architecture.md has at most 250 lines', () => {
  // The last line ends with a line break, after which `split` returns an empty text.
  expect(readDocument('docs/architecture.md').split('\n').length).toBeLessThanOrEqual(251);
});

test.each(documents)('%s names a file once in an item', (document) => {
  expect(itemsOf(readDocument(document).replaceAll(/```[^]*?```/g, '')).flatMap(namedTwice)).toEqual([]);
});

/** Names of the standards that comments cite. */
const standard = String.raw`(?:RFC \d+|rfc8216bis|ISO/IEC \d+(?:-\d+)?|(?:ITU-T )?H\.\d+|W3C [\w -]+|draft-[a-z]+-srt-\d+|RTMP 1\.0)`;
/** A section sign and a number. The sign is escaped, because this file must not contain it without a standard. */
const clause = String.raw`\u00a7[\d.]*\d`;
/** One or more clauses after the name of their standard. */
const citation = new RegExp(`${standard} ${clause}(?:(?:, | and )${clause})*`, 'gu');

const commentsOf = (text: string): string =>
  [...text.matchAll(/(?<=^|\s)(?:\/\/.*|\/\*[^]*?\*\/)/gm)].map(([comment]) => comment).join('\n');

const namedInComment =
  /(?<![\w/.:@{}*-])(?:(?:app|bench|components|docs|e2e|lib|media-worker|prisma|scripts|web)\/[\w./()[\]-]+|[\w-]+\.md|ADR \d+)/g;

function isKnown(name: string): boolean {
  const [, number] = /^ADR (\d+)$/.exec(name) ?? [];
  if (number) return decisions.some((path) => path.includes(`/${number.padStart(4, '0')}-`));
  return isKnownPath(name) || documents.some((document) => document.endsWith(`/${name}`));
}

describe('comments only cite sources that a reader can open', () => {
  test('files, folders and decision records that exist', () => {
    const missing = sources.flatMap((source) =>
      [...commentsOf(readDocument(source)).matchAll(namedInComment)]
        .map(([name]) => name.replace(/[.)]+$/, ''))
        .filter((name) => !isKnown(name))
        .map((name) => `${source}: ${name}`),
    );
    expect(missing).toEqual([]);
  });

  test('clauses with the name of their public standard', () => {
    const unnamedSources = sources.flatMap((source) =>
      readDocument(source)
        .split('\n')
        .filter((line) => line.replaceAll(citation, '').includes('\u00a7'))
        .map((line) => `${source}: ${line.trim()}`),
    );
    expect(unnamedSources).toEqual([]);
  });
});

describe('docs/dependencies.md', () => {
  const listedPackages = [...readDocument('docs/dependencies.md').matchAll(/^\| (\S+) (\S+)\s+\|/gm)].map(
    ([, name, version]) => [name, version],
  );
  const manifest = JSON.parse(readDocument('package.json')) as Record<
    'dependencies' | 'devDependencies' | 'optionalDependencies',
    Record<string, string>
  >;

  const { dependencies: shippedPackages, devDependencies, optionalDependencies } = manifest;
  const dependencies = [shippedPackages, devDependencies, optionalDependencies].flatMap((dependencyList) =>
    Object.entries(dependencyList),
  );

  test('lists every dependency with its pinned version', () => {
    expect(listedPackages.sort()).toEqual(dependencies.sort());
  });

  test('lists packages that package.json pins to exact versions', () => {
    const versions = dependencies.map(([, version]) => version);
    expect(versions.filter((version) => !/^\d+\.\d+\.\d+/.test(version))).toEqual([]);
  });
});
