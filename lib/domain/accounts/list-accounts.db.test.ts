import { expect, test } from 'vitest';
import { testDatabase } from '@/lib/infra/testing/test-database';
import { liveFixtures } from '@/lib/domain/testing/live-fixtures';
import { accountsExist } from '@/lib/domain/accounts';

const { ctx, newTeam } = liveFixtures(await testDatabase());

test('a new installation has no accounts until the first sign-up', async () => {
  expect(await accountsExist(ctx)).toBe(false);
  await newTeam();
  expect(await accountsExist(ctx)).toBe(true);
});
