import { describe, expect, test } from 'vitest';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { createLiveFixtures } from '@/lib/domain/testing/live-fixtures';
import { formatHint } from '@/lib/core/streams/stream-doctor';
import { authorizePublish, findStreamOfKey } from './publishing/authorize-publish';
import { locateLive } from './publishing/live-settings';
import { markIdle } from './publishing/end-publish';
import { markActive, reportIssues } from './publishing/mark-active';
import { readPublishes } from './publishing/list-publishes';
import { reclaimPublish, releaseStreamsOfDeadNodes, releaseStreamsOfNode } from './publishing/release-node';

const databaseUrl = await createTestDatabase();
const { ctx, db, createTeam, createStream, createNode, readStream, sessionsOf, eventsOf } =
  createLiveFixtures(databaseUrl);
const teamId = await createTeam();

/** Creates a stream and admits a publish of it on a new node. */
async function startPublish() {
  const [row, nodeId] = [await createStream(teamId), await createNode()];
  const publish = await authorizePublish(ctx, { streamId: row.id, nodeId });
  if (!publish) throw new Error('not authorized');
  return { row, nodeId, publish, guard: { streamId: row.id, nodeId, publishNumber: publish.publishNumber } };
}

const noIssues = { issues: [] };

describe('findStreamOfKey', () => {
  test('finds the stream of a key, and no other', async () => {
    const row = await createStream(teamId);
    expect(await findStreamOfKey(ctx, row.streamKey)).toEqual({ streamId: row.id, rejectionReason: null });
    expect(await findStreamOfKey(ctx, `${row.streamKey}x`)).toBeNull();
    expect(await findStreamOfKey(ctx, '')).toBeNull();
  });

  test('rejects deleted, suspended and child streams and those of a suspended team', async () => {
    const parent = await createStream(teamId);
    const rejectedStreams = [
      await createStream(teamId, { deletedAt: new Date() }),
      await createStream(teamId, { suspended: true }),
      await createStream(teamId, { parentId: parent.id }),
      await createStream(await createTeam({ suspended: true })),
    ];
    const foundStreams = await Promise.all(
      rejectedStreams.map(({ streamKey }) => findStreamOfKey(ctx, streamKey)),
    );
    const reasons = ['deleted', 'stream_suspended', 'child_stream', 'account_suspended'];
    expect(foundStreams.map((stream) => stream?.rejectionReason)).toEqual(reasons);
  });
});

describe('authorizePublish', () => {
  test('assigns the stream to the node, increments the publish number and starts a session of the stream’s team', async () => {
    const { row, nodeId, publish } = await startPublish();
    expect(publish).toMatchObject({ streamId: row.id, playbackId: row.playbackId, publishNumber: 1 });
    expect(await readStream(row.id)).toMatchObject({ liveNodeId: nodeId, runs: 1, isActive: false });
    const [session] = await sessionsOf(row.id);
    expect(session).toMatchObject({ id: publish.sessionId, teamId, parentId: row.id, state: 'live' });
    expect(await eventsOf(row.id)).toEqual([]);
  });

  test('rejects deleted, suspended and child streams and those of a suspended team, and starts no session', async () => {
    const nodeId = await createNode();
    const parent = await createStream(teamId);
    const unpublishableStreams = [
      await createStream(teamId, { deletedAt: new Date() }),
      await createStream(teamId, { suspended: true }),
      await createStream(teamId, { parentId: parent.id }),
      await createStream(await createTeam({ suspended: true })),
    ];
    for (const { id } of unpublishableStreams) {
      expect(await authorizePublish(ctx, { streamId: id, nodeId })).toBeNull();
      expect(await sessionsOf(id)).toEqual([]);
    }
  });

  test('rejects a stream of another living node, and takes it over from a dead one', async () => {
    const otherNodeId = await createNode();
    const { row, nodeId } = await startPublish();
    expect(await authorizePublish(ctx, { streamId: row.id, nodeId: otherNodeId })).toBeNull();
    await db.node.update({ where: { id: nodeId }, data: { seenAt: new Date(Date.now() - 60_000) } });
    expect(await authorizePublish(ctx, { streamId: row.id, nodeId: otherNodeId })).toMatchObject({
      publishNumber: 2,
    });
  });

  test('concurrent publishes create one session and have different publish numbers', async () => {
    const [row, nodeId] = [await createStream(teamId), await createNode()];
    const publishes = await Promise.all(
      Array.from({ length: 8 }, () => authorizePublish(ctx, { streamId: row.id, nodeId })),
    );
    expect(new Set(publishes.map((publish) => publish?.publishNumber)).size).toBe(8);
    expect(new Set(publishes.map((publish) => publish?.sessionId)).size).toBe(1);
    expect(await sessionsOf(row.id)).toHaveLength(1);
  });
});

