import { describe, expect, test } from 'vitest';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import {
  authorizePublish,
  deleteStream,
  findChildPlayback,
  findNamedPlayback,
  findPlayback,
  findStreamOfKey,
  locateLive,
} from '@/lib/domain/streams';
import { markActive, markIdle, recordProgress, releaseStreamsOfDeadNodes } from '@/lib/domain/streams';
import { createLiveFixtures } from '@/lib/domain/testing/live-fixtures';
import type { TeamContext } from '@/lib/domain/context';
import { endExpiredSession } from './end-session';
import { getSession, listStreamSessions } from './get-session';

const databaseUrl = await createTestDatabase();
const { ctx, db, createTeam, createStream, createNode, readStream, sessionsOf, eventsOf } =
  createLiveFixtures(databaseUrl);
const teamId = await createTeam();
const owner: TeamContext = { ...ctx, actor: { kind: 'cli', teamId } };

/** Admits a publish on a new node. */
const publish = async (streamId: string) => {
  const nodeId = await createNode();
  const authorized = await authorizePublish(ctx, { streamId, nodeId });
  if (!authorized) throw new Error('not authorized');
  const { sessionId, publishNumber } = authorized;
  return { sessionId, guard: { streamId, nodeId, publishNumber } };
};

/** Creates a recorded stream, publishes to it and makes it active. */
async function createLiveStream() {
  const row = await createStream(teamId, { record: true });
  const { sessionId, guard } = await publish(row.id);
  await markActive(ctx, { ...guard, issues: [] });
  return { row, guard, childId: sessionId };
}

/** `isActive` of a session. Checks that its child stream, which has the same id, has the same value. */
async function readIsActive(sessionId: string): Promise<boolean> {
  const { isActive } = await getSession(owner, sessionId);
  expect((await readStream(sessionId)).isActive).toBe(isActive);
  return isActive;
}

const listSessionIds = async (streamId: string) =>
  (await listStreamSessions(owner, streamId, {})).items.map(({ id }) => id);

describe('a session and its child stream', () => {
  test('have the same isActive from admission to end', async () => {
    const row = await createStream(teamId, { record: true });
    const { sessionId, guard } = await publish(row.id);
    expect(await readIsActive(sessionId)).toBe(false);
    await markActive(ctx, { ...guard, issues: [] });
    expect(await readIsActive(sessionId)).toBe(true);
    await markIdle(ctx, guard);
    expect(await readIsActive(sessionId)).toBe(false);
    const secondPublish = await publish(row.id);
    expect(secondPublish.sessionId).toBe(sessionId);
    expect(await readIsActive(sessionId)).toBe(false);
    await markActive(ctx, { ...secondPublish.guard, issues: [] });
    expect(await readIsActive(sessionId)).toBe(true);
    await markIdle(ctx, secondPublish.guard);
    await db.session.update({ where: { id: sessionId }, data: { lastSeen: new Date(0) } });
    await endExpiredSession(ctx, sessionId);
    expect(await readIsActive(sessionId)).toBe(false);
  });

  test('have the same isActive after a takeover from a dead node, including the previous session', async () => {
    const { row, guard, childId } = await createLiveStream();
    await db.node.update({ where: { id: guard.nodeId }, data: { seenAt: new Date(0) } });
    await db.session.update({ where: { id: childId }, data: { lastSeen: new Date(0) } });
    const { sessionId } = await publish(row.id);
    expect([await readIsActive(childId), await readIsActive(sessionId)]).toEqual([false, true]);
  });

  test('have the same isActive in recording events', async () => {
    const { row, guard } = await createLiveStream();
    await markIdle(ctx, guard);
    const eventStates = (await eventsOf(row.id)).flatMap(({ name, payload }) => {
      const { session } = (payload as { payload?: { session: { isActive: boolean } } }).payload ?? {};
      return session ? [[name, session.isActive]] : [];
    });
    expect(eventStates).toEqual([
      ['recording.started', true],
      ['recording.waiting', false],
    ]);
  });
});

