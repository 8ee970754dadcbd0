import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { deleteAsset, importRecording } from '@/lib/domain/assets';
import type { WorkerContext } from '@/lib/domain/context';
import { recordingKey } from '@/lib/core/storage-keys';
import { newId } from '@/lib/infra/ids';
import { openStorage } from '@/lib/infra/storage';
import { testDatabase } from '@/lib/infra/testing/test-database';
import {
  authorizePublish,
  emitRecordingEvent,
  findPlayback,
  markActive,
  markIdle,
} from '@/lib/domain/streams';
import { createLiveFixtures } from '@/lib/domain/testing/live-fixtures';
import { endExpiredSession } from './end-session';
import { findRecordedSession } from './serialize';
import { startFinishing, listDueSessions, planSessions, delayForSegments } from './start-finishing';
import { startLateSession, holdForSpool, releaseFromSpool, recoverRecording } from './late-recording';
import { completeRecording, postponeRecording } from './complete-recording';
import { deleteOrphanedRecordings, deleteRecordings } from './delete-recordings';

const fixtures = createLiveFixtures(await testDatabase(), { settings: { sessionReconnectSeconds: 360 } });
const { ctx, db, createTeam, createStream, createNode, eventsOf } = fixtures;
const folder = await mkdtemp(join(tmpdir(), 'recordings-'));
afterAll(() => rm(folder, { recursive: true, force: true }));
const worker: WorkerContext = { ...ctx, storage: openStorage({ dataDir: folder }) };
const teamId = await createTeam();

const sessionOf = (id: string) => db.session.findUniqueOrThrow({ where: { id } });
const namesOf = async (id: string) => (await eventsOf(id)).map(({ name }) => name);
const dueSessionIds = async () => (await listDueSessions(ctx)).map(({ sessionId }) => sessionId);

const complete = (id: string) => completeRecording(ctx, id, emitRecordingEvent);
const revive = (id: string) => recoverRecording(ctx, id, emitRecordingEvent);
const startLate = (late: Parameters<typeof startLateSession>[1]) =>
  startLateSession(ctx, late, emitRecordingEvent);

const segment = { period: '1', msn: 7, startMs: 0, durationMs: 2_000, independent: true, wallClockMs: 1e12 };

async function publish(streamId: string) {
  const nodeId = await createNode();
  const publish = await authorizePublish(ctx, { streamId, nodeId });
  if (!publish) throw new Error('not authorized');
  const guard = { streamId, nodeId, publishNumber: publish.publishNumber };
  return { sessionId: publish.sessionId, guard, settings: publish.settings };
}

/** A recorded session after its reconnect window that is not finished. */
async function endSession({ media = true } = {}) {
  const row = await createStream(teamId, { record: true });
  const { sessionId, guard } = await publish(row.id);
  if (media) await markActive(ctx, { ...guard, issues: [] });
  await markIdle(ctx, guard);
  await db.session.update({ where: { id: sessionId }, data: { lastSeen: new Date(0) } });
  expect(await dueSessionIds()).toContain(sessionId);
  expect(await endExpiredSession(ctx, sessionId)).toBe(true);
  return { streamId: row.id, sessionId };
}

async function begin() {
  const endedSession = await endSession();
  const run = await startFinishing(ctx, endedSession.sessionId);
  if (!run) throw new Error('not begun');
  return { ...endedSession, run };
}

async function storeFiles() {
  const startedRun = await begin();
  await importRecording(ctx, startedRun.run, { gaps: [{ from: 1, to: 2 }] });
  const asset = await db.asset.findFirstOrThrow({ where: { sourceSessionId: startedRun.sessionId } });
  return { ...startedRun, assetId: asset.id };
}

async function createReadyRecording() {
  const storedRecording = await storeFiles();
  await db.asset.update({ where: { id: storedRecording.assetId }, data: { phase: 'ready' } });
  await complete(storedRecording.sessionId);
  return storedRecording;
}

