import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { TeamContext, WorkerContext } from '@/lib/domain/context';
import { type RecordedSegment, initPath, segmentPath } from '@/lib/core/sessions/recorded-segment';
import { recordingKey } from '@/lib/core/storage-keys';
import { openStorage } from '@/lib/infra/storage';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { readStoredBytes } from '@/lib/domain/metering';
import {
  authorizePublish,
  deleteStream,
  findPlayback,
  markActive,
  markIdle,
  readLiveSettings,
  updateStream,
} from '@/lib/domain/streams';
import { createLiveFixtures } from '@/lib/domain/testing/live-fixtures';
import { endExpiredSession } from './end-session';
import { getSession } from './get-session';
import { holdForSpool, markForDvr, releaseFromSpool } from './late-recording';
import { deleteRecordings } from './delete-recordings';
import { findDvrSession, findRecordedSession } from './serialize';
import { listDueSessions } from './start-recording-run';
import { expireDvrSegments } from './expire-dvr';

const fixtures = createLiveFixtures(await createTestDatabase(), {
  settings: { sessionReconnectSeconds: 360 },
});
const { ctx, db, createTeam, createStream, createNode, eventsOf } = fixtures;
const folder = await mkdtemp(join(tmpdir(), 'dvr-'));
afterAll(() => rm(folder, { recursive: true, force: true }));
const worker: WorkerContext = { ...ctx, storage: openStorage({ dataDir: folder }) };
const team: TeamContext = { ...ctx, actor: { kind: 'cli', teamId: await createTeam() } };

const readSession = (id: string) => db.session.findUniqueOrThrow({ where: { id } });
const eventNamesOf = async (id: string) => (await eventsOf(id)).map(({ name }) => name);

/** Admits a publish on a new node. */
async function publish(streamId: string) {
  const nodeId = await createNode();
  const authorized = await authorizePublish(ctx, { streamId, nodeId });
  if (!authorized) throw new Error('not authorized');
  const { sessionId, publishNumber, settings } = authorized;
  return { sessionId, guard: { streamId, nodeId, publishNumber }, settings };
}

/** Starts a live session of a stream that is not recorded, and marks it as a session with stored segments. */
async function startDvrSession(dvrSeconds = 600) {
  const row = await createStream(team.actor.teamId);
  await updateStream(team, { id: row.id, change: { dvrSeconds } });
  const startedPublish = await publish(row.id);
  await markActive(ctx, { ...startedPublish.guard, issues: [] });
  expect(await holdForSpool(ctx, startedPublish.sessionId, 60)).toBe('mark-for-dvr');
  expect(await markForDvr(ctx, startedPublish.sessionId)).toBe(true);
  return { streamId: row.id, playbackId: row.playbackId, ...startedPublish };
}

/** Ends a session whose reconnect window is over. */
async function endSession({
  sessionId,
  guard,
}: Pick<Awaited<ReturnType<typeof startDvrSession>>, 'sessionId' | 'guard'>) {
  await markIdle(ctx, guard);
  await db.session.update({ where: { id: sessionId }, data: { lastSeen: new Date(0) } });
  expect(await endExpiredSession(ctx, sessionId)).toBe(true);
}

const createSegment = (ageMs: number): RecordedSegment => ({
  period: '1',
  msn: 1,
  startMs: 0,
  durationMs: 2_000,
  independent: true,
  wallClockMs: Date.now() - ageMs,
});
async function storeFiles(sessionId: string, files: readonly string[]) {
  for (const file of files) await worker.storage.put(recordingKey(sessionId, file), Buffer.from('x'));
}
async function listStoredFiles(sessionId: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of worker.storage.list(recordingKey(sessionId, 'hls/'))) keys.push(key);
  return keys.map((key) => key.slice(recordingKey(sessionId, '').length)).toSorted();
}