describe('the sessions of a stream', () => {
  test.each([true, false])('include a session from its first event on, recorded: %s', async (record) => {
    const row = await createStream(teamId, { record });
    const { sessionId, guard } = await publish(row.id);
    expect(await listSessionIds(row.id)).toEqual([]);
    await markActive(ctx, { ...guard, issues: [] });
    expect(await listSessionIds(row.id)).toEqual([sessionId]);
  });

  test('include a session that takes over an active stream, from its admission on', async () => {
    const { row, guard, childId } = await createLiveStream();
    await db.node.update({ where: { id: guard.nodeId }, data: { seenAt: new Date(0) } });
    await db.session.update({ where: { id: childId }, data: { lastSeen: new Date(0) } });
    const { sessionId } = await publish(row.id);
    expect(await listSessionIds(row.id)).toContain(sessionId);
  });

  test('exclude a session that ended before anything could be played', async () => {
    const row = await createStream(teamId);
    const { guard } = await publish(row.id);
    await markIdle(ctx, guard);
    expect(await listSessionIds(row.id)).toEqual([]);
  });
});

const childrenOf = (parentId: string) => db.stream.findMany({ where: { parentId } });

describe('a new session', () => {
  test('has a child stream with its id, the configuration of the parent stream and no key', async () => {
    const { row, childId } = await createLiveStream();
    const [child, ...otherChildren] = await childrenOf(row.id);
    const [session] = await sessionsOf(row.id);
    expect(otherChildren).toEqual([]);
    expect(child).toMatchObject({
      id: childId,
      teamId,
      parentId: row.id,
      name: row.name,
      profiles: row.profiles,
      record: true,
      suspended: false,
      streamKeyHash: null,
      streamKeySealed: null,
      createdAt: session?.createdAt,
    });
    expect(child?.playbackId).toMatch(/^[a-z0-9]{16}$/);
    expect(child?.playbackId).not.toBe(row.playbackId);
  });

  test('keeps its child stream through reconnects; the next session gets another', async () => {
    const { row, guard, childId } = await createLiveStream();
    await markIdle(ctx, guard);
    const secondPublish = await publish(row.id);
    expect(secondPublish.sessionId).toBe(childId);
    expect(await childrenOf(row.id)).toHaveLength(1);
    await markIdle(ctx, secondPublish.guard);
    await db.session.update({ where: { id: childId }, data: { state: 'ended' } });
    const thirdPublish = await publish(row.id);
    expect((await childrenOf(row.id)).map(({ id }) => id).sort()).toEqual(
      [childId, thirdPublish.sessionId].sort(),
    );
  });
});

