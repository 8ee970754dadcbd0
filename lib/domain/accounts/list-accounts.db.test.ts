import { expect, test } from 'vitest';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { createLiveFixtures } from '@/lib/domain/testing/live-fixtures';
import { accountsExist } from '@/lib/domain/accounts';

const { ctx, createTeam } = createLiveFixtures(await createTestDatabase());

test('a new installation has no accounts until the first sign-up', async () => {
  expect(await accountsExist(ctx)).toBe(false);
  await createTeam();
  expect(await accountsExist(ctx)).toBe(true);
});