test('segments stored for DVR do not become a recording, and are deleted after the session ended', async () => {
  const dvrSession = await startDvrSession();
  const { sessionId, streamId, playbackId } = dvrSession;
  expect(dvrSession.settings).toMatchObject({ record: false, dvr: true });
  expect(await holdForSpool(ctx, sessionId, 60)).toBe('store');
  expect(await findDvrSession(ctx, playbackId)).toEqual({ id: sessionId, seconds: 600 });
  const { meta } = await findPlayback(ctx, playbackId);
  expect(meta.dvrPlayback?.[0]?.url).toMatch(/\/index\.m3u8\?dvr=1$/);
  await storeFiles(sessionId, ['hls/source/init-1.mp4', segmentPath('source', createSegment(4_000))]);
  expect(await findRecordedSession(ctx, sessionId)).toBeNull();
  await endSession(dvrSession);
  expect(await findDvrSession(ctx, playbackId)).toBeNull();
  expect(await readSession(sessionId)).toMatchObject({ record: false, recording: 'deleted' });
  expect(await holdForSpool(ctx, sessionId, 60)).toBe('delete');
  expect(await markForDvr(ctx, sessionId)).toBe(false);
  // Segments that are still being stored prevent the deletion.
  await deleteRecordings(worker);
  expect(await listStoredFiles(sessionId)).toHaveLength(2);
  await releaseFromSpool(ctx, sessionId);
  expect((await listDueSessions(ctx)).map(({ sessionId: id }) => id)).not.toContain(sessionId);
  await deleteRecordings(worker);
  expect(await listStoredFiles(sessionId)).toEqual([]);
  expect(await eventNamesOf(streamId)).toEqual(['stream.started', 'stream.idle']);
  const apiSession = await getSession(team, sessionId);
  expect(apiSession).toMatchObject({ record: false });
  expect(apiSession).not.toHaveProperty('recordingStatus');
  expect(await db.asset.count({ where: { sourceSessionId: sessionId } })).toBe(0);
});

test('a session that was not marked for DVR has nothing to delete', async () => {
  const row = await createStream(team.actor.teamId);
  const startedPublish = await publish(row.id);
  await endSession(startedPublish);
  expect(await readSession(startedPublish.sessionId)).toMatchObject({ recording: 'none' });
  expect(await holdForSpool(ctx, startedPublish.sessionId, 60)).toBe('delete');
});

test('another node that takes over the stream continues the same session', async () => {
  const dvrSession = await startDvrSession();
  await db.node.update({ where: { id: dvrSession.guard.nodeId }, data: { seenAt: new Date(0) } });
  const secondPublish = await publish(dvrSession.streamId);
  expect(secondPublish).toMatchObject({ sessionId: dvrSession.sessionId, settings: { dvr: true } });
  expect(await holdForSpool(ctx, dvrSession.sessionId, 60)).toBe('store');
});

test('a publish after the reconnect window replaces the session, whose segments are marked as deleted', async () => {
  const dvrSession = await startDvrSession();
  await markIdle(ctx, dvrSession.guard);
  await db.session.update({ where: { id: dvrSession.sessionId }, data: { lastSeen: new Date(0) } });
  const secondPublish = await publish(dvrSession.streamId);
  expect(secondPublish.sessionId).not.toBe(dvrSession.sessionId);
  expect(await readSession(dvrSession.sessionId)).toMatchObject({ state: 'ended', recording: 'deleted' });
});

test('the sweep deletes the segments of all renditions outside the DVR window', async () => {
  const { sessionId, streamId } = await startDvrSession(600);
  const recent = ['source', 'r-1'].map((name) => segmentPath(name, createSegment(500_000)));
  const expired = ['source', 'r-1'].map((name) => segmentPath(name, createSegment(700_000)));
  const inits = ['source', 'r-1'].map((name) => initPath(name, '1'));
  await storeFiles(sessionId, [...recent, ...expired, ...inits]);
  expect(await expireDvrSegments(worker)).toBe(2);
  expect(await listStoredFiles(sessionId)).toEqual([...recent, ...inits].toSorted());
  await updateStream(team, { id: streamId, change: { dvrSeconds: 60 } });
  expect(await expireDvrSegments(worker)).toBe(2);
  expect(await expireDvrSegments(worker)).toBe(0);
  expect(await listStoredFiles(sessionId)).toEqual(inits.toSorted());
});

