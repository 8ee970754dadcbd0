import { describe, expect, test } from 'vitest';
import { findGate } from '@/lib/domain/access';
import { newPlaybackId } from '@/lib/infra/ids';
import { testDatabase } from '@/lib/infra/testing/test-database';
import { describeBroadcast, locateLive, setTestPattern } from '@/lib/domain/streams';
import { liveFixtures } from '@/lib/domain/testing/live-fixtures';
import type { StartCompanion } from '@/media-worker/media/packaging/companion';
import { liveNodesOf, twoSegments } from './testing/live-nodes';

const fixtures = liveFixtures(await testDatabase());
const { ctx, db, newTeam, stream, reread, sessionsOf, eventsOf } = fixtures;
const liveNode = liveNodesOf(fixtures);
const teamId = await newTeam();

const until = (condition: () => Promise<boolean>) => expect.poll(condition).toBe(true);
const active = (id: string) => until(async () => (await reread(id)).isActive);
const namesOf = async (id: string) => (await eventsOf(id)).map(({ name }) => name);

describe('the test pattern', () => {
  const asked = () => stream(teamId, { testPatternUntil: new Date(Date.now() + 60_000) });
  const patternOf = async (id: string) => (await reread(id)).testPatternUntil;

  test('gives way to an encoder, in the same session, and is not started again', async () => {
    const { connect } = await liveNode();
    const row = await asked();
    const pattern = await connect(row.streamKey, 'test-pattern');
    pattern?.send(twoSegments);
    await active(row.id);
    expect(await connect(row.streamKey, 'test-pattern')).toBeNull();
    expect(await patternOf(row.id)).not.toBeNull();

    const encoder = await connect(row.streamKey);
    expect(pattern?.ended).toBe('replaced');
    expect(await patternOf(row.id)).toBeNull();
    encoder?.send(twoSegments);
    expect(encoder?.ended).toBeNull();
    expect(await sessionsOf(row.id)).toHaveLength(1);
    expect(await namesOf(row.id)).toEqual(['stream.started']);
  });

  test('that finds an encoder ends, without a rejection', async () => {
    const { connect } = await liveNode();
    const row = await stream(teamId);
    await connect(row.streamKey);
    await db.stream.update({
      where: { id: row.id },
      data: { testPatternUntil: new Date(Date.now() + 60_000) },
    });
    expect(await connect(row.streamKey, 'test-pattern')).toBeNull();
    await until(async () => (await patternOf(row.id)) === null);
    expect(await namesOf(row.id)).toEqual([]);
  });

  test('of another node gives way to an encoder, too', async () => {
    const [here, there] = [await liveNode(), await liveNode()];
    const row = await asked();
    const pattern = await there.connect(row.streamKey, 'test-pattern');
    pattern?.send(twoSegments);
    await active(row.id);
    expect(await here.connect(row.streamKey)).not.toBeNull();
    expect(await patternOf(row.id)).toBeNull();
    expect(await reread(row.id)).toMatchObject({ liveNodeId: here.nodeId, isActive: true });
    await there.control.look();
    expect(pattern?.ended).toBe('cut');
    expect(await sessionsOf(row.id)).toHaveLength(1);
  });
});