describe('markActive and markIdle', () => {
  test('write one event per transition, even for concurrent calls', async () => {
    const { row, guard } = await startPublish();
    const activations = Array.from({ length: 8 }, () => markActive(ctx, { ...guard, ...noIssues }));
    expect((await Promise.all(activations)).filter(Boolean)).toHaveLength(1);
    expect(await readStream(row.id)).toMatchObject({ isActive: true, isHealthy: true, eventSequence: 1 });

    const ends = await Promise.all(Array.from({ length: 8 }, () => markIdle(ctx, guard)));
    expect(ends.filter(Boolean)).toHaveLength(1);
    expect(await readStream(row.id)).toMatchObject({ isActive: false, liveNodeId: null, eventSequence: 2 });

    const events = await eventsOf(row.id);
    expect(events.map(({ name, sequence }) => [name, sequence])).toEqual([
      ['stream.started', 1],
      ['stream.idle', 2],
    ]);
    expect(events.every((event) => event.teamId === teamId)).toBe(true);
  });

  test('emit events with the current stream object, without its key', async () => {
    const { row, guard } = await startPublish();
    await markActive(ctx, { ...guard, ...noIssues });
    await markIdle(ctx, guard);
    const events = await eventsOf(row.id);
    const activeStates = events.map(
      ({ payload }) => (payload as { stream: { isActive: boolean } }).stream.isActive,
    );
    expect(activeStates).toEqual([true, false]);
    expect(JSON.stringify(events.map(({ payload }) => payload))).not.toContain(row.streamKey);
    expect(JSON.stringify(events.map(({ payload }) => payload))).not.toContain('streamKey');
  });

  test('store the issues of the publish from its start on', async () => {
    const { row, guard } = await startPublish();
    await markActive(ctx, { ...guard, issues: ['audio codec is MP3'] });
    expect(await readStream(row.id)).toMatchObject({ isHealthy: false, issues: ['audio codec is MP3'] });
    await reportIssues(ctx, { ...guard, issues: [] });
    expect(await readStream(row.id)).toMatchObject({ isHealthy: true, issues: [] });
    await reportIssues(ctx, { ...guard, issues: [formatHint('no sound')] });
    expect(await readStream(row.id)).toMatchObject({ isHealthy: true, issues: ['Hint: no sound'] });
    await reportIssues(ctx, {
      ...guard,
      publishNumber: guard.publishNumber - 1,
      issues: ['of an older publish'],
    });
    expect(await readStream(row.id)).toMatchObject({ issues: ['Hint: no sound'] });
    await markIdle(ctx, guard);
    expect(await readStream(row.id)).toMatchObject({ isHealthy: null, issues: [] });
    // A late report of the live node, after the end of the publish.
    await reportIssues(ctx, { ...guard, issues: ['no sound'] });
    expect(await readStream(row.id)).toMatchObject({ isHealthy: null, issues: [] });
  });

  test('emit no event for a publish that never became active', async () => {
    const { row, guard } = await startPublish();
    expect(await markIdle(ctx, guard)).toBe(false);
    expect(await readStream(row.id)).toMatchObject({ liveNodeId: null });
    expect((await sessionsOf(row.id))[0]).toMatchObject({ state: 'waiting' });
    expect(await eventsOf(row.id)).toEqual([]);
  });

  test('change nothing for an older publish, another node or a suspended stream', async () => {
    const { row, nodeId, guard } = await startPublish();
    await authorizePublish(ctx, { streamId: row.id, nodeId });
    expect(await markActive(ctx, { ...guard, ...noIssues })).toBe(false);
    const currentGuard = { ...guard, publishNumber: guard.publishNumber + 1 };
    expect(await markActive(ctx, { ...currentGuard, ...noIssues, nodeId: await createNode() })).toBe(false);
    await db.stream.update({ where: { id: row.id }, data: { suspended: true } });
    expect(await markActive(ctx, { ...currentGuard, ...noIssues })).toBe(false);
    await db.stream.update({ where: { id: row.id }, data: { suspended: false } });
    expect(await markActive(ctx, { ...currentGuard, ...noIssues })).toBe(true);
    expect(await markIdle(ctx, guard)).toBe(false);
    expect(await readStream(row.id)).toMatchObject({ isActive: true, liveNodeId: nodeId });
  });
});

