import { describe, expect, test } from 'vitest';
import { findAccessRules } from '@/lib/domain/access';
import { newPlaybackId } from '@/lib/infra/ids';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { describePublicStatus, locateLive, setTestPattern } from '@/lib/domain/streams';
import { createLiveFixtures } from '@/lib/domain/testing/live-fixtures';
import type { StartFeature } from '@/media-worker/media/packaging/session-feature';
import { createLiveNodes, twoSegments } from './testing/live-nodes';

const fixtures = createLiveFixtures(await createTestDatabase());
const { ctx, db, createTeam, createStream, readStream, sessionsOf, eventsOf } = fixtures;
const openLiveNode = createLiveNodes(fixtures);
const teamId = await createTeam();

const waitUntil = (condition: () => Promise<boolean>) => expect.poll(condition).toBe(true);
const waitUntilActive = (id: string) => waitUntil(async () => (await readStream(id)).isActive);
const namesOf = async (id: string) => (await eventsOf(id)).map(({ name }) => name);

describe('the test pattern', () => {
  const createTestPatternStream = () =>
    createStream(teamId, { testPatternUntil: new Date(Date.now() + 60_000) });
  const patternOf = async (id: string) => (await readStream(id)).testPatternUntil;

  test('gives way to an encoder, in the same session, and is not restarted', async () => {
    const { connect } = await openLiveNode();
    const row = await createTestPatternStream();
    const pattern = await connect(row.streamKey, 'test-pattern');
    pattern?.publish(twoSegments);
    await waitUntilActive(row.id);
    expect(await connect(row.streamKey, 'test-pattern')).toBeNull();
    expect(await patternOf(row.id)).not.toBeNull();

    const encoder = await connect(row.streamKey);
    expect(pattern?.endReason).toBe('replaced');
    expect(await patternOf(row.id)).toBeNull();
    encoder?.publish(twoSegments);
    expect(encoder?.endReason).toBeNull();
    expect(await sessionsOf(row.id)).toHaveLength(1);
    expect(await namesOf(row.id)).toEqual(['stream.started']);
  });

  test('ends if there is an encoder, without a rejection', async () => {
    const { connect } = await openLiveNode();
    const row = await createStream(teamId);
    await connect(row.streamKey);
    await db.stream.update({
      where: { id: row.id },
      data: { testPatternUntil: new Date(Date.now() + 60_000) },
    });
    expect(await connect(row.streamKey, 'test-pattern')).toBeNull();
    await waitUntil(async () => (await patternOf(row.id)) === null);
    expect(await namesOf(row.id)).toEqual([]);
  });

  test('of another node gives way to an encoder', async () => {
    const [nearNode, farNode] = [await openLiveNode(), await openLiveNode()];
    const row = await createTestPatternStream();
    const pattern = await farNode.connect(row.streamKey, 'test-pattern');
    pattern?.publish(twoSegments);
    await waitUntilActive(row.id);
    expect(await nearNode.connect(row.streamKey)).not.toBeNull();
    expect(await patternOf(row.id)).toBeNull();
    expect(await readStream(row.id)).toMatchObject({ liveNodeId: nearNode.nodeId, isActive: true });
    await farNode.control.reconcile();
    expect(pattern?.endReason).toBe('cut');
    expect(await sessionsOf(row.id)).toHaveLength(1);
  });
});