describe('a test pattern that only previews', () => {
  const asked = async (change: object = {}) => {
    const previewPlaybackId = newPlaybackId();
    const testPatternUntil = new Date(Date.now() + 60_000);
    const row = await stream(teamId, { testPatternUntil, previewPlaybackId, record: true, ...change });
    return { ...row, previewPlaybackId };
  };
  const started: string[] = [];
  const companion: StartCompanion = ({ streamId }) => {
    started.push(streamId);
    return { follow: () => undefined, close: () => Promise.resolve() };
  };
  const playable = ({ sessions }: Awaited<ReturnType<typeof liveNode>>, playbackId: string) =>
    sessions.byPlaybackId(playbackId)?.active ?? false;
  const seenBy = (playbackId: string) => describeBroadcast(ctx, playbackId);

  test('plays at its own address, and leaves no trace: no session, recording, target, event or viewer', async () => {
    const here = await liveNode([companion]);
    const row = await asked();
    const pattern = await here.connect(row.streamKey, 'test-pattern');
    pattern?.send(twoSegments);
    expect(playable(here, row.previewPlaybackId)).toBe(true);
    expect((await locateLive(ctx, row.previewPlaybackId))?.url).toBeTruthy();
    expect(here.sessions.byPlaybackId(row.playbackId)).toBeUndefined();
    expect(await seenBy(row.playbackId)).toEqual({ state: 'idle' });
    expect(await seenBy(row.previewPlaybackId)).toBeNull();
    expect(await findGate(ctx, row.previewPlaybackId)).toMatchObject({ policy: { type: 'jwt' }, keys: [] });
    pattern?.cut('finished');
    await here.sessions.close();
    expect(await reread(row.id)).toMatchObject({ isActive: false, liveNodeId: null, lastSeen: null });
    expect([await sessionsOf(row.id), await namesOf(row.id), started]).toEqual([[], [], []]);
  });

  test('gives way to an encoder, whose session begins with what it sends', async () => {
    const here = await liveNode([companion]);
    const row = await asked();
    const pattern = await here.connect(row.streamKey, 'test-pattern');
    pattern?.send(twoSegments);
    const encoder = await here.connect(row.streamKey);
    expect(pattern?.ended).toBe('replaced');
    expect(here.sessions.byPlaybackId(row.previewPlaybackId)).toBeUndefined();
    expect(await seenBy(row.playbackId)).toEqual({ state: 'starting' });
    encoder?.send(twoSegments);
    await active(row.id);
    expect(started).toContain(row.id);
    expect(await reread(row.id)).toMatchObject({ testPatternUntil: null, previewPlaybackId: null });
    expect(await sessionsOf(row.id)).toHaveLength(1);
    expect(await namesOf(row.id)).toEqual(['stream.started', 'recording.started']);
  });

  test('ends what viewers saw of a test pattern before', async () => {
    const here = await liveNode();
    const row = await asked({ previewPlaybackId: null });
    const shown = await here.connect(row.streamKey, 'test-pattern');
    shown?.send(twoSegments);
    await active(row.id);
    const owner = { ...ctx, actor: { kind: 'session', teamId } } as const;
    await setTestPattern(owner, { id: row.id, running: true, preview: true });
    // Not `finished`: its encoder was killed, and its session waits for it.
    shown?.cut('lost');
    const preview = await here.connect(row.streamKey, 'test-pattern');
    preview?.send(twoSegments);
    const { isActive, previewPlaybackId } = await reread(row.id);
    expect(isActive).toBe(false);
    expect(playable(here, previewPlaybackId ?? '')).toBe(true);
    expect(here.sessions.byPlaybackId(row.playbackId)).toBeUndefined();
    expect(await namesOf(row.id)).toContain('stream.idle');
  });

  test('that another node has gives way, and one whose row was released ends', async () => {
    const [here, there] = [await liveNode(), await liveNode()];
    const row = await asked();
    const pattern = await there.connect(row.streamKey, 'test-pattern');
    pattern?.send(twoSegments);
    expect(await here.connect(row.streamKey)).not.toBeNull();
    await there.control.look();
    expect(pattern?.ended).toBe('cut');
    expect(await reread(row.id)).toMatchObject({ liveNodeId: here.nodeId });

    const released = await asked();
    const second = await there.connect(released.streamKey, 'test-pattern');
    second?.send(twoSegments);
    await db.stream.update({ where: { id: released.id }, data: { liveNodeId: null } });
    await there.control.look();
    expect(second?.ended).toBe('cut');
    expect(await sessionsOf(released.id)).toEqual([]);
  });

  test('needs no place among the live streams of its team', async () => {
    const { connect } = await liveNode();
    const full = await newTeam();
    await db.teamQuota.create({ data: { teamId: full, liveStreams: 1n } });
    const [one, other] = [await stream(full), await stream(full, { previewPlaybackId: newPlaybackId() })];
    expect(await connect(other.streamKey, 'test-pattern')).not.toBeNull();
    expect(await connect(one.streamKey)).not.toBeNull();
    expect(await connect((await stream(full)).streamKey)).toBeNull();
  });
});