test('the sweep keeps recordings', async () => {
  const row = await createStream(team.actor.teamId, { record: true });
  await updateStream(team, { id: row.id, change: { dvrSeconds: 60 } });
  const { sessionId, guard, settings } = await publish(row.id);
  await markActive(ctx, { ...guard, issues: [] });
  expect(settings).not.toHaveProperty('dvr');
  await storeFiles(sessionId, [segmentPath('source', createSegment(10_000_000))]);
  await expireDvrSegments(worker);
  expect(await listStoredFiles(sessionId)).toHaveLength(1);
  expect(await findDvrSession(ctx, row.playbackId)).toEqual({ id: sessionId, seconds: 60 });
});

test('enabling and disabling DVR on a live stream takes effect immediately', async () => {
  const row = await createStream(team.actor.teamId);
  const { sessionId, settings } = await publish(row.id);
  expect(settings).not.toHaveProperty('dvr');
  const readSettings = () => readLiveSettings(ctx, { streamId: row.id, sessionId });
  await updateStream(team, { id: row.id, change: { dvrSeconds: 300 } });
  expect(await readSettings()).toMatchObject({ dvr: true, version: settings.version + 1 });
  await markForDvr(ctx, sessionId);
  expect(await findDvrSession(ctx, row.playbackId)).toEqual({ id: sessionId, seconds: 300 });
  for (const dvrSeconds of [0, null]) {
    await updateStream(team, { id: row.id, change: { dvrSeconds } });
    expect(await readSettings()).not.toHaveProperty('dvr');
    expect(await findDvrSession(ctx, row.playbackId)).toBeNull();
    expect((await findPlayback(ctx, row.playbackId)).meta).not.toHaveProperty('dvrPlayback');
  }
});

test('with a DVR window of 0, viewers cannot seek back in a recorded stream', async () => {
  const row = await createStream(team.actor.teamId, { record: true });
  const { guard, sessionId } = await publish(row.id);
  await markActive(ctx, { ...guard, issues: [] });
  // The default window of a recorded stream is four hours.
  expect(await findDvrSession(ctx, row.playbackId)).toEqual({ id: sessionId, seconds: 14_400 });
  await updateStream(team, { id: row.id, change: { dvrSeconds: 0 } });
  expect(await findDvrSession(ctx, row.playbackId)).toBeNull();
  expect((await findPlayback(ctx, row.playbackId)).meta).not.toHaveProperty('dvrPlayback');
});

test('DVR segments count for the storage of the team, and are rejected when the quota is reached', async () => {
  const newTeamContext: TeamContext = { ...ctx, actor: { kind: 'cli', teamId: await createTeam() } };
  const { teamId } = newTeamContext.actor;
  const row = await createStream(teamId);
  await updateStream(newTeamContext, { id: row.id, change: { dvrSeconds: 100 } });
  const { sessionId } = await publish(row.id);
  await markForDvr(ctx, sessionId);
  const data = { sourceBytes: 8_000n, transcodedBytes: 2_000n, sourceSegmentsDuration: 1_000 };
  await db.session.update({ where: { id: sessionId }, data });
  const readTeamBytes = async () => (await readStoredBytes(ctx, [teamId])).get(teamId);
  // The DVR window of 100 s is a tenth of the session, which has 10,000 bytes.
  expect(await readTeamBytes()).toMatchObject({ bytes: 1_000, dvr: 1_000, recordings: 0 });
  await db.session.update({ where: { id: sessionId }, data: { sourceSegmentsDuration: 50 } });
  expect(await readTeamBytes()).toMatchObject({ dvr: 10_000 });
  await db.teamQuota.create({ data: { teamId, storageBytes: 5_000n } });
  const settings = await readLiveSettings(ctx, { streamId: row.id, sessionId });
  expect(settings).not.toHaveProperty('dvr');
  expect(settings.dvrRejected).toMatch(/^Viewers cannot go back \(dvrSeconds\)\. storage: 10 kB of 5 kB/);
});

test('DVR segments are marked as deleted when their stream is deleted while live', async () => {
  const dvrSession = await startDvrSession();
  await deleteStream(team, dvrSession.streamId);
  expect(await readSession(dvrSession.sessionId)).toMatchObject({ recording: 'deleted' });
  expect(await holdForSpool(ctx, dvrSession.sessionId, 60)).toBe('delete');
});
