import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { findStreamOfKey } from '@/lib/domain/streams';
import { createLiveFixtures } from '@/lib/domain/testing/live-fixtures';
import { createAdmitPublish } from '@/media-worker/ingest/admission/admit-publish';
import type { MediaPacket } from '@/media-worker/media/packets/media-packet';
import type { StartFeature } from '@/media-worker/media/packaging/session-feature';
import { FakeConnection } from './testing/fake-connection';
import { createLiveNodes, twoSegments } from './testing/live-nodes';
import { steadyFrames, videoConfig } from '@/media-worker/media/packaging/testing/synthetic-packets';

const fixtures = createLiveFixtures(await createTestDatabase());
const { ctx, db, createTeam, createStream, createNode, readStream, sessionsOf, eventsOf } = fixtures;
const openLiveNode = createLiveNodes(fixtures);
const teamId = await createTeam();

const unavailableDatabase = new Proxy(db, {
  get: () => {
    throw new Error('away');
  },
});

const waitUntil = (condition: () => Promise<boolean>) => expect.poll(condition).toBe(true);
const waitUntilActive = (id: string, expectedState = true) =>
  waitUntil(async () => (await readStream(id)).isActive === expectedState);
const namesOf = async (id: string) => (await eventsOf(id)).map(({ name }) => name);

