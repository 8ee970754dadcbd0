import { expect, test } from 'vitest';
import { DAY_MS } from '@/lib/core/units';
import { newPlaybackId } from '@/lib/infra/ids';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { createLiveFixtures } from '@/lib/domain/testing/live-fixtures';
import { expireRevocations } from './issue-token';

const { ctx, db, createTeam } = createLiveFixtures(await createTestDatabase());

test('revocations older than 400 days are deleted', async () => {
  const teamId = await createTeam();
  const playbackId = newPlaybackId();
  const agesInDays = [401, 399, 0];
  await db.revokedPlayback.createMany({
    data: agesInDays.map((days) => ({
      playbackId,
      teamId,
      // The age modulo 256, in one byte, by which the test recognises the row.
      digest: Buffer.from([days % 256]),
      createdAt: new Date(Date.now() - days * DAY_MS),
    })),
  });
  expect(await expireRevocations(ctx)).toBe(1);
  const remainingRows = await db.revokedPlayback.findMany({ orderBy: { createdAt: 'asc' } });
  expect(remainingRows.map(({ digest }) => digest[0])).toEqual([399 % 256, 0]);
  expect(await expireRevocations(ctx)).toBe(0);
});
