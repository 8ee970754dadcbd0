import { chmod, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { reserveDataDir } from './instance';

let folder: string;
let umask: number;
beforeEach(async () => {
  umask = process.umask(0o022);
  folder = await mkdtemp(join(tmpdir(), 'headwater-instance-'));
});
afterEach(async () => {
  process.umask(umask);
  await rm(folder, { recursive: true, force: true });
});

const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);
const reserveAndRelease = async (dataDir: string) => {
  const lines: string[] = [];
  const release = await reserveDataDir(dataDir, 'service', (line) => lines.push(line));
  release();
  return lines;
};

test('a data folder that other users can read gets mode 700 and a message', async () => {
  const dataDir = join(folder, 'data');
  await mkdir(dataDir);
  await chmod(dataDir, 0o755);
  expect(await reserveAndRelease(dataDir)).toEqual([
    expect.stringMatching(/mode 755\)\. Changed its mode to 700/),
  ]);
  expect(await modeOf(dataDir)).toBe('700');
  expect(await reserveAndRelease(dataDir)).toEqual([]);
});

test('a new data folder and its files are private from the start', async () => {
  const dataDir = join(folder, 'deep', 'data');
  expect(await reserveAndRelease(dataDir)).toEqual([]);
  expect(await modeOf(dataDir)).toBe('700');
  await writeFile(join(dataDir, 'file'), '');
  expect(await modeOf(join(dataDir, 'file'))).toBe('600');
});
