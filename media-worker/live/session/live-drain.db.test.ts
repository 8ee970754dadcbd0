import { describe, expect, test } from 'vitest';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { createLiveFixtures } from '@/lib/domain/testing/live-fixtures';
import { createLiveNodes, twoSegments } from './testing/live-nodes';

const fixtures = createLiveFixtures(await createTestDatabase());
const { db, createTeam, createStream, readStream, sessionsOf, eventsOf } = fixtures;
const openNode = createLiveNodes(fixtures);
const openLiveNode = (drainSeconds?: number) => openNode([], { drainSeconds });
const teamId = await createTeam();
const HOUR_SECONDS = 3_600;
const announce = () => Promise.resolve();

const waitUntil = (condition: () => Promise<boolean>) => expect.poll(condition).toBe(true);
const namesOf = async (id: string) => (await eventsOf(id)).map(({ name }) => name);

/** Starts an active stream at a node, with its encoder. */
async function startStreamAt(node: Awaited<ReturnType<typeof openLiveNode>>) {
  const row = await createStream(teamId);
  const encoder = await node.connect(row.streamKey);
  encoder?.publish(twoSegments);
  await waitUntil(async () => (await readStream(row.id)).isActive);
  return { row, encoder };
}

describe('a draining node', () => {
  test('rejects new publishes, tells the owner why, and accepts them again afterwards', async () => {
    const [node, otherNode] = [await openLiveNode(HOUR_SECONDS), await openLiveNode(HOUR_SECONDS)];
    const row = await createStream(teamId);
    node.drain.applyDrainFlag(true);
    expect(await node.connect(row.streamKey)).toBeNull();
    expect(await node.connect('nonsense')).toBeNull();
    await waitUntil(async () => (await namesOf(row.id)).includes('stream.rejected'));
    expect((await eventsOf(row.id))[0]?.payload).toMatchObject({
      payload: {
        reason: 'node_draining',
        message: 'the server is going out of service: publish again to reach another one',
      },
    });
    expect(await otherNode.connect(row.streamKey)).not.toBeNull();
    const otherRow = await createStream(teamId);
    node.drain.applyDrainFlag(false);
    expect(await node.connect(otherRow.streamKey)).not.toBeNull();
  });

  test('gives its streams time to end', async () => {
    const node = await openLiveNode(HOUR_SECONDS);
    const { encoder } = await startStreamAt(node);
    node.drain.applyDrainFlag(true);
    node.drain.applyDrainFlag(true);
    expect(encoder?.endReason).toBeNull();
    encoder?.publish(twoSegments);
    expect(node.drain.streamCount).toBe(1);
  });

  test('lets a second encoder take over the stream at another node immediately', async () => {
    const [node, otherNode] = [await openLiveNode(HOUR_SECONDS), await openLiveNode(HOUR_SECONDS)];
    const { row, encoder } = await startStreamAt(node);
    expect(await otherNode.connect(row.streamKey)).toBeNull();
    node.drain.applyDrainFlag(true);
    expect(await otherNode.connect(row.streamKey)).not.toBeNull();
    await node.control.reconcile();
    expect(encoder?.endReason).toBe('cut');
    expect(await readStream(row.id)).toMatchObject({ liveNodeId: otherNode.nodeId, isActive: true });
  });

  test('disconnects the remaining encoders, while viewers play the rest of the window and the stream moves', async () => {
    const [node, otherNode] = [await openLiveNode(0), await openLiveNode(0)];
    const { row, encoder } = await startStreamAt(node);
    node.drain.applyDrainFlag(true);
    await expect.poll(() => encoder?.endReason).toBe('lost');
    const window = () => node.sessions.byPlaybackId(row.playbackId)?.renditions.source.window;
    expect(window()?.isPlayable).toBe(true);
    expect(await node.connect(row.streamKey)).toBeNull();
    const nextConnection = await otherNode.connect(row.streamKey);
    nextConnection?.publish(twoSegments);
    expect(await readStream(row.id)).toMatchObject({ liveNodeId: otherNode.nodeId, isActive: true });
    expect(await sessionsOf(row.id)).toHaveLength(1);
    expect(await namesOf(row.id)).not.toContain('stream.idle');
  });

  test('does not disconnect after the drain was cancelled', async () => {
    const node = await openLiveNode(0);
    const { encoder } = await startStreamAt(node);
    node.drain.applyDrainFlag(true);
    node.drain.applyDrainFlag(false);
    node.drain.applyDrainFlag(true);
    node.drain.applyDrainFlag(false);
    const another = await createStream(teamId);
    expect(await node.connect(another.streamKey)).not.toBeNull();
    expect(encoder?.endReason).toBeNull();
  });
});

describe('the end of the process', () => {
  test('waits until the streams have ended, and cannot be cancelled', async () => {
    const node = await openLiveNode(HOUR_SECONDS);
    const { row, encoder } = await startStreamAt(node);
    let announcements = 0;
    const stopping = node.drain.stop(() => Promise.resolve(void (announcements += 1)));
    await expect.poll(() => announcements).toBe(1);
    node.drain.applyDrainFlag(false);
    expect(node.drain.stopping).toBe(true);
    expect(await node.connect((await createStream(teamId)).streamKey)).toBeNull();
    encoder?.disconnect('finished');
    await stopping;
    expect(node.sessions.all).toEqual([]);
    expect(await readStream(row.id)).toMatchObject({ isActive: false, liveNodeId: null });
  });

  test('does not wait for streams of the only node, unless configured', async () => {
    const node = await openLiveNode();
    await db.node.deleteMany({ where: { id: { not: node.nodeId } } });
    const { row, encoder } = await startStreamAt(node);
    await node.drain.stop(announce);
    expect([node.drain.stopping, encoder?.endReason]).toEqual([false, null]);
    const otherNode = await openLiveNode();
    const stopping = node.drain.stop(announce);
    await expect.poll(() => node.drain.stopping).toBe(true);
    expect(await otherNode.connect(row.streamKey)).not.toBeNull();
    await node.control.reconcile();
    await stopping;
    expect(await readStream(row.id)).toMatchObject({ liveNodeId: otherNode.nodeId, isActive: true });
  });
});
