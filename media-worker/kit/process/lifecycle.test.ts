import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '@/lib/infra/ids';
import { createLogger } from '@/lib/infra/logger';
import { Lifecycle } from './lifecycle';
import { saveProcessRecord } from './predecessor';

const log = createLogger('test', 'silent');
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'role-'));
});
afterAll(() => rm(folder, { recursive: true }));

const replaceProcess = (name: string, nodeId: string, dataDir = folder) =>
  saveProcessRecord({ dataDir, name, nodeId, url: 'http://127.0.0.1:1' }, log);

test('parts are closed once, in reverse order of their start', async () => {
  const lifecycle = new Lifecycle(log);
  const closedNames: string[] = [];
  for (const name of ['database', 'http', 'rtmp']) lifecycle.own(name, () => closedNames.push(name));
  await Promise.all([lifecycle.close(), lifecycle.close()]);
  expect(closedNames).toEqual(['rtmp', 'http', 'database']);
});

test('work registered with beforeClose is waited for, and may fail', async () => {
  const lifecycle = new Lifecycle(log);
  const closedNames: string[] = [];
  lifecycle.own('http', () => closedNames.push('http'));
  lifecycle.beforeClose(() => Promise.reject(new Error('away')));
  lifecycle.beforeClose(async () => {
    await Promise.resolve();
    closedNames.push('drained');
  });
  await lifecycle.prepareToClose();
  await lifecycle.close();
  expect(closedNames).toEqual(['drained', 'http']);
});

test('a part that fails or hangs does not keep the others from closing', async () => {
  const lifecycle = new Lifecycle(log);
  const closedNames: string[] = [];
  lifecycle.own('last', () => closedNames.push('last'));
  lifecycle.own('hangs', () => new Promise(() => undefined), 10);
  lifecycle.own('rejects', () => Promise.reject(new Error('no')));
  lifecycle.own('throws', () => {
    throw new Error('no');
  });
  await lifecycle.close();
  expect(closedNames).toEqual(['last']);
});

test('a process gets the id of the previous process in its role', async () => {
  const [firstId, secondId] = [newId(), newId()];
  expect(await replaceProcess('live', firstId)).toBeNull();
  expect(await replaceProcess('origin', secondId)).toBeNull();
  expect(await replaceProcess('live', secondId)).toBe(firstId);
  expect((await readFile(join(folder, 'nodes', 'live'), 'utf8')).trim()).toBe(secondId);
});

test('an invalid id in the file is ignored', async () => {
  await writeFile(join(folder, 'nodes', 'live'), '../../etc/passwd\n');
  expect(await replaceProcess('live', newId())).toBeNull();
});

test('a process starts even if its id cannot be saved', async () => {
  const notAFolder = join(folder, 'no-folder');
  await writeFile(notAFolder, '');
  expect(await replaceProcess('live', newId(), notAFolder)).toBeNull();
});

test('if no new file can be created, the old file is overwritten', async () => {
  const dataDir = join(folder, 'no-new-files');
  const [firstId, secondId] = [newId(), newId()];
  await replaceProcess('live', firstId, dataDir);
  // A file cannot replace a folder, so no new file can be created.
  await mkdir(join(dataDir, 'nodes', 'live.new'));
  expect(await replaceProcess('live', secondId, dataDir)).toBe(firstId);
  expect(await replaceProcess('live', newId(), dataDir)).toBe(secondId);
});
