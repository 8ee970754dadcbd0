import { describe, expect, test } from 'vitest';
import { TAKEOVER_SILENCE_MS } from '@/lib/core/streams/publish-admission';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { createLiveFixtures } from '@/lib/domain/testing/live-fixtures';
import { steadyFrames } from '@/media-worker/media/packaging/testing/synthetic-packets';
import { createLiveNodes, twoSegments } from './testing/live-nodes';

const fixtures = createLiveFixtures(await createTestDatabase());
const { db, createTeam, createStream, readStream, sessionsOf, eventsOf } = fixtures;
const openLiveNode = createLiveNodes(fixtures);
const teamId = await createTeam();

const waitUntil = (condition: () => Promise<boolean>) => expect.poll(condition).toBe(true);
const namesOf = async (id: string) => (await eventsOf(id)).map(({ name }) => name);

/** Starts a stream that is active at the first of two nodes. */
async function startStreamAtFirstNode() {
  const [farNode, nearNode] = [await openLiveNode(), await openLiveNode()];
  const row = await createStream(teamId);
  const encoder = await farNode.connect(row.streamKey);
  encoder?.publish(twoSegments);
  await waitUntil(async () => (await readStream(row.id)).isActive);
  return { farNode, nearNode, row, encoder };
}

describe('an encoder at another node than its stream', () => {
  test('is rejected while the other encoder sends', async () => {
    const { farNode, nearNode, row, encoder } = await startStreamAtFirstNode();
    expect(await nearNode.connect(row.streamKey)).toBeNull();
    expect(await readStream(row.id)).toMatchObject({ liveNodeId: farNode.nodeId, runs: 1 });
    expect(encoder?.endReason).toBeNull();
  });

  test('takes over once the other encoder has been silent for three seconds, in the same session', async () => {
    const { farNode, nearNode, row, encoder } = await startStreamAtFirstNode();
    farNode.time.aheadMs += TAKEOVER_SILENCE_MS;
    const nextConnection = await nearNode.connect(row.streamKey);
    expect(nextConnection).not.toBeNull();
    expect(await readStream(row.id)).toMatchObject({ liveNodeId: nearNode.nodeId, runs: 2, isActive: true });
    // The first node learns of the takeover from the row and writes nothing.
    await farNode.control.reconcile();
    expect(encoder?.endReason).toBe('cut');
    await waitUntil(() => Promise.resolve(farNode.sessions.all.length === 0));
    nextConnection?.publish(twoSegments);
    expect(await readStream(row.id)).toMatchObject({ liveNodeId: nearNode.nodeId, isActive: true });
    expect(await sessionsOf(row.id)).toHaveLength(1);
    expect((await namesOf(row.id)).filter((name) => name === 'stream.idle')).toEqual([]);
  });

  test('takes over immediately while the other connection is lost', async () => {
    const { nearNode, row, encoder } = await startStreamAtFirstNode();
    encoder?.disconnect('lost');
    expect(await nearNode.connect(row.streamKey)).not.toBeNull();
    expect(await readStream(row.id)).toMatchObject({ liveNodeId: nearNode.nodeId, isActive: true });
    expect(await sessionsOf(row.id)).toHaveLength(1);
  });

  test('is admitted after the stream has ended at the other node', async () => {
    const { nearNode, row, encoder } = await startStreamAtFirstNode();
    encoder?.disconnect('finished');
    expect(await nearNode.connect(row.streamKey)).not.toBeNull();
    expect(await readStream(row.id)).toMatchObject({ liveNodeId: nearNode.nodeId });
    expect(await namesOf(row.id)).toEqual(['stream.started', 'stream.idle']);
  });

  test('and an encoder that reconnects at the node of the stream are not both admitted', async () => {
    const { farNode, nearNode, row } = await startStreamAtFirstNode();
    farNode.time.aheadMs += TAKEOVER_SILENCE_MS;
    const admissions = await Promise.all([farNode.connect(row.streamKey), nearNode.connect(row.streamKey)]);
    expect(admissions.filter((admission) => admission !== null)).toHaveLength(1);
    expect((await readStream(row.id)).runs).toBe(2);
  });

  test('is rejected while the other node does not respond but sends heartbeats, and admitted once these have stopped', async () => {
    const { farNode, nearNode, row } = await startStreamAtFirstNode();
    await farNode.stopAnswering();
    farNode.time.aheadMs += TAKEOVER_SILENCE_MS;
    expect(await nearNode.connect(row.streamKey)).toBeNull();
    // The process is dead: nothing listens, and its heartbeats have stopped.
    const seenAt = new Date(Date.now() - 4_000);
    await db.node.update({ where: { id: farNode.nodeId }, data: { seenAt } });
    expect(await nearNode.connect(row.streamKey)).not.toBeNull();
    expect(await readStream(row.id)).toMatchObject({ liveNodeId: nearNode.nodeId });
  });
});

