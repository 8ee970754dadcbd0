import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { deleteAsset, importRecording } from '@/lib/domain/assets';
import type { WorkerContext } from '@/lib/domain/context';
import { recordingKey } from '@/lib/core/storage-keys';
import { newId } from '@/lib/infra/ids';
import { openStorage } from '@/lib/infra/storage';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
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
import { startRecordingRun, listDueSessions, planSessions, delayForSegments } from './start-recording-run';
import { startLateSession, holdForSpool, releaseFromSpool, recoverRecording } from './late-recording';
import { completeRecording, postponeRecording } from './complete-recording';
import { deleteOrphanedRecordings, deleteRecordings } from './delete-recordings';

const fixtureSettings = { sessionReconnectSeconds: 360 };
const fixtures = createLiveFixtures(await createTestDatabase(), { settings: fixtureSettings });
const { ctx, db, createTeam, createStream, createNode, eventsOf } = fixtures;
const folder = await mkdtemp(join(tmpdir(), 'recordings-'));
afterAll(() => rm(folder, { recursive: true, force: true }));
const worker: WorkerContext = { ...ctx, storage: openStorage({ dataDir: folder }) };
const teamId = await createTeam();
/** Start of the late segments, in Unix milliseconds. */
const START_MS = 1e12;
const segmentTimes = { startMs: 0, durationMs: 2_000, wallClockMs: START_MS };
const lateSegment = { period: '1', msn: 7, ...segmentTimes, independent: true };

const readSession = (id: string) => db.session.findUniqueOrThrow({ where: { id } });
const eventNamesOf = async (id: string) => (await eventsOf(id)).map(({ name }) => name);
const dueSessionIds = async () => (await listDueSessions(ctx)).map(({ sessionId }) => sessionId);

const complete = (id: string) => completeRecording(ctx, id, emitRecordingEvent);
const recover = (id: string) => recoverRecording(ctx, id, emitRecordingEvent);
const startLate = (late: Parameters<typeof startLateSession>[1]) =>
  startLateSession(ctx, late, emitRecordingEvent);

/** Admits a publish on a new node. */
async function publish(streamId: string) {
  const nodeId = await createNode();
  const authorized = await authorizePublish(ctx, { streamId, nodeId });
  if (!authorized) throw new Error('not authorized');
  const { sessionId, publishNumber, settings } = authorized;
  return { sessionId, guard: { streamId, nodeId, publishNumber }, settings };
}

/** Creates a recorded session that has ended, and whose recording is not finished. */
async function createEndedSession({ hasMedia = true } = {}) {
  const row = await createStream(teamId, { record: true });
  const { sessionId, guard } = await publish(row.id);
  if (hasMedia) await markActive(ctx, { ...guard, issues: [] });
  await markIdle(ctx, guard);
  await db.session.update({ where: { id: sessionId }, data: { lastSeen: new Date(0) } });
  expect(await dueSessionIds()).toContain(sessionId);
  expect(await endExpiredSession(ctx, sessionId)).toBe(true);
  return { streamId: row.id, sessionId };
}

/** Creates an ended session and starts the run that makes its files. */
async function startRun() {
  const endedSession = await createEndedSession();
  const run = await startRecordingRun(ctx, endedSession.sessionId);
  if (!run) throw new Error('the run did not start');
  return { ...endedSession, run };
}

/** Creates a recording whose files are stored, and whose asset is not processed yet. */
async function createImportingRecording() {
  const startedRun = await startRun();
  await importRecording(ctx, startedRun.run, { gaps: [{ from: 1, to: 2 }] });
  const asset = await db.asset.findFirstOrThrow({ where: { sourceSessionId: startedRun.sessionId } });
  return { ...startedRun, assetId: asset.id };
}

async function createReadyRecording() {
  const storedRecording = await createImportingRecording();
  await db.asset.update({ where: { id: storedRecording.assetId }, data: { phase: 'ready' } });
  await complete(storedRecording.sessionId);
  return storedRecording;
}

