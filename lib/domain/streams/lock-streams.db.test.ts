import { expect, test } from 'vitest';
import { newId } from '@/lib/infra/ids';
import { hasLockWaits } from '@/lib/infra/testing/lock-waits';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { createLiveFixtures } from '@/lib/domain/testing/live-fixtures';
import { authorizePublish, recordProgress, recordViewers } from './index';

const { ctx, db, createTeam, createStream, createNode } = createLiveFixtures(await createTestDatabase());
const teamId = await createTeam();

/** Creates a stream and admits a publish of it. */
async function startPublish() {
  const { id: streamId, playbackId } = await createStream(teamId);
  const publish = await authorizePublish(ctx, { streamId, nodeId: await createNode() });
  return { streamId, playbackId, sessionId: publish?.sessionId ?? '' };
}

async function isUnlocked(id: string): Promise<boolean> {
  const rows = await db.$queryRaw<unknown[]>`
    select 1 from "Stream" where "id" = ${id}::uuid for no key update skip locked`;
  return rows.length > 0;
}

const progressOf = ({ streamId, sessionId }: { streamId: string; sessionId: string }) => ({
  streamId,
  sessionId,
  silentMs: 0,
  sourceSegments: 1,
  sourceSegmentsDuration: 2,
  sourceBytes: 3,
  transcodedSegments: 0,
  transcodedSegmentsDuration: 0,
  transcodedBytes: 0,
});
const viewersOf = ({ playbackId }: { playbackId: string }) => ({
  playbackId,
  viewers: 1,
  viewerSeconds: 5,
  views: 1,
  ageMs: 0,
});

/**
 * Runs `write` while another transaction locks the row `lockedId`.
 * @returns the rows of `otherIds` that `write` has locked before it waits for `lockedId`
 */
async function findLocksWhileBlocked(lockedId: string, otherIds: string[], write: () => Promise<void>) {
  let writing: Promise<void> | undefined;
  const lockedIds: string[] = [];
  await db.$transaction(
    async (lockingTransaction) => {
      await lockingTransaction.$executeRaw`select 1 from "Stream" where "id" = ${lockedId}::uuid for no key update`;
      writing = write();
      await expect.poll(() => hasLockWaits(db), { timeout: 15_000 }).toBe(true);
      for (const id of otherIds) if (!(await isUnlocked(id))) lockedIds.push(id);
    },
    { timeout: 20_000 },
  );
  await writing;
  return lockedIds;
}

test.each([
  ['the order of their ids', false],
  ['the reverse order', true],
])(
  'recordProgress and recordViewers lock streams in the order of their ids, with input in %s',
  async (_, isReversed) => {
    const publishes = [await startPublish(), await startPublish(), await startPublish()];
    const [firstPublish, secondPublish, thirdPublish] = publishes.toSorted((a, b) =>
      a.streamId < b.streamId ? -1 : 1,
    );
    if (!firstPublish || !secondPublish || !thirdPublish) throw new Error('fewer than three publishes');
    const inputs = isReversed
      ? [thirdPublish, secondPublish, firstPublish]
      : [firstPublish, secondPublish, thirdPublish];
    const otherIds = [firstPublish, thirdPublish].flatMap(({ streamId, sessionId }) => [streamId, sessionId]);
    const writers = [
      () => recordProgress(ctx, inputs.map(progressOf)),
      () => recordViewers(ctx, newId(), inputs.map(viewersOf)),
    ];
    for (const write of writers) {
      expect(await findLocksWhileBlocked(secondPublish.streamId, otherIds, write)).toEqual([
        firstPublish.streamId,
      ]);
    }
  },
);

test('recordProgress locks a stream before the child streams of its sessions', async () => {
  const { streamId, sessionId } = await startPublish();
  const write = () => recordProgress(ctx, [progressOf({ streamId, sessionId })]);
  expect(await findLocksWhileBlocked(streamId, [sessionId], write)).toEqual([]);
  expect(await findLocksWhileBlocked(sessionId, [streamId], write)).toEqual([streamId]);
});

test('concurrent writers of the same streams in opposite order do not deadlock', async () => {
  const publishes = [await startPublish(), await startPublish(), await startPublish()];
  const reversedPublishes = publishes.toReversed();
  const writers = [
    () => recordProgress(ctx, publishes.map(progressOf)),
    () => recordProgress(ctx, reversedPublishes.map(progressOf)),
    () => recordViewers(ctx, newId(), reversedPublishes.map(viewersOf)),
    () => recordViewers(ctx, newId(), publishes.map(viewersOf)),
  ];
  // Each writer runs twice, which is fewer than there are connections, so that no writer waits for a connection.
  const writes = [...writers, ...writers].map(async (write) => {
    for (let round = 0; round < 10; round++) await write();
  });
  await Promise.all(writes);
  // Each stream got 40 segments and 40 views: four of the eight writes add each of them, in ten rounds.
  const rows = await db.stream.findMany({ where: { id: { in: publishes.map(({ streamId }) => streamId) } } });
  expect(rows.map(({ sourceSegments, views }) => [sourceSegments, views])).toEqual([
    [40, 40],
    [40, 40],
    [40, 40],
  ]);
});