describe('releaseStreamsOfNode and releaseStreamsOfDeadNodes', () => {
  test('end the publishes of a dead node, and no other publishes', async () => {
    const [deadPublish, otherPublish] = [await startPublish(), await startPublish()];
    for (const { guard } of [deadPublish, otherPublish]) await markActive(ctx, { ...guard, ...noIssues });
    expect(await releaseStreamsOfNode(ctx, deadPublish.nodeId)).toBe(1);
    expect(await releaseStreamsOfNode(ctx, deadPublish.nodeId)).toBe(0);
    expect(await readStream(deadPublish.row.id)).toMatchObject({ isActive: false, liveNodeId: null });
    expect(await readStream(otherPublish.row.id)).toMatchObject({ isActive: true });
    expect((await eventsOf(deadPublish.row.id)).map(({ name }) => name)).toEqual([
      'stream.started',
      'stream.idle',
    ]);
    expect((await sessionsOf(deadPublish.row.id))[0]).toMatchObject({ state: 'waiting' });
  });

  test('end all publishes of a node with more streams than one batch', async () => {
    const liveNodeId = await createNode();
    const ids = await Promise.all(
      Array.from(
        { length: 201 },
        async () => (await createStream(teamId, { liveNodeId, isActive: true })).id,
      ),
    );
    expect(await releaseStreamsOfNode(ctx, liveNodeId)).toBe(ids.length);
    expect(await db.stream.count({ where: { id: { in: ids }, isActive: true } })).toBe(0);
  });

  test('release a node after 10 s of silence, and active streams without a node', async () => {
    // Nodes of earlier tests become silent on a slow machine, and their streams would be counted.
    await db.stream.updateMany({ data: { isActive: false, liveNodeId: null } });
    const [deadPublish, alivePublish, orphanedPublish] = [
      await startPublish(),
      await startPublish(),
      await startPublish(),
    ];
    for (const { guard } of [deadPublish, alivePublish, orphanedPublish])
      await markActive(ctx, { ...guard, ...noIssues });
    const setSilence = (id: string, ms: number) =>
      db.node.update({ where: { id }, data: { seenAt: new Date(Date.now() - ms) } });
    await setSilence(deadPublish.nodeId, 11_000);
    await setSilence(alivePublish.nodeId, 1_000);
    await db.node.delete({ where: { id: orphanedPublish.nodeId } });
    const releasedCounts = await Promise.all(Array.from({ length: 4 }, () => releaseStreamsOfDeadNodes(ctx)));
    expect(releasedCounts.reduce((sum, count) => sum + count)).toBe(2);
    expect(await readStream(deadPublish.row.id)).toMatchObject({ isActive: false });
    expect(await readStream(alivePublish.row.id)).toMatchObject({ isActive: true });
    expect(await readStream(orphanedPublish.row.id)).toMatchObject({ isActive: false });
    expect(await eventsOf(orphanedPublish.row.id)).toHaveLength(2);
  });

  test('can be undone by the node with `reclaimPublish`, unless another publish has started', async () => {
    const { row, nodeId, publish, guard } = await startPublish();
    await markActive(ctx, { ...guard, ...noIssues });
    await releaseStreamsOfNode(ctx, nodeId);
    const claim = { ...guard, sessionId: publish.sessionId };
    expect(await reclaimPublish(ctx, { ...claim, publishNumber: 0 })).toBeNull();
    expect(await reclaimPublish(ctx, claim)).toEqual({ sessionId: publish.sessionId });
    expect(await markActive(ctx, { ...guard, ...noIssues })).toBe(true);
    expect((await sessionsOf(row.id))[0]).toMatchObject({ state: 'live' });
    expect(await reclaimPublish(ctx, claim)).toBeNull();
    expect((await eventsOf(row.id)).map(({ name }) => name)).toEqual([
      'stream.started',
      'stream.idle',
      'stream.started',
    ]);
  });
});

describe('readPublishes', () => {
  test('returns the streams in `heldIds` and the streams that the database assigns to the node', async () => {
    const [ownedPublish, heldPublish] = [await startPublish(), await startPublish()];
    await markIdle(ctx, heldPublish.guard);
    const rows = await readPublishes(ctx, { nodeId: ownedPublish.nodeId, heldIds: [heldPublish.row.id] });
    expect(rows.map(({ id, liveNodeId }) => [id, liveNodeId]).sort()).toEqual(
      [
        [ownedPublish.row.id, ownedPublish.nodeId],
        [heldPublish.row.id, null],
      ].sort(),
    );
  });
});

describe('locateLive', () => {
  test('returns the node of a running publish only', async () => {
    const { row, nodeId, guard } = await startPublish();
    expect(await locateLive(ctx, row.playbackId)).toEqual({ url: `http://127.0.0.1:1/${nodeId}` });
    expect(await locateLive(ctx, row.id)).toBeNull();
    await db.stream.update({ where: { id: row.id }, data: { suspended: true } });
    expect(await locateLive(ctx, row.playbackId)).toBeNull();
    await db.stream.update({ where: { id: row.id }, data: { suspended: false, deletedAt: new Date() } });
    expect(await locateLive(ctx, row.playbackId)).toBeNull();
    await db.stream.update({ where: { id: row.id }, data: { deletedAt: null } });
    await markIdle(ctx, guard);
    expect(await locateLive(ctx, row.playbackId)).toEqual({ url: null });
  });
});