describe('a live session', () => {
  test('with recording and one reconnect emits the events of a recording', async () => {
    const row = await createStream(teamId, { record: true });
    const firstPublish = await publish(row.id);
    expect(firstPublish.settings.record).toBe(true);
    await markActive(ctx, { ...firstPublish.guard, issues: [] });
    expect(await readSession(firstPublish.sessionId)).toMatchObject({ recording: 'recording' });
    await markIdle(ctx, firstPublish.guard);
    const secondPublish = await publish(row.id);
    await markActive(ctx, { ...secondPublish.guard, issues: [] });
    await Promise.all([markIdle(ctx, secondPublish.guard), markIdle(ctx, secondPublish.guard)]);
    expect(await eventNamesOf(row.id)).toEqual([
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
      payload: { session: { id: firstPublish.sessionId, record: true, recordingStatus: 'waiting' } },
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
    expect(await eventNamesOf(row.id)).toEqual(['stream.started', 'stream.idle']);
    expect(await readSession(sessionId)).toMatchObject({ record: false, recording: 'none' });
    const nextPublish = await publish(row.id);
    expect(nextPublish.settings).toMatchObject({ record: false, recordNext: true });
  });

  test('of a stream taken over from a dead node starts its own recording', async () => {
    const row = await createStream(teamId, { record: true });
    const firstPublish = await publish(row.id);
    await markActive(ctx, { ...firstPublish.guard, issues: [] });
    await db.node.update({ where: { id: firstPublish.guard.nodeId }, data: { seenAt: new Date(0) } });
    await db.session.update({ where: { id: firstPublish.sessionId }, data: { lastSeen: new Date(0) } });
    const secondPublish = await publish(row.id);
    expect(secondPublish.sessionId).not.toBe(firstPublish.sessionId);
    expect(await eventNamesOf(row.id)).toEqual(['stream.started', 'recording.started', 'recording.started']);
    expect(await dueSessionIds()).toContain(firstPublish.sessionId);
  });

  test('that was never playable has no recording to finish', async () => {
    const { sessionId } = await createEndedSession({ hasMedia: false });
    expect(await readSession(sessionId)).toMatchObject({ state: 'ended', recording: 'empty' });
    expect(await dueSessionIds()).not.toContain(sessionId);
  });
});

describe('segments in the spool', () => {
  test('of a session that was never reported as playable become a recording', async () => {
    const { sessionId, streamId } = await createEndedSession({ hasMedia: false });
    expect(await holdForSpool(ctx, sessionId, 60)).toBe('create-recording');
    await deleteRecordings(worker);
    expect(await Promise.all([recover(sessionId), recover(sessionId)])).toContain(true);
    expect(await readSession(sessionId)).toMatchObject({ recording: 'processing', recordingRemovedAt: null });
    expect(await eventNamesOf(streamId)).toEqual(['recording.started']);
    expect(await holdForSpool(ctx, sessionId, 60)).toBe('store');
    await releaseFromSpool(ctx, sessionId);
    expect(await dueSessionIds()).toContain(sessionId);
  });

  test('wait for a publish that is about to become active', async () => {
    const row = await createStream(teamId, { record: true });
    const { sessionId, guard } = await publish(row.id);
    expect(await holdForSpool(ctx, sessionId, 60)).toBe('wait');
    expect(await recover(sessionId)).toBe(false);
    await markActive(ctx, { ...guard, issues: [] });
    expect(await holdForSpool(ctx, sessionId, 60)).toBe('store');
  });

  test('that arrive after their recording was finished get a new session, once', async () => {
    const { sessionId: lateOf, streamId } = await createReadyRecording();
    expect(await holdForSpool(ctx, lateOf, 60)).toBe('move');
    const sessionId = newId();
    const segments = [lateSegment, { ...lateSegment, msn: 8, wallClockMs: START_MS + 2_000 }];
    const late = { sessionId, lateOf, segments };
    expect(await startLate({ ...late, segments: [] })).toBe(false);
    expect([await startLate(late), await startLate(late)]).toEqual([true, true]);
    const session = await readSession(sessionId);
    expect(session).toMatchObject({
      state: 'ended',
      recording: 'processing',
      parentId: streamId,
      sourceSegments: 2,
    });
    expect(session).toMatchObject({ createdAt: new Date(START_MS), endedAt: new Date(START_MS + 4_000) });
    expect((await eventNamesOf(streamId)).at(-1)).toBe('recording.started');
    expect(await dueSessionIds()).not.toContain(sessionId);
    expect(await holdForSpool(ctx, sessionId, 60)).toBe('store');
    await releaseFromSpool(ctx, sessionId);
    expect(await dueSessionIds()).toContain(sessionId);
  });

  test('of a missing session or a deleted stream are not needed', async () => {
    const { sessionId, streamId } = await createReadyRecording();
    expect(await holdForSpool(ctx, newId(), 60)).toBe('delete');
    await db.stream.update({ where: { id: streamId }, data: { deletedAt: new Date() } });
    const late = { sessionId: newId(), lateOf: sessionId, segments: [lateSegment] };
    expect(await startLate(late)).toBe(false);
  });

  test('wait while the recording is being deleted', async () => {
    const { sessionId } = await createEndedSession({ hasMedia: false });
    let decisionDuringDeletion: string | null = null;
    const deletePrefix = async () => void (decisionDuringDeletion = await holdForSpool(ctx, sessionId, 60));
    await deleteRecordings({ ...worker, storage: { ...worker.storage, deletePrefix } });
    expect(decisionDuringDeletion).toBe('wait');
    expect(await holdForSpool(ctx, sessionId, 60)).toBe('create-recording');
  });
});

describe('the run that makes the files', () => {
  test('is due after the reconnect window; before, its job is delayed until the window ends', async () => {
    const { sessionId } = await createEndedSession();
    expect(await dueSessionIds()).toContain(sessionId);
    expect((await startRecordingRun(ctx, sessionId))?.session).toMatchObject({ recordingAttempts: 1 });
    const row = await createStream(teamId, { record: true });
    const { sessionId: openSessionId, guard } = await publish(row.id);
    expect(await planSessions(ctx, [openSessionId])).toEqual([]);
    await markActive(ctx, { ...guard, issues: [] });
    await markIdle(ctx, guard);
    const lastSeen = new Date(Date.now() - 60_000);
    await db.session.update({ where: { id: openSessionId }, data: { lastSeen } });
    const [plannedSession] = await planSessions(ctx, [openSessionId]);
    // The window of 360 s began 60 s ago; some seconds are for the test itself.
    expect(plannedSession?.delayMs).toBeGreaterThan(250_000);
    expect(plannedSession?.delayMs).toBeLessThan(301_000);
    expect(await dueSessionIds()).not.toContain(openSessionId);
    expect(await endExpiredSession(ctx, openSessionId)).toBe(false);
  });

  test('waits for segments that are still being stored', async () => {
    const { sessionId } = await createEndedSession();
    expect(await holdForSpool(ctx, sessionId, 60)).toBe('store');
    expect(await dueSessionIds()).not.toContain(sessionId);
    expect(await startRecordingRun(ctx, sessionId)).toBeNull();
    await releaseFromSpool(ctx, sessionId);
    expect(await dueSessionIds()).toContain(sessionId);
  });

  test('does not wait for segments once it has started, unless the job of the session runs again', async () => {
    const { sessionId, run } = await startRun();
    expect(await holdForSpool(ctx, sessionId, 60)).toBe('wait');
    await releaseFromSpool(ctx, sessionId);
    await delayForSegments(ctx, sessionId, 1);
    expect(await dueSessionIds()).not.toContain(sessionId);
    expect(await holdForSpool(ctx, sessionId, 60)).toBe('store');
    expect(await importRecording(ctx, run, { gaps: [] })).toBe(false);
  });

  test('can no longer write once another run of its session has started', async () => {
    const { sessionId, run } = await startRun();
    const otherRun = await startRecordingRun(ctx, sessionId);
    expect(otherRun?.session.recordingAttempts).toBe(2);
    expect(await importRecording(ctx, run, { gaps: [] })).toBe(false);
    expect(await postponeRecording(ctx, run, { reason: 'late', final: true })).toBe(false);
    expect(await readSession(sessionId)).toMatchObject({ recording: 'processing', recordingError: null });
    expect(await db.asset.count({ where: { sourceSessionId: sessionId } })).toBe(0);
    expect(otherRun && (await importRecording(ctx, otherRun, { gaps: [] }))).toBe(true);
    expect(await db.asset.count({ where: { sourceSessionId: sessionId } })).toBe(1);
  });

  test('is retried after a failure, and fails with its reason after eight attempts', async () => {
    const { sessionId, run } = await startRun();
    expect(await postponeRecording(ctx, run, { reason: 'disk', final: false })).toBe(false);
    expect(await dueSessionIds()).not.toContain(sessionId);
    // The first retry is after 5 s.
    expect((await readSession(sessionId)).recordingDueAt?.getTime()).toBeGreaterThan(Date.now() + 3_000);
    const afterSeventhAttempt = { recordingDueAt: null, recordingAttempts: 7 };
    await db.session.update({ where: { id: sessionId }, data: afterSeventhAttempt });
    // The eighth attempt is the last.
    const lastRun = await startRecordingRun(ctx, sessionId);
    expect(lastRun && (await postponeRecording(ctx, lastRun, { reason: 'disk', final: false }))).toBe(true);
    expect(await readSession(sessionId)).toMatchObject({ recording: 'failed', recordingError: 'disk' });
  });

  test('fails immediately if a retry cannot succeed', async () => {
    const { sessionId, run } = await startRun();
    expect(await postponeRecording(ctx, run, { reason: 'nothing', final: true })).toBe(true);
    expect(await readSession(sessionId)).toMatchObject({ recording: 'failed', recordingError: 'nothing' });
  });
});

describe('the asset of a recording', () => {
  test('is named after stream and time, and made of the playlist and MP4', async () => {
    const { sessionId, assetId } = await createImportingRecording();
    const session = await readSession(sessionId);
    expect(session).toMatchObject({ recording: 'importing', recordingLease: null });
    expect(session.recordingGaps).toEqual([{ from: 1, to: 2 }]);
    const asset = await db.asset.findUniqueOrThrow({ where: { id: assetId }, include: { outputOf: true } });
    expect(asset.name).toMatch(/^Town hall · \d{4}-\d\d-\d\d \d\d:\d\d UTC$/);
    expect(asset.createdAt).toEqual(session.createdAt);
    const prefix = `recording/${sessionId}`;
    const recorded = { mp4Key: `${prefix}/source.mp4`, hlsPrefix: `${prefix}/hls/` };
    expect(asset.outputOf[0]?.work).toEqual({ recorded });
  });

  test('makes the recording ready with one event, even for concurrent calls', async () => {
    const { streamId, sessionId, assetId } = await createImportingRecording();
    await complete(sessionId);
    expect(await readSession(sessionId)).toMatchObject({ recording: 'importing' });
    await db.asset.update({ where: { id: assetId }, data: { phase: 'ready' } });
    await Promise.all(Array.from({ length: 4 }, () => complete(sessionId)));
    expect(await readSession(sessionId)).toMatchObject({ recording: 'ready' });
    const events = (await eventsOf(streamId)).filter(({ name }) => name === 'recording.ready');
    expect(events).toHaveLength(1);
    const folderUrl = `${ctx.settings.cdnUrl}/recordings/${sessionId}`;
    const urls = { recordingUrl: `${folderUrl}/index.m3u8`, mp4Url: `${folderUrl}/source.mp4` };
    const session = { id: sessionId, recordingStatus: 'ready', assetId };
    expect(events[0]?.payload).toMatchObject({ payload: { ...urls, session } });
    expect(await findRecordedSession(ctx, sessionId)).toMatchObject({ id: sessionId });
    expect(await findPlayback(ctx, sessionId)).toMatchObject({
      type: 'recording',
      meta: { source: [{ url: urls.recordingUrl }, { hrn: 'MP4', url: urls.mp4Url }] },
    });
  });

  test('fails the recording with its reason', async () => {
    const { streamId, sessionId, assetId } = await createImportingRecording();
    await db.asset.update({ where: { id: assetId }, data: { phase: 'failed', errorMessage: 'no video' } });
    await complete(sessionId);
    expect(await readSession(sessionId)).toMatchObject({ recording: 'failed', recordingError: 'no video' });
    expect(await eventNamesOf(streamId)).not.toContain('recording.ready');
    expect(await findRecordedSession(ctx, sessionId)).toBeNull();
    await expect(findPlayback(ctx, sessionId)).rejects.toMatchObject({ code: 'not_found' });
  });

  test('deletes the recording when it is deleted later', async () => {
    const { sessionId, assetId } = await createReadyRecording();
    await deleteAsset({ ...ctx, actor: { kind: 'cli', teamId } }, assetId);
    expect(await readSession(sessionId)).toMatchObject({ recording: 'deleted' });
    expect(await findRecordedSession(ctx, sessionId)).toBeNull();
  });

  test('deletes the recording when it is deleted before it is ready', async () => {
    const { sessionId, assetId } = await createImportingRecording();
    await db.asset.update({ where: { id: assetId }, data: { deletedAt: new Date() } });
    await complete(sessionId);
    expect(await readSession(sessionId)).toMatchObject({ recording: 'deleted' });
  });
});

describe('a stored recording', () => {
  const storePlaylist = (sessionId: string) =>
    worker.storage.put(recordingKey(sessionId, 'hls/index.m3u8'), Buffer.from('x'));
  const isStored = async (sessionId: string) =>
    (await worker.storage.head(recordingKey(sessionId, 'hls/index.m3u8'))) !== null;

  test('is deleted after a day if its session has no row, because its team was deleted', async () => {
    const [keptSession, orphan] = [await createReadyRecording(), await createReadyRecording()];
    for (const { sessionId } of [keptSession, orphan]) await storePlaylist(sessionId);
    await db.session.delete({ where: { id: orphan.sessionId } });
    expect(await deleteOrphanedRecordings(worker)).toBe(0);
    const laterClock = { now: () => new Date(Date.now() + 25 * 3_600_000), monotonic: () => 0 };
    expect(await deleteOrphanedRecordings({ ...worker, clock: laterClock })).toBe(1);
    expect([await isStored(keptSession.sessionId), await isStored(orphan.sessionId)]).toEqual([true, false]);
  });

  test('is kept while it can be played', async () => {
    const { sessionId } = await createReadyRecording();
    await storePlaylist(sessionId);
    await deleteRecordings(worker);
    expect(await isStored(sessionId)).toBe(true);
  });

  test('is deleted with its stream, even if its asset is still being made', async () => {
    const [ready, importing] = [await createReadyRecording(), await createImportingRecording()];
    for (const { streamId, sessionId } of [ready, importing]) {
      await storePlaylist(sessionId);
      await db.stream.update({ where: { id: streamId }, data: { deletedAt: new Date() } });
    }
    expect(await findRecordedSession(ctx, ready.sessionId)).toBeNull();
    await db.asset.update({ where: { id: importing.assetId }, data: { phase: 'ready' } });
    await complete(importing.sessionId);
    expect(await readSession(importing.sessionId)).toMatchObject({ recording: 'deleted' });
    const event = (await eventsOf(importing.streamId)).find(({ name }) => name === 'recording.ready');
    const { playbackId } = await db.asset.findUniqueOrThrow({ where: { id: importing.assetId } });
    const assetUrl = `${ctx.settings.cdnUrl}/asset/${playbackId}`;
    const urls = { recordingUrl: `${assetUrl}/index.m3u8`, mp4Url: `${assetUrl}/video/download.mp4` };
    const session = { ...urls, assetId: importing.assetId, recordingStatus: 'ready' };
    expect(event?.payload).toMatchObject({ payload: { ...urls, session } });
    expect(JSON.stringify(event?.payload)).not.toContain(`/recordings/${importing.sessionId}`);
    await deleteRecordings(worker);
    expect(await isStored(importing.sessionId)).toBe(false);
    expect((await readSession(importing.sessionId)).recordingRemovedAt).not.toBeNull();
  });

  test('of a publish too short to play is deleted by the next sweep, of a failed recording after a week', async () => {
    const shortSession = await createEndedSession({ hasMedia: false });
    const [newRun, oldRun] = [await startRun(), await startRun()];
    for (const { run } of [newRun, oldRun]) await postponeRecording(ctx, run, { reason: 'x', final: true });
    await db.session.update({ where: { id: oldRun.sessionId }, data: { endedAt: new Date(0) } });
    const sessionIds = [shortSession, newRun, oldRun].map(({ sessionId }) => sessionId);
    await Promise.all(sessionIds.map(storePlaylist));
    await deleteRecordings(worker);
    expect(await Promise.all(sessionIds.map(isStored))).toEqual([false, true, false]);
  });
});
