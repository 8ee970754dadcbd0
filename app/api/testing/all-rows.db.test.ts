import { expect, test } from 'vitest';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { hashAllRows } from './all-rows';
import { openTestApi } from './test-api';

const api = openTestApi(await createTestDatabase());
const { db } = api.services;

test('each write changes the hash, beginning with the first one after the first hash', async () => {
  const { teamId } = await api.createPerson();
  const hashes = [await hashAllRows(api)];
  for (const name of ['first', 'second', 'third']) {
    await db.team.update({ where: { id: teamId }, data: { name } });
    hashes.push(await hashAllRows(api));
  }
  expect(new Set(hashes).size).toBe(hashes.length);
});

test('the hash stays the same without a write', async () => {
  const hash = await hashAllRows(api);
  await db.team.findMany();
  expect(await hashAllRows(api)).toBe(hash);
});
