import { expect, test } from 'vitest';
import type { TeamContext } from '@/lib/domain/context';
import { newId } from '@/lib/infra/ids';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { createLiveFixtures } from '@/lib/domain/testing/live-fixtures';
import { deleteStream, describePublicStatus } from './index';

const {
  ctx: system,
  db,
  createTeam,
  createStream,
  createNode,
} = createLiveFixtures(await createTestDatabase());
const teamId = await createTeam();
const owner: TeamContext = { ...system, actor: { kind: 'cli', teamId } };
const publicStatusOf = (playbackId: string) => describePublicStatus(system, playbackId);

/** Creates a session of one minute that ended some seconds ago. */
const createEndedSession = (parentId: string, secondsAgo: number, columns: object = {}) =>
  db.session.create({
    data: {
      id: newId(),
      teamId,
      parentId,
      name: 'Town hall',
      playbackId: 'abcd1234efgh5678',
      state: 'ended',
      sourceSegments: 3,
      createdAt: new Date(Date.now() - secondsAgo * 1_000 - 60_000),
      lastSeen: new Date(Date.now() - secondsAgo * 1_000),
      ...columns,
    },
  });

test('the public state goes from idle to starting, live and ended, with the recording while it can be played', async () => {
  const { id, playbackId } = await createStream(teamId);
  expect(await publicStatusOf(playbackId)).toEqual({ state: 'idle' });
  await db.stream.update({ where: { id }, data: { liveNodeId: await createNode() } });
  expect(await publicStatusOf(playbackId)).toEqual({ state: 'starting' });
  await db.stream.update({ where: { id }, data: { isActive: true } });
  expect(await publicStatusOf(playbackId)).toEqual({ state: 'live' });
  await db.stream.update({ where: { id }, data: { isActive: false, liveNodeId: null } });

  await createEndedSession(id, 7_200, { recording: 'ready' });
  const newestSession = await createEndedSession(id, 60, { recording: 'none' });
  // A session without segments does not count as an ended one.
  await createEndedSession(id, 5, { sourceSegments: 0 });
  const endedState = { state: 'ended', endedAt: newestSession.lastSeen?.getTime() };
  expect(await publicStatusOf(playbackId)).toEqual(endedState);
  // From the end of the stream on, its recording plays from the stored segments.
  for (const recording of ['waiting', 'processing', 'importing', 'ready'] as const) {
    await db.session.update({ where: { id: newestSession.id }, data: { recording } });
    expect(await publicStatusOf(playbackId)).toEqual({ ...endedState, recordingId: newestSession.id });
  }
  await db.session.update({ where: { id: newestSession.id }, data: { recording: 'deleted' } });
  expect(await publicStatusOf(playbackId)).toEqual(endedState);
});

test('a suspended stream or team is reported without further details', async () => {
  const suspendedStream = await createStream(teamId, { suspended: true, isActive: true });
  const streamOfSuspendedTeam = await createStream(await createTeam({ suspended: true }));
  await createEndedSession(suspendedStream.id, 60, { recording: 'ready' });
  expect(await publicStatusOf(suspendedStream.playbackId)).toEqual({ state: 'unavailable' });
  expect(await publicStatusOf(streamOfSuspendedTeam.playbackId)).toEqual({ state: 'unavailable' });
});

test('a deleted stream is reported as deleted, an unknown id and a child stream as unknown', async () => {
  const { id, playbackId } = await createStream(teamId);
  const child = await createStream(teamId, { parentId: id });
  await createEndedSession(id, 60, { recording: 'ready' });
  await deleteStream(owner, id);
  expect(await publicStatusOf(playbackId)).toEqual({ state: 'deleted' });
  expect([await publicStatusOf('unknownunknown12'), await publicStatusOf(child.playbackId)]).toEqual([
    null,
    null,
  ]);
});
