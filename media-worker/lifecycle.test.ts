import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '@/lib/infra/ids';
import { createLogger } from '@/lib/infra/logger';
import { Lifecycle } from './lifecycle';
import { replacePredecessor } from './predecessor';

const log = createLogger('test', 'silent');
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'role-'));
});
afterAll(() => rm(folder, { recursive: true }));

test('ends what was started in reverse order, once', async () => {
  const lifecycle = new Lifecycle(log);
  const ended: string[] = [];
  for (const name of ['database', 'http', 'rtmp']) lifecycle.own(name, () => ended.push(name));
  await Promise.all([lifecycle.close(), lifecycle.close()]);
  expect(ended).toEqual(['rtmp', 'http', 'database']);
});

test('a part that fails or hangs does not keep the others from ending', async () => {
  const lifecycle = new Lifecycle(log);
  const ended: string[] = [];
  lifecycle.own('last', () => ended.push('last'));
  lifecycle.own('hangs', () => new Promise(() => undefined), 10);
  lifecycle.own('rejects', () => Promise.reject(new Error('no')));
  lifecycle.own('throws', () => {
    throw new Error('no');
  });
  await lifecycle.close();
  expect(ended).toEqual(['last']);
});

test('a process learns who had its role before', async () => {
  const [first, second] = [newId(), newId()];
  expect(await replacePredecessor(folder, 'live', first)).toBeNull();
  expect(await replacePredecessor(folder, 'origin', second)).toBeNull();
  expect(await replacePredecessor(folder, 'live', second)).toBe(first);
  expect((await readFile(join(folder, 'nodes', 'live'), 'utf8')).trim()).toBe(second);
});

test('what is no id is nobody', async () => {
  await writeFile(join(folder, 'nodes', 'live'), '../../etc/passwd\n');
  expect(await replacePredecessor(folder, 'live', newId())).toBeNull();
});
