import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');

/** Rows are compared with the time of the database, which only one function reads. */
test('only lib/infra/db.ts contains the statement that reads the time of the database', () => {
  const files = ['app', 'lib', 'media-worker', 'web']
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map(
        (path) => `${folder}/${path}`,
      ),
    )
    .filter((path) => /\.ts$/.test(path) && !/\.test\.ts$|\/generated\/|\/testing\//.test(path));
  expect(files.length).toBeGreaterThan(800);
  expect(
    files.filter((path) => readFileSync(join(root, path), 'utf8').includes('select now() as now')),
  ).toEqual(['lib/infra/db.ts']);
});