describe('a standby encoder at another node than its stream', () => {
  /** Starts a stream at the first of two nodes, with a standby encoder that is connected to the second one. */
  async function startWithStandby() {
    const [farNode, nearNode] = [await openLiveNode(), await openLiveNode()];
    const row = await createStream(teamId, { backup: true });
    const encoder = await farNode.connect(row.streamKey);
    encoder?.publish(twoSegments);
    await waitUntil(async () => (await readStream(row.id)).isActive);
    const standby = await nearNode.connect(row.streamKey);
    standby?.publish(twoSegments);
    const session = farNode.sessions.byStream(row.id);
    await waitUntil(() => Promise.resolve(session?.standby !== null));
    return { farNode, nearNode, row, encoder, standby, session };
  }
  const laterFrames = [...steadyFrames({ fromMs: 4_120, untilMs: 16_300, audio: false })];

  test('is connected to that node, and on air when the primary encoder is lost', async () => {
    const { farNode, row, encoder, standby, session } = await startWithStandby();
    expect(await readStream(row.id)).toMatchObject({ liveNodeId: farNode.nodeId, runs: 1 });
    expect(encoder?.endReason).toBeNull();
    const msnBefore = session?.renditions.source.window.nextFreeMsn ?? 0;
    encoder?.disconnect('lost');
    standby?.publish(laterFrames);
    await waitUntil(() =>
      Promise.resolve((session?.renditions.source.window.nextFreeMsn ?? 0) > msnBefore + 1),
    );
    expect(await readStream(row.id)).toMatchObject({ liveNodeId: farNode.nodeId, isActive: true });
  });

  test('publishes at its own node when the other node is gone', async () => {
    const { farNode, nearNode, row, standby } = await startWithStandby();
    await farNode.stopAnswering();
    await db.node.update({ where: { id: farNode.nodeId }, data: { seenAt: new Date(Date.now() - 4_000) } });
    farNode.sessions.byStream(row.id)?.cutStandby();
    await waitUntil(async () => (await readStream(row.id)).liveNodeId === nearNode.nodeId);
    standby?.publish(laterFrames);
    await waitUntil(() => Promise.resolve(nearNode.sessions.byStream(row.id)?.isActive ?? false));
    expect(standby?.endReason).toBeNull();
    expect(await sessionsOf(row.id)).toHaveLength(1);
  });

  test('publishes at its own node when the other node sends no heartbeats, even if the connection is open', async () => {
    const { farNode, nearNode, row } = await startWithStandby();
    await db.node.update({ where: { id: farNode.nodeId }, data: { seenAt: new Date(Date.now() - 12_000) } });
    await waitUntil(async () => (await readStream(row.id)).liveNodeId === nearNode.nodeId);
  });

  test('is disconnected from that node when it disconnects from its own node', async () => {
    const { row, standby, session } = await startWithStandby();
    standby?.disconnect('lost');
    await waitUntil(() => Promise.resolve(session?.standby === null));
    expect(await readStream(row.id)).toMatchObject({ isActive: true });
  });

  test('is disconnected when the stream no longer allows a second encoder', async () => {
    const { row, standby, session } = await startWithStandby();
    await db.stream.update({ where: { id: row.id }, data: { backup: false } });
    session?.cutStandby();
    await waitUntil(() => Promise.resolve(standby?.endReason === 'lost'));
  });
});