describe('the child stream', () => {
  test('is active with its session and idle afterwards, without events of its own', async () => {
    const { row, guard, childId } = await createLiveStream();
    expect(await readStream(childId)).toMatchObject({ isActive: true, liveNodeId: null });
    await markIdle(ctx, guard);
    expect(await readStream(childId)).toMatchObject({ isActive: false });
    const secondPublish = await publish(row.id);
    expect(await readStream(childId)).toMatchObject({ isActive: false });
    await markActive(ctx, { ...secondPublish.guard, issues: [] });
    expect(await readStream(childId)).toMatchObject({ isActive: true });
    expect(await eventsOf(childId)).toEqual([]);
    expect(await eventsOf(row.id)).toHaveLength(5);
  });

  test('has the counters of the session', async () => {
    const { row, childId } = await createLiveStream();
    // Silence would set `lastSeen` back to before the stream became active, which only the stream's own row stores.
    const progress = {
      sourceSegments: 2,
      sourceSegmentsDuration: 4.5,
      sourceBytes: 900,
      silentMs: 0,
      transcodedSegments: 3,
      transcodedSegmentsDuration: 6.5,
      transcodedBytes: 700,
    };
    await recordProgress(ctx, [{ streamId: row.id, sessionId: childId, ...progress }]);
    await recordProgress(ctx, [{ streamId: row.id, sessionId: childId, ...progress }]);
    const counters = {
      sourceSegments: 4,
      sourceSegmentsDuration: 9,
      sourceBytes: 1_800n,
      transcodedSegments: 6,
      transcodedSegmentsDuration: 13,
      transcodedBytes: 1_400n,
    };
    const [session] = await sessionsOf(row.id);
    for (const object of [await readStream(row.id), await readStream(childId), session]) {
      expect(object).toMatchObject(counters);
      expect(object?.lastSeen?.getTime()).toBe(session?.lastSeen?.getTime());
    }
  });

  test('is not swept while its parent is alive, and becomes idle with a dead node', async () => {
    const { row, guard, childId } = await createLiveStream();
    await releaseStreamsOfDeadNodes(ctx);
    expect(await readStream(childId)).toMatchObject({ isActive: true });
    await db.node.update({ where: { id: guard.nodeId }, data: { seenAt: new Date(0) } });
    await releaseStreamsOfDeadNodes(ctx);
    expect(await readStream(row.id)).toMatchObject({ isActive: false });
    expect(await readStream(childId)).toMatchObject({ isActive: false });
    expect(await eventsOf(childId)).toEqual([]);
  });

  test('of a session that a takeover ends is idle, and that of the new session active like the parent', async () => {
    const { row, guard, childId } = await createLiveStream();
    await db.node.update({ where: { id: guard.nodeId }, data: { seenAt: new Date(0) } });
    await db.session.update({ where: { id: childId }, data: { lastSeen: new Date(0) } });
    const { sessionId } = await publish(row.id);
    expect(sessionId).not.toBe(childId);
    expect(await readStream(childId)).toMatchObject({ isActive: false });
    expect(await readStream(sessionId)).toMatchObject({ isActive: true });
  });

  test('cannot be published to, has no stream key and is not located as a live stream', async () => {
    const { childId } = await createLiveStream();
    const { playbackId } = await readStream(childId);
    expect(await authorizePublish(ctx, { streamId: childId, nodeId: await createNode() })).toBeNull();
    expect(await findStreamOfKey(ctx, '')).toBeNull();
    expect(await locateLive(ctx, playbackId)).toBeNull();
  });

  test('plays its stream while it is live, then the recording of its session', async () => {
    const { row, guard, childId } = await createLiveStream();
    const { playbackId } = await readStream(childId);
    const playbackOf = async (id: string) => (await findNamedPlayback(ctx, id)).playback;
    expect(await findChildPlayback(ctx, playbackId)).toEqual({ kind: 'stream', playbackId: row.playbackId });
    expect(await playbackOf(playbackId)).toEqual(await playbackOf(row.playbackId));
    expect(await findNamedPlayback(ctx, playbackId)).toMatchObject({ id: row.playbackId });
    await markIdle(ctx, guard);
    expect(await findChildPlayback(ctx, playbackId)).toEqual({ kind: 'recording', sessionId: childId });
    expect(await playbackOf(playbackId)).toEqual(await playbackOf(childId));
    expect(await findNamedPlayback(ctx, playbackId)).toMatchObject({ id: childId });
    const secondPublish = await publish(row.id);
    await markActive(ctx, { ...secondPublish.guard, issues: [] });
    expect(await findChildPlayback(ctx, playbackId)).toMatchObject({ kind: 'stream' });
    await db.stream.update({ where: { id: row.id }, data: { suspended: true } });
    await expect(playbackOf(playbackId)).rejects.toMatchObject({ code: 'not_found' });
    await deleteStream(owner, row.id);
    expect(await findChildPlayback(ctx, playbackId)).toBeNull();
  });

  test('plays nothing after a session without recording', async () => {
    const row = await createStream(teamId);
    const { sessionId, guard } = await publish(row.id);
    const { playbackId } = await readStream(sessionId);
    expect(await findChildPlayback(ctx, playbackId)).toBeNull();
    await markActive(ctx, { ...guard, issues: [] });
    expect(await findChildPlayback(ctx, playbackId)).toMatchObject({ kind: 'stream' });
    await markIdle(ctx, guard);
    await expect(findPlayback(ctx, playbackId)).rejects.toMatchObject({ code: 'not_found' });
    expect(await findChildPlayback(ctx, row.playbackId)).toBeNull();
  });

  test('is idle after the end of its session, without events', async () => {
    const { guard, childId } = await createLiveStream();
    await markIdle(ctx, guard);
    await db.session.update({ where: { id: childId }, data: { lastSeen: new Date(0) } });
    expect(await endExpiredSession(ctx, childId)).toBe(true);
    expect(await readStream(childId)).toMatchObject({ isActive: false, deletedAt: null });
    expect(await eventsOf(childId)).toEqual([]);
  });
});