describe('a test pattern as a preview', () => {
  const createTestPatternStream = async (change: object = {}) => {
    const previewPlaybackId = newPlaybackId();
    const testPatternUntil = new Date(Date.now() + 60_000);
    const row = await createStream(teamId, { testPatternUntil, previewPlaybackId, record: true, ...change });
    return { ...row, previewPlaybackId };
  };
  const startedIds: string[] = [];
  const startFeature: StartFeature = ({ streamId }) => {
    startedIds.push(streamId);
    return { follow: () => undefined, close: () => Promise.resolve() };
  };
  const isPlayable = ({ sessions }: Awaited<ReturnType<typeof openLiveNode>>, playbackId: string) =>
    sessions.byPlaybackId(playbackId)?.isActive ?? false;
  const readStats = (playbackId: string) => describePublicStatus(ctx, playbackId);

  test('plays at a separate URL with restricted access, without a session, a feature of sessions or an event', async () => {
    const nearNode = await openLiveNode([startFeature]);
    const row = await createTestPatternStream();
    const pattern = await nearNode.connect(row.streamKey, 'test-pattern');
    pattern?.publish(twoSegments);
    expect(isPlayable(nearNode, row.previewPlaybackId)).toBe(true);
    expect((await locateLive(ctx, row.previewPlaybackId))?.url).toBeTruthy();
    expect(nearNode.sessions.byPlaybackId(row.playbackId)).toBeUndefined();
    expect(await readStats(row.playbackId)).toEqual({ state: 'idle' });
    expect(await readStats(row.previewPlaybackId)).toBeNull();
    expect(await findAccessRules(ctx, row.previewPlaybackId)).toMatchObject({
      policy: { type: 'jwt' },
      keys: [],
    });
    pattern?.disconnect('finished');
    await nearNode.sessions.close();
    expect(await readStream(row.id)).toMatchObject({ isActive: false, liveNodeId: null, lastSeen: null });
    expect([await sessionsOf(row.id), await namesOf(row.id), startedIds]).toEqual([[], [], []]);
  });

  test('gives way to an encoder, whose session begins with its media', async () => {
    const nearNode = await openLiveNode([startFeature]);
    const row = await createTestPatternStream();
    const pattern = await nearNode.connect(row.streamKey, 'test-pattern');
    pattern?.publish(twoSegments);
    const encoder = await nearNode.connect(row.streamKey);
    expect(pattern?.endReason).toBe('replaced');
    expect(nearNode.sessions.byPlaybackId(row.previewPlaybackId)).toBeUndefined();
    expect(await readStats(row.playbackId)).toEqual({ state: 'starting' });
    encoder?.publish(twoSegments);
    await waitUntilActive(row.id);
    expect(startedIds).toContain(row.id);
    expect(await readStream(row.id)).toMatchObject({ testPatternUntil: null, previewPlaybackId: null });
    expect(await sessionsOf(row.id)).toHaveLength(1);
    expect(await namesOf(row.id)).toEqual(['stream.started', 'recording.started']);
  });

  test('ends the playback of a previous test pattern', async () => {
    const nearNode = await openLiveNode();
    const row = await createTestPatternStream({ previewPlaybackId: null });
    const patternConnection = await nearNode.connect(row.streamKey, 'test-pattern');
    patternConnection?.publish(twoSegments);
    await waitUntilActive(row.id);
    const owner = { ...ctx, actor: { kind: 'session', teamId } } as const;
    await setTestPattern(owner, { id: row.id, running: true, preview: true });
    // `lost` instead of `finished`: the encoder was killed, and its session waits for it.
    patternConnection?.disconnect('lost');
    const preview = await nearNode.connect(row.streamKey, 'test-pattern');
    preview?.publish(twoSegments);
    const { isActive, previewPlaybackId } = await readStream(row.id);
    expect(isActive).toBe(false);
    expect(isPlayable(nearNode, previewPlaybackId ?? '')).toBe(true);
    expect(nearNode.sessions.byPlaybackId(row.playbackId)).toBeUndefined();
    expect(await namesOf(row.id)).toContain('stream.idle');
  });

  test('of another node gives way, and a preview whose row was released ends', async () => {
    const [nearNode, farNode] = [await openLiveNode(), await openLiveNode()];
    const row = await createTestPatternStream();
    const pattern = await farNode.connect(row.streamKey, 'test-pattern');
    pattern?.publish(twoSegments);
    expect(await nearNode.connect(row.streamKey)).not.toBeNull();
    await farNode.control.reconcile();
    expect(pattern?.endReason).toBe('cut');
    expect(await readStream(row.id)).toMatchObject({ liveNodeId: nearNode.nodeId });

    const releasedRow = await createTestPatternStream();
    const releasedPattern = await farNode.connect(releasedRow.streamKey, 'test-pattern');
    releasedPattern?.publish(twoSegments);
    await db.stream.update({ where: { id: releasedRow.id }, data: { liveNodeId: null } });
    await farNode.control.reconcile();
    expect(releasedPattern?.endReason).toBe('cut');
    expect(await sessionsOf(releasedRow.id)).toEqual([]);
  });

  test('does not count as a live stream of its team', async () => {
    const { connect } = await openLiveNode();
    const fullTeamId = await createTeam();
    await db.teamQuota.create({ data: { teamId: fullTeamId, liveStreams: 1n } });
    const [firstRow, secondRow] = [
      await createStream(fullTeamId),
      await createStream(fullTeamId, { previewPlaybackId: newPlaybackId() }),
    ];
    expect(await connect(secondRow.streamKey, 'test-pattern')).not.toBeNull();
    expect(await connect(firstRow.streamKey)).not.toBeNull();
    expect(await connect((await createStream(fullTeamId)).streamKey)).toBeNull();
  });
});
