import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hashFiles } from './input-hash';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'headwater-hash-'));
  write('app/page.tsx', 'page');
  write('lib/core/a.ts', 'a');
});
afterEach(() => rmSync(root, { recursive: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

const hash = () => hashFiles(root, ['app', 'lib', 'next.config.js'], ['lib/generated']);

describe('input hash', () => {
  it('is the same for the same files', () => {
    expect(hash()).toBe(hash());
  });

  it.each([
    ['a changed file', () => write('lib/core/a.ts', 'b')],
    ['a new file', () => write('lib/core/b.ts', '')],
    ['a file that did not exist before', () => write('next.config.js', 'x')],
    ['a deleted file', () => rmSync(join(root, 'lib/core/a.ts'))],
    ['a moved file', () => renameSync(join(root, 'lib/core/a.ts'), join(root, 'lib/a.ts'))],
  ])('changes for %s', (_, changeFiles) => {
    const hashBefore = hash();
    changeFiles();
    expect(hash()).not.toBe(hashBefore);
  });

  it.each([
    ['tests', () => write('lib/core/a.test.ts', 'x')],
    ['generated files', () => write('lib/generated/prisma/client.ts', 'x')],
    ['other folders', () => write('data/x', 'x')],
  ])('does not change for %s', (_, changeFiles) => {
    const hashBefore = hash();
    changeFiles();
    expect(hash()).toBe(hashBefore);
  });
});
