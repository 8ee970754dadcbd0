import { existsSync, mkdtempSync, statSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { replaceScratchFolder, scratchFolder } from './scratch-folder';

let dataDir: string;
beforeEach(() => (dataDir = mkdtempSync(join(tmpdir(), 'scratch-test-'))));
afterEach(() => rm(dataDir, { recursive: true }));

const recordFile = () => join(dataDir, 'nodes', 'live-scratch');
/** Stores a path as that of the folder of the previous process. */
const storePath = async (path: string) => {
  await mkdir(join(dataDir, 'nodes'), { recursive: true });
  await writeFile(recordFile(), `${path}\n`);
};

test('a process has one folder, which only its user can read', () => {
  expect(scratchFolder()).toBe(scratchFolder());
  expect(statSync(scratchFolder()).mode & 0o777).toBe(0o700);
});

test('the folder of a killed process is removed when its successor starts', async () => {
  const leftFolder = mkdtempSync(join(tmpdir(), 'headwater-'));
  await writeFile(join(leftFolder, 'options'), 'rtmp_playpath=secret');
  await storePath(leftFolder);
  await replaceScratchFolder(dataDir, 'live');
  expect(existsSync(leftFolder)).toBe(false);
  expect((await readFile(recordFile(), 'utf8')).trim()).toBe(scratchFolder());
});

test('a second call keeps the folder of this process', async () => {
  await replaceScratchFolder(dataDir, 'live');
  await replaceScratchFolder(dataDir, 'live');
  expect(existsSync(scratchFolder())).toBe(true);
});

test('no other path is removed, whatever the file contains', async () => {
  const otherFolder = join(dataDir, 'headwater-abcdef');
  for (const path of [otherFolder, dataDir, join(tmpdir(), 'headwater-abcdef', '..', 'x'), '/', '']) {
    await mkdir(otherFolder, { recursive: true });
    await storePath(path);
    await replaceScratchFolder(dataDir, 'live');
    expect(existsSync(otherFolder)).toBe(true);
  }
});
