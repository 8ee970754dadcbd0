import { expect, test } from 'vitest';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { createLiveFixtures } from '@/lib/domain/testing/live-fixtures';
import { accountsExist } from '@/lib/domain/accounts';

const { ctx, createTeam } = createLiveFixtures(await createTestDatabase());

test('accountsExist is false until the first account is created', async () => {
  expect(await accountsExist(ctx)).toBe(false);
  await createTeam();
  expect(await accountsExist(ctx)).toBe(true);
});