describe('admission', () => {
  test('unknown keys, and keys of suspended and deleted streams, are rejected alike', async () => {
    const { connect } = await openLiveNode();
    const suspendedStream = await createStream(teamId, { suspended: true });
    const deletedStream = await createStream(teamId, { deletedAt: new Date() });
    for (const key of ['nonsense', '', suspendedStream.streamKey, deletedStream.streamKey]) {
      expect(await connect(key)).toBeNull();
    }
    expect(await namesOf(deletedStream.id)).toEqual([]);
  });

  test('the rejection of an encoder with a valid key becomes an event, at most once a minute for each reason', async () => {
    const { connect } = await openLiveNode();
    const suspendedStream = await createStream(teamId, { suspended: true });
    await Promise.all(Array.from({ length: 5 }, () => connect(suspendedStream.streamKey)));
    await waitUntil(async () => (await namesOf(suspendedStream.id)).length > 0);
    const [event] = await eventsOf(suspendedStream.id);
    expect(event).toMatchObject({ name: 'stream.rejected', sequence: 1 });
    const payload = { reason: 'stream_suspended', message: 'the stream is suspended', address: '127.0.0.1' };
    expect(event?.payload).toMatchObject({ payload });

    const row = await createStream(teamId);
    (await connect(row.streamKey))?.publish(twoSegments);
    await waitUntilActive(row.id);
    for (let i = 0; i < 3; i++) expect(await connect(row.streamKey)).toBeNull();
    await waitUntil(async () => (await namesOf(row.id)).includes('stream.rejected'));
    const otherNode = await openLiveNode();
    expect(await otherNode.connect(row.streamKey)).toBeNull();
    await db.event.updateMany({
      where: { streamId: row.id },
      data: { createdAt: new Date(Date.now() - 61_000) },
    });
    expect(await otherNode.connect(row.streamKey)).toBeNull();
    await waitUntil(async () => (await namesOf(row.id)).length === 3);
    expect(await namesOf(row.id)).toEqual(['stream.started', 'stream.rejected', 'stream.rejected']);
    expect(await namesOf(suspendedStream.id)).toEqual(['stream.rejected']);
  });

  test('the rejection of media becomes an event, once for repeated publishes', async () => {
    const { connect } = await openLiveNode();
    const row = await createStream(teamId);
    const vp9 = steadyFrames({ untilMs: 100, audio: false }).map((frame) => ({ ...frame, codec: 'vp9' }));
    for (let i = 0; i < 3; i++) {
      const connection = await connect(row.streamKey);
      connection?.publish(vp9 as MediaPacket[]);
      expect(connection?.endReason).toBe('cut');
    }
    await waitUntil(async () => (await namesOf(row.id)).length > 0);
    await waitUntil(async () => (await readStream(row.id)).liveNodeId === null);
    const events = await eventsOf(row.id);
    const message = 'video codec is VP9; H.264, HEVC and AV1 are accepted';
    expect(events.map(({ name, payload }) => ({ name, payload }))).toMatchObject([
      { name: 'stream.rejected', payload: { payload: { reason: 'unsupported_media', message } } },
    ]);
    expect(await readStream(row.id)).toMatchObject({ issues: [message] });
  });

  test('a publish sets state, events and counters from its first segment to its unpublish', async () => {
    const { nodeId, connect, sessions } = await openLiveNode();
    const row = await createStream(teamId);
    const connection = await connect(row.streamKey);
    expect(await readStream(row.id)).toMatchObject({ isActive: false, liveNodeId: nodeId });
    connection?.publish(twoSegments);
    await waitUntilActive(row.id);
    expect(sessions.byPlaybackId(row.playbackId)?.renditions.source.window.isPlayable).toBe(true);
    connection?.disconnect('finished');
    const playlistView = sessions.byPlaybackId(row.playbackId)?.renditions.source.window.view();
    expect(playlistView).toMatchObject({ ended: true, open: undefined });
    await waitUntilActive(row.id, false);
    expect(sessions.byPlaybackId(row.playbackId)).toBeUndefined();
    expect(await namesOf(row.id)).toEqual(['stream.started', 'stream.idle']);
    const streamRow = await readStream(row.id);
    expect(streamRow).toMatchObject({ liveNodeId: null, sourceSegments: 3 });
    expect(streamRow.sourceSegmentsDuration).toBeCloseTo(4.1, 1);
    expect(streamRow.sourceBytes).toBeGreaterThan(0n);
    expect(await sessionsOf(row.id)).toMatchObject([{ state: 'waiting', sourceSegments: 3 }]);
  });

  test('the primary encoder continues the session of a standby encoder that resumed it just before', async () => {
    const { connect, sessions } = await openLiveNode();
    const row = await createStream(teamId, { backup: true });
    const backupKey = `backup-of-${row.id}`;
    const backupKeyHash = ctx.secrets.fingerprint('stream-key', backupKey);
    await db.stream.update({ where: { id: row.id }, data: { backupKeyHash } });
    (await connect(backupKey))?.publish(twoSegments);
    // The time of the last media is stored every few seconds, so here it is that of the session before the standby.
    const [session] = await sessionsOf(row.id);
    await db.session.update({
      where: { id: session?.id ?? '' },
      data: { lastSeen: new Date(Date.now() - 10 * 60_000), createdAt: new Date(Date.now() - 20 * 60_000) },
    });
    expect(await connect(row.streamKey)).not.toBeNull();
    expect(await sessionsOf(row.id)).toHaveLength(1);
    expect(sessions.byStream(row.id)?.publish.sessionId).toBe(session?.id);
  });

  test('a second publisher is rejected while the first one sends', async () => {
    const { connect, time } = await openLiveNode();
    const row = await createStream(teamId);
    const firstConnection = await connect(row.streamKey);
    firstConnection?.publish(twoSegments);
    // The test needs three seconds of silence, and a busy machine adds to that.
    time.aheadMs += 1_000;
    expect(await connect(row.streamKey)).toBeNull();
    expect(firstConnection?.endReason).toBeNull();
  });

  test('a second publisher takes over from a silent one, in the same session and without an event', async () => {
    const { connect, time } = await openLiveNode();
    const row = await createStream(teamId);
    const firstConnection = await connect(row.streamKey);
    firstConnection?.publish(twoSegments);
    await waitUntilActive(row.id);
    time.aheadMs += 3_100;
    const secondConnection = await connect(row.streamKey);
    expect(secondConnection).not.toBeNull();
    expect(firstConnection?.endReason).toBe('replaced');
    secondConnection?.publish(twoSegments);
    expect(await namesOf(row.id)).toEqual(['stream.started']);
    expect(await sessionsOf(row.id)).toHaveLength(1);
    expect(await readStream(row.id)).toMatchObject({ isActive: true, runs: 2 });
  });

  test('exactly one of many simultaneous publishers is admitted', async () => {
    const { connect } = await openLiveNode();
    const row = await createStream(teamId);
    const connections = await Promise.all(Array.from({ length: 6 }, () => connect(row.streamKey)));
    expect(connections.filter(Boolean)).toHaveLength(1);
    expect(await sessionsOf(row.id)).toHaveLength(1);
  });

  test('an encoder that is lost before its first segment is complete is active, and recorded in one session', async () => {
    const { connect, sessions } = await openLiveNode();
    const row = await createStream(teamId, { record: true });
    const shortMedia = [videoConfig(), ...steadyFrames({ untilMs: 1_700, audio: false })];
    for (let publishNumber = 0; publishNumber < 3; publishNumber++) {
      const connection = await connect(row.streamKey);
      connection?.publish(shortMedia);
      connection?.disconnect('lost');
    }
    await waitUntilActive(row.id);
    expect(sessions.byPlaybackId(row.playbackId)?.renditions.source.window.view().segments).toHaveLength(3);
    await sessions.close();
    expect(await namesOf(row.id)).toEqual([
      'stream.started',
      'recording.started',
      'stream.idle',
      'recording.waiting',
    ]);
    expect(await sessionsOf(row.id)).toMatchObject([{ sourceSegments: 3, recording: 'waiting' }]);
  });

  test('a stream becomes active even if another publish is admitted before the write of the first one', async () => {
    const { connect } = await openLiveNode();
    const row = await createStream(teamId);
    const firstConnection = await connect(row.streamKey);
    // Another publish is admitted while the write waits.
    await db.stream.update({ where: { id: row.id }, data: { runs: { increment: 1 } } });
    firstConnection?.publish(twoSegments);
    firstConnection?.disconnect('lost');
    await connect(row.streamKey);
    await waitUntilActive(row.id);
    expect(await namesOf(row.id)).toEqual(['stream.started']);
  });

  test('a hundred streams that start together are all admitted', async () => {
    const { connect } = await openLiveNode();
    const rows = await Promise.all(Array.from({ length: 100 }, () => createStream(teamId)));
    // On a busy machine the database may time out, and an encoder then reconnects.
    const connectUntilAnswered = async (streamKey: string): ReturnType<typeof connect> =>
      connect(streamKey).catch(() => connectUntilAnswered(streamKey));
    const connections = await Promise.all(rows.map(({ streamKey }) => connectUntilAnswered(streamKey)));
    expect(connections.filter(Boolean)).toHaveLength(100);
  });

  test('a publish right after an unpublish continues the session, with new events', async () => {
    const { connect } = await openLiveNode();
    const row = await createStream(teamId);
    for (let i = 0; i < 3; i++) {
      const connection = await connect(row.streamKey);
      connection?.publish(twoSegments);
      connection?.disconnect('finished');
    }
    await waitUntil(async () => (await eventsOf(row.id)).length === 6);
    const events = await eventsOf(row.id);
    expect(events.map(({ name }) => name)).toEqual(
      Array.from({ length: 3 }, () => ['stream.started', 'stream.idle']).flat(),
    );
    expect(events.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(await sessionsOf(row.id)).toHaveLength(1);
  });

  test('a new publisher waits for the end of the previous session, whose features get finishSoon', async () => {
    let leave: () => void = () => undefined;
    const leaving = new Promise<void>((resolve) => (leave = resolve));
    const { connect } = await openLiveNode([
      () => ({ follow: () => undefined, close: () => leaving, finishSoon: () => leave() }),
    ]);
    const row = await createStream(teamId);
    (await connect(row.streamKey))?.disconnect('finished');
    expect(await connect(row.streamKey)).not.toBeNull();
  });

  test('segment numbers of a publish that failed immediately are not reused, because its parts are in caches', async () => {
    const { connect, sessions } = await openLiveNode();
    const row = await createStream(teamId);
    const msns: number[] = [];
    for (let i = 0; i < 4; i++) {
      const connection = await connect(row.streamKey);
      connection?.publish([videoConfig(), ...steadyFrames({ untilMs: 1_700, audio: false })]);
      const window = sessions.byPlaybackId(row.playbackId)?.renditions.source.window;
      // A resumed session lists nothing before its first whole segment (ADR 83).
      expect(window?.isStartable).toBe(i === 0);
      msns.push(window?.view().open?.msn ?? Number.NaN);
      connection?.disconnect('cut');
    }
    for (const [index, msn] of msns.slice(1).entries()) expect(msn).toBeGreaterThan(msns[index] ?? msn);
  });

  test('an unavailable database fails the admission, which is not a rejection', async () => {
    const { sessions, drain } = await openLiveNode();
    const offlineCtx = { ...ctx, db: unavailableDatabase };
    const time = { ms: 0 };
    const clock = { now: () => new Date(), monotonic: () => (time.ms += 2_000) };
    const admit = createAdmitPublish({ ...offlineCtx, clock }, sessions, drain);
    const connection = new FakeConnection(() => 0);
    await expect(admit({ app: 'live', streamKey: 'x', ip: '::1' }, connection)).rejects.toThrow();
  });
});

describe('StreamControl', () => {
  const changes = {
    suspended: () => ({ suspended: true }),
    deleted: () => ({ deletedAt: new Date() }),
    terminated: () => ({ lastTerminatedAt: new Date(Date.now() + 60_000) }),
  };

  test.each(Object.entries(changes))('disconnects a stream that was %s', async (_when, createChange) => {
    const { connect, control } = await openLiveNode();
    const row = await createStream(teamId);
    const connection = await connect(row.streamKey);
    connection?.publish(twoSegments);
    await waitUntilActive(row.id);
    await control.reconcile();
    expect(connection?.endReason).toBeNull();
    await db.stream.update({ where: { id: row.id }, data: createChange() });
    await control.reconcile();
    expect(connection?.endReason).toBe('cut');
    await waitUntilActive(row.id, false);
    expect(await namesOf(row.id)).toEqual(['stream.started', 'stream.idle']);
  });

  test('disconnects the streams of a suspended team', async () => {
    const { connect, control } = await openLiveNode();
    const suspendedTeamId = await createTeam();
    const row = await createStream(suspendedTeamId);
    const connection = await connect(row.streamKey);
    await db.team.update({ where: { id: suspendedTeamId }, data: { suspended: true } });
    await control.reconcile();
    expect(connection?.endReason).toBe('cut');
  });

  test('lets the encoder reconnect after a terminate', async () => {
    const { connect, control } = await openLiveNode();
    const row = await createStream(teamId);
    const firstConnection = await connect(row.streamKey);
    await db.$executeRaw`update "Stream" set "lastTerminatedAt" = now() where id = ${row.id}::uuid`;
    await control.reconcile();
    expect(firstConnection?.endReason).toBe('cut');
    const secondConnection = await connect(row.streamKey);
    await control.reconcile();
    expect(secondConnection?.endReason).toBeNull();
  });

  test('reclaims a stream that a sweep released by mistake', async () => {
    const { nodeId, connect, control } = await openLiveNode();
    const row = await createStream(teamId);
    const connection = await connect(row.streamKey);
    connection?.publish(twoSegments);
    await waitUntilActive(row.id);
    await db.node.delete({ where: { id: nodeId } });
    await db.node.create({ data: { id: nodeId, role: 'live', url: 'http://127.0.0.1:1' } });
    await db.stream.update({ where: { id: row.id }, data: { isActive: false, liveNodeId: null } });
    await control.reconcile();
    await waitUntilActive(row.id);
    expect(connection?.endReason).toBeNull();
    expect(await readStream(row.id)).toMatchObject({ liveNodeId: nodeId });
  });

  test('continues in a new session if the previous one was ended meanwhile', async () => {
    const publishes: string[] = [];
    const startFeature: StartFeature = () => ({
      follow: ({ sessionId, settings }) => void publishes.push(`${sessionId} ${settings.record}`),
      close: () => Promise.resolve(),
    });
    const { connect, control, meter } = await openLiveNode([startFeature]);
    const row = await createStream(teamId, { record: true });
    const connection = await connect(row.streamKey);
    connection?.publish(twoSegments);
    await waitUntilActive(row.id);
    await db.stream.update({ where: { id: row.id }, data: { isActive: false, liveNodeId: null } });
    await db.session.updateMany({ where: { parentId: row.id }, data: { state: 'ended' } });
    await control.reconcile();
    await waitUntilActive(row.id);
    expect(connection?.endReason).toBeNull();
    const [sessionBefore, sessionAfter] = await sessionsOf(row.id);
    expect([sessionBefore?.state, sessionAfter?.state, sessionAfter?.recording]).toEqual([
      'ended',
      'live',
      'recording',
    ]);
    expect(publishes).toEqual([`${sessionBefore?.id} true`, `${sessionAfter?.id} true`]);
    const thirdSegment = steadyFrames({ untilMs: 8_300, audio: false }).filter(({ dts }) => dts > 4_080);
    connection?.publish(thirdSegment);
    await meter.flush();
    expect((await sessionsOf(row.id))[1]?.sourceSegments).toBeGreaterThan(0);
  });

  test('releases a stream that another node has', async () => {
    const { connect, control } = await openLiveNode();
    const row = await createStream(teamId);
    const connection = await connect(row.streamKey);
    const otherNodeId = await createNode();
    await db.stream.update({ where: { id: row.id }, data: { liveNodeId: otherNodeId } });
    await control.reconcile();
    expect(connection?.endReason).toBe('cut');
    await delay(100);
    expect(await readStream(row.id)).toMatchObject({ liveNodeId: otherNodeId });
  });

  test('is idle while nothing is published and no row names this node', async () => {
    const { nodeId, connect, control, sessions } = await openLiveNode();
    const idleAfterReconcile = () => control.reconcile().then(() => control.isIdle);
    expect([control.isIdle, await idleAfterReconcile()]).toEqual([false, true]);
    await connect((await createStream(teamId)).streamKey);
    expect([control.isIdle, await idleAfterReconcile()]).toEqual([false, false]);
    await sessions.close();
    await expect.poll(idleAfterReconcile).toBe(true);
    // The answer to an admission may be lost after the row was written.
    const { id } = await createStream(teamId, { suspended: true });
    await sessions.admit(new FakeConnection(() => 0), { streamId: id });
    await db.stream.update({ where: { id }, data: { liveNodeId: nodeId } });
    expect([control.isIdle, await idleAfterReconcile()]).toEqual([false, false]);
    expect([await idleAfterReconcile(), await idleAfterReconcile()]).toEqual([false, true]);
    expect(await readStream(id)).toMatchObject({ liveNodeId: null });
  });

  test('releases a row that names this node without a session, at the second check', async () => {
    const { nodeId, control } = await openLiveNode();
    const row = await createStream(teamId, { isActive: true, liveNodeId: nodeId });
    await control.reconcile();
    expect(await readStream(row.id)).toMatchObject({ isActive: true });
    await control.reconcile();
    expect(await readStream(row.id)).toMatchObject({ isActive: false, liveNodeId: null });
    expect(await namesOf(row.id)).toEqual(['stream.idle']);
  });
});

test('close ends every session and leaves no stream active', async () => {
  const { connect, sessions, nodeId } = await openLiveNode();
  const rows = await Promise.all(Array.from({ length: 3 }, () => createStream(teamId)));
  for (const row of rows) (await connect(row.streamKey))?.publish(twoSegments);
  for (const row of rows) await waitUntilActive(row.id);
  await sessions.close();
  expect(await db.stream.count({ where: { liveNodeId: nodeId } })).toBe(0);
  for (const row of rows) expect(await namesOf(row.id)).toEqual(['stream.started', 'stream.idle']);
  expect(await findStreamOfKey(ctx, rows[0]?.streamKey ?? '')).toMatchObject({ rejectionReason: null });
});