describe('a live session', () => {
  test('with recording and one reconnect emits the events of a recording', async () => {
    const row = await createStream(teamId, { record: true });
    const first = await publish(row.id);
    expect(first.settings.record).toBe(true);
    await markActive(ctx, { ...first.guard, issues: [] });
    expect(await sessionOf(first.sessionId)).toMatchObject({ recording: 'recording' });
    await markIdle(ctx, first.guard);
    const second = await publish(row.id);
    await markActive(ctx, { ...second.guard, issues: [] });
    await Promise.all([markIdle(ctx, second.guard), markIdle(ctx, second.guard)]);
    expect(await namesOf(row.id)).toEqual([
      'stream.started',
      'recording.started',
      'stream.idle',
      'recording.waiting',
      'stream.started',
      'stream.idle',
      'recording.waiting',
    ]);
    const events = await eventsOf(row.id);
    expect(events.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(events[1]?.payload).toMatchObject({
      payload: { session: { id: first.sessionId, record: true, recordingStatus: 'waiting' } },
    });
    expect(JSON.stringify(events.map(({ payload }) => payload))).not.toContain('streamKey');
  });

  test('without recording emits no recording events, even if recording is enabled during the session', async () => {
    const row = await createStream(teamId);
    const { sessionId, guard, settings } = await publish(row.id);
    expect(settings).not.toHaveProperty('recordNext');
    await db.stream.update({ where: { id: row.id }, data: { record: true } });
    await markActive(ctx, { ...guard, issues: [] });
    await markIdle(ctx, guard);
    expect(await namesOf(row.id)).toEqual(['stream.started', 'stream.idle']);
    expect(await sessionOf(sessionId)).toMatchObject({ record: false, recording: 'none' });
    const again = await publish(row.id);
    expect(again.settings).toMatchObject({ record: false, recordNext: true });
  });

  test('of a stream taken over from a dead node starts its own recording', async () => {
    const row = await createStream(teamId, { record: true });
    const first = await publish(row.id);
    await markActive(ctx, { ...first.guard, issues: [] });
    await db.node.update({ where: { id: first.guard.nodeId }, data: { seenAt: new Date(0) } });
    await db.session.update({ where: { id: first.sessionId }, data: { lastSeen: new Date(0) } });
    const second = await publish(row.id);
    expect(second.sessionId).not.toBe(first.sessionId);
    expect(await namesOf(row.id)).toEqual(['stream.started', 'recording.started', 'recording.started']);
    expect(await dueSessionIds()).toContain(first.sessionId);
  });

  test('that was never playable has no recording to finish', async () => {
    const { sessionId } = await endSession({ media: false });
    expect(await sessionOf(sessionId)).toMatchObject({ state: 'ended', recording: 'empty' });
    expect(await dueSessionIds()).not.toContain(sessionId);
  });
});

describe('segments in the spool', () => {
  test('of a session that was never reported as playable become a recording', async () => {
    const { sessionId, streamId } = await endSession({ media: false });
    expect(await holdForSpool(ctx, sessionId, 60)).toBe('unheard');
    await deleteRecordings(worker);
    expect(await Promise.all([revive(sessionId), revive(sessionId)])).toContain(true);
    expect(await sessionOf(sessionId)).toMatchObject({ recording: 'processing', recordingRemovedAt: null });
    expect(await namesOf(streamId)).toEqual(['recording.started']);
    expect(await holdForSpool(ctx, sessionId, 60)).toBe('store');
    await releaseFromSpool(ctx, sessionId);
    expect(await dueSessionIds()).toContain(sessionId);
  });

  test('wait for a publish that is about to become active', async () => {
    const row = await createStream(teamId, { record: true });
    const { sessionId, guard } = await publish(row.id);
    expect(await holdForSpool(ctx, sessionId, 60)).toBe('wait');
    expect(await revive(sessionId)).toBe(false);
    await markActive(ctx, { ...guard, issues: [] });
    expect(await holdForSpool(ctx, sessionId, 60)).toBe('store');
  });

  test('that arrive after their recording was finished get a new session, once', async () => {
    const { sessionId: lateOf, streamId } = await createReadyRecording();
    expect(await holdForSpool(ctx, lateOf, 60)).toBe('late');
    const sessionId = newId();
    const segments = [segment, { ...segment, msn: 8, wallClockMs: 1e12 + 2_000 }];
    const late = { sessionId, lateOf, segments };
    expect(await startLate({ ...late, segments: [] })).toBe(false);
    expect([await startLate(late), await startLate(late)]).toEqual([true, true]);
    const session = await sessionOf(sessionId);
    expect(session).toMatchObject({ state: 'ended', recording: 'processing', parentId: streamId });
    expect(session).toMatchObject({ createdAt: new Date(1e12), endedAt: new Date(1e12 + 4_000) });
    expect(session.sourceSegments).toBe(2);
    expect((await namesOf(streamId)).at(-1)).toBe('recording.started');
    expect(await dueSessionIds()).not.toContain(sessionId);
    expect(await holdForSpool(ctx, sessionId, 60)).toBe('store');
    await releaseFromSpool(ctx, sessionId);
    expect(await dueSessionIds()).toContain(sessionId);
  });

  test('of deleted objects are not needed', async () => {
    const { sessionId, streamId } = await createReadyRecording();
    expect(await holdForSpool(ctx, newId(), 60)).toBe('gone');
    await db.stream.update({ where: { id: streamId }, data: { deletedAt: new Date() } });
    const late = { sessionId: newId(), lateOf: sessionId, segments: [segment] };
    expect(await startLate(late)).toBe(false);
  });

  test('wait while the recording is being deleted', async () => {
    const { sessionId } = await endSession({ media: false });
    let during: string | null = null;
    const deletePrefix = async () => void (during = await holdForSpool(ctx, sessionId, 60));
    await deleteRecordings({ ...worker, storage: { ...worker.storage, deletePrefix } });
    expect(during).toBe('wait');
    expect(await holdForSpool(ctx, sessionId, 60)).toBe('unheard');
  });
});

describe('the run that makes the files', () => {
  test('is due after the reconnect window; before, its job is delayed until the window ends', async () => {
    const { sessionId } = await endSession();
    expect(await dueSessionIds()).toContain(sessionId);
    expect((await startFinishing(ctx, sessionId))?.session).toMatchObject({ recordingAttempts: 1 });
    const row = await createStream(teamId, { record: true });
    const { sessionId: open, guard } = await publish(row.id);
    expect(await planSessions(ctx, [open])).toEqual([]);
    await markActive(ctx, { ...guard, issues: [] });
    await markIdle(ctx, guard);
    const lastSeen = new Date(Date.now() - 60_000);
    await db.session.update({ where: { id: open }, data: { lastSeen } });
    const [plannedSession] = await planSessions(ctx, [open]);
    expect(plannedSession?.delayMs).toBeGreaterThan(250_000);
    expect(plannedSession?.delayMs).toBeLessThan(301_000);
    expect(await dueSessionIds()).not.toContain(open);
    expect(await endExpiredSession(ctx, open)).toBe(false);
  });

  test('waits for segments that are still being stored', async () => {
    const { sessionId } = await endSession();
    expect(await holdForSpool(ctx, sessionId, 60)).toBe('store');
    expect(await dueSessionIds()).not.toContain(sessionId);
    expect(await startFinishing(ctx, sessionId)).toBeNull();
    await releaseFromSpool(ctx, sessionId);
    expect(await dueSessionIds()).toContain(sessionId);
  });

  test('does not wait for segments once it has started, unless the job of the session runs again', async () => {
    const { sessionId, run } = await begin();
    expect(await holdForSpool(ctx, sessionId, 60)).toBe('wait');
    await releaseFromSpool(ctx, sessionId);
    await delayForSegments(ctx, sessionId, 1);
    expect(await dueSessionIds()).not.toContain(sessionId);
    expect(await holdForSpool(ctx, sessionId, 60)).toBe('store');
    expect(await importRecording(ctx, run, { gaps: [] })).toBe(false);
  });

  test('is replaced if its process died or hangs, and can no longer write', async () => {
    const { sessionId, run } = await begin();
    const otherRun = await startFinishing(ctx, sessionId);
    expect(otherRun?.session.recordingAttempts).toBe(2);
    expect(await importRecording(ctx, run, { gaps: [] })).toBe(false);
    expect(await postponeRecording(ctx, run, { reason: 'late', final: true })).toBe(false);
    expect(await sessionOf(sessionId)).toMatchObject({ recording: 'processing', recordingError: null });
    expect(await db.asset.count({ where: { sourceSessionId: sessionId } })).toBe(0);
    expect(otherRun && (await importRecording(ctx, otherRun, { gaps: [] }))).toBe(true);
    expect(await db.asset.count({ where: { sourceSessionId: sessionId } })).toBe(1);
  });

  test('is retried after a failure, and fails with its reason after too many attempts', async () => {
    const { sessionId, run } = await begin();
    expect(await postponeRecording(ctx, run, { reason: 'disk', final: false })).toBe(false);
    expect(await dueSessionIds()).not.toContain(sessionId);
    const soon = await sessionOf(sessionId);
    expect(soon.recordingDueAt?.getTime()).toBeGreaterThan(Date.now() + 3_000);
    await db.session.update({
      where: { id: sessionId },
      data: { recordingDueAt: null, recordingAttempts: 7 },
    });
    const last = await startFinishing(ctx, sessionId);
    expect(last && (await postponeRecording(ctx, last, { reason: 'disk', final: false }))).toBe(true);
    expect(await sessionOf(sessionId)).toMatchObject({ recording: 'failed', recordingError: 'disk' });
  });

  test('fails immediately if a retry cannot succeed', async () => {
    const { sessionId, run } = await begin();
    expect(await postponeRecording(ctx, run, { reason: 'nothing', final: true })).toBe(true);
    expect(await sessionOf(sessionId)).toMatchObject({ recording: 'failed', recordingError: 'nothing' });
  });
});

describe('the asset of a recording', () => {
  test('is named after stream and time, and made of the playlist and MP4', async () => {
    const { sessionId, assetId } = await storeFiles();
    const session = await sessionOf(sessionId);
    expect(session).toMatchObject({
      recording: 'importing',
      recordingGaps: [{ from: 1, to: 2 }],
      recordingLease: null,
    });
    const asset = await db.asset.findUniqueOrThrow({ where: { id: assetId }, include: { outputOf: true } });
    expect(asset.name).toMatch(/^Town hall · \d{4}-\d\d-\d\d \d\d:\d\d UTC$/);
    expect(asset.createdAt).toEqual(session.createdAt);
    expect(asset.outputOf[0]?.work).toEqual({
      recorded: {
        mp4Key: `recording/${sessionId}/source.mp4`,
        hlsPrefix: `recording/${sessionId}/hls/`,
      },
    });
  });

  test('makes the recording ready with one event, even for concurrent calls', async () => {
    const { streamId, sessionId, assetId } = await storeFiles();
    await complete(sessionId);
    expect(await sessionOf(sessionId)).toMatchObject({ recording: 'importing' });
    await db.asset.update({ where: { id: assetId }, data: { phase: 'ready' } });
    await Promise.all(Array.from({ length: 4 }, () => complete(sessionId)));
    expect(await sessionOf(sessionId)).toMatchObject({ recording: 'ready' });
    const events = (await eventsOf(streamId)).filter(({ name }) => name === 'recording.ready');
    expect(events).toHaveLength(1);
    const cdn = `${ctx.settings.cdnUrl}/recordings/${sessionId}`;
    expect(events[0]?.payload).toMatchObject({
      payload: {
        recordingUrl: `${cdn}/index.m3u8`,
        mp4Url: `${cdn}/source.mp4`,
        session: { id: sessionId, recordingStatus: 'ready', assetId },
      },
    });
    expect(await findRecordedSession(ctx, sessionId)).toMatchObject({ id: sessionId });
    expect(await findPlayback(ctx, sessionId)).toMatchObject({
      type: 'recording',
      meta: { source: [{ url: `${cdn}/index.m3u8` }, { hrn: 'MP4', url: `${cdn}/source.mp4` }] },
    });
  });

  test('fails the recording with its reason', async () => {
    const { streamId, sessionId, assetId } = await storeFiles();
    await db.asset.update({ where: { id: assetId }, data: { phase: 'failed', errorMessage: 'no video' } });
    await complete(sessionId);
    expect(await sessionOf(sessionId)).toMatchObject({ recording: 'failed', recordingError: 'no video' });
    expect(await namesOf(streamId)).not.toContain('recording.ready');
    expect(await findRecordedSession(ctx, sessionId)).toBeNull();
    await expect(findPlayback(ctx, sessionId)).rejects.toMatchObject({ code: 'not_found' });
  });

  test('deletes the recording when it is deleted later', async () => {
    const { sessionId, assetId } = await createReadyRecording();
    await deleteAsset({ ...ctx, actor: { kind: 'cli', teamId } }, assetId);
    expect(await sessionOf(sessionId)).toMatchObject({ recording: 'deleted' });
    expect(await findRecordedSession(ctx, sessionId)).toBeNull();
  });

  test('deletes the recording when it is deleted before it is ready', async () => {
    const { sessionId, assetId } = await storeFiles();
    await db.asset.update({ where: { id: assetId }, data: { deletedAt: new Date() } });
    await complete(sessionId);
    expect(await sessionOf(sessionId)).toMatchObject({ recording: 'deleted' });
  });
});

describe('a stored recording', () => {
  const store = (sessionId: string) =>
    worker.storage.put(recordingKey(sessionId, 'hls/index.m3u8'), Buffer.from('x'));
  const isStored = async (sessionId: string) =>
    (await worker.storage.head(recordingKey(sessionId, 'hls/index.m3u8'))) !== null;

  test('is deleted with its team after a day', async () => {
    const [keptSession, orphan] = [await createReadyRecording(), await createReadyRecording()];
    for (const { sessionId } of [keptSession, orphan]) await store(sessionId);
    await db.session.delete({ where: { id: orphan.sessionId } });
    expect(await deleteOrphanedRecordings(worker)).toBe(0);
    const later = { now: () => new Date(Date.now() + 25 * 3_600_000), monotonic: () => 0 };
    expect(await deleteOrphanedRecordings({ ...worker, clock: later })).toBe(1);
    expect([await isStored(keptSession.sessionId), await isStored(orphan.sessionId)]).toEqual([true, false]);
  });

  test('is kept while it can be played', async () => {
    const { sessionId } = await createReadyRecording();
    await store(sessionId);
    await deleteRecordings(worker);
    expect(await isStored(sessionId)).toBe(true);
  });

  test('is deleted with its stream, even if the files are still being made', async () => {
    const [readyBefore, during] = [await createReadyRecording(), await storeFiles()];
    for (const { streamId, sessionId } of [readyBefore, during]) {
      await store(sessionId);
      await db.stream.update({ where: { id: streamId }, data: { deletedAt: new Date() } });
    }
    expect(await findRecordedSession(ctx, readyBefore.sessionId)).toBeNull();
    await db.asset.update({ where: { id: during.assetId }, data: { phase: 'ready' } });
    await complete(during.sessionId);
    expect(await sessionOf(during.sessionId)).toMatchObject({ recording: 'deleted' });
    const event = (await eventsOf(during.streamId)).find(({ name }) => name === 'recording.ready');
    const { playbackId } = await db.asset.findUniqueOrThrow({ where: { id: during.assetId } });
    const folder = `${ctx.settings.cdnUrl}/asset/${playbackId}`;
    const addresses = { recordingUrl: `${folder}/index.m3u8`, mp4Url: `${folder}/video/download.mp4` };
    const session = { ...addresses, assetId: during.assetId, recordingStatus: 'ready' };
    expect(event?.payload).toMatchObject({ payload: { ...addresses, session } });
    expect(JSON.stringify(event?.payload)).not.toContain(`/recordings/${during.sessionId}`);
    await deleteRecordings(worker);
    expect(await isStored(during.sessionId)).toBe(false);
    expect((await sessionOf(during.sessionId)).recordingRemovedAt).not.toBeNull();
  });

  test('of a publish too short to play is deleted soon, of a failed recording after a week', async () => {
    const [short, failed, old] = [await endSession({ media: false }), await begin(), await begin()];
    for (const { run } of [failed, old]) await postponeRecording(ctx, run, { reason: 'x', final: true });
    await db.session.update({ where: { id: old.sessionId }, data: { endedAt: new Date(0) } });
    for (const { sessionId } of [short, failed, old]) await store(sessionId);
    await deleteRecordings(worker);
    expect(await isStored(short.sessionId)).toBe(false);
    expect(await isStored(failed.sessionId)).toBe(true);
    expect(await isStored(old.sessionId)).toBe(false);
  });
});
