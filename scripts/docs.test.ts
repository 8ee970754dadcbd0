import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

const documents = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.md'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((path) => path !== '' && existsSync(join(root, path)));

/** Links to files, and `code` that is a path of one of our folders; a pattern or placeholder is not a path. */
function namedPaths(document: string): string[] {
  const text = read(document).replaceAll(/```[^]*?```/g, '');
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
    const missing = namedPaths(document).filter((path) =>
      // `media-worker/cmaf` may stand for a folder, `webhooks/emit-event` for a module.
      ['', '.ts', '.tsx'].every((ending) => !existsSync(join(root, path + ending))),
    );
    expect(missing).toEqual([]);
  });
});

describe('docs/dependencies.md', () => {
  const listed = [...read('docs/dependencies.md').matchAll(/^\| (\S+) (\S+)\s+\|/gm)].map(
    ([, name, version]) => [name, version],
  );
  const manifest = JSON.parse(read('package.json')) as Record<
    'dependencies' | 'devDependencies',
    Record<string, string>
  >;

  test('lists every dependency with its pinned version', () => {
    const wanted = [...Object.entries(manifest.dependencies), ...Object.entries(manifest.devDependencies)];
    expect(listed.sort()).toEqual(wanted.sort());
  });

  test('package.json pins exact versions', () => {
    const versions = [...Object.values(manifest.dependencies), ...Object.values(manifest.devDependencies)];
    expect(versions.filter((version) => !/^\d+\.\d+\.\d+/.test(version))).toEqual([]);
  });
});
