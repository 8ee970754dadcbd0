import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mp4File } from '@/lib/core/sessions/recorded-segment';
import { recordingKey } from '@/lib/core/storage-keys';
import { notify } from '@/lib/infra/notifications';
import type { StorageDriver } from '@/lib/infra/storage';
import { createLiveFixtures } from '@/lib/domain/testing/live-fixtures';
import { hasRedis, createRedisServer } from '@/media-worker/kit/process/testing/redis-server';
import { finishSession } from '@/media-worker/recording/finish-session';
import { importAssetJob } from '@/media-worker/vod/import/import-asset';
import {
  createFfmpegGate,
  createJobsProcesses,
  killAndWait,
  processesWith,
  pollForValue,
} from '@/media-worker/vod/tasks/testing/jobs-process';
import { createTaskRunner } from '@/media-worker/vod/tasks/testing/run-tasks';
import { Packaging } from '@/media-worker/media/packaging/testing/packaging';
import { readDecoderErrors, createRecordedSessions } from '@/media-worker/recording/testing/recorded-session';
import { migrate } from '../migrate';
import { openCluster } from '../postgres/cluster';
import { runSql, startPostgres } from '../postgres/server';

const sessions = await createRecordedSessions();
const { folder, storage } = sessions;
const cluster = await openCluster(folder, { durable: true });
let server = await startPostgres(cluster);
const databaseUrl = server.url('headwater');
await runSql(server.url('postgres'), 'create database headwater');
await migrate(databaseUrl);
// Registered first, so that it runs last, after fixtures have closed their connections.
afterAll(async () => {
  await server.stop();
  await sessions.remove();
});
const { ctx, db, createTeam, createStream, eventsOf } = createLiveFixtures(databaseUrl, {
  settings: { dataDir: folder },
});
type Processes = ReturnType<typeof createJobsProcesses>;
let teamId = '';
let packaging: Packaging;

beforeAll(async () => {
  teamId = await createTeam();
  const x264 = '-c:v libx264 -preset ultrafast -pix_fmt yuv420p -g 25 -sc_threshold 0 -c:a aac'.split(' ');
  const sources = [
    '-f',
    'lavfi',
    '-i',
    'testsrc2=size=640x360:rate=25',
    '-f',
    'lavfi',
    '-i',
    'sine=sample_rate=48000',
  ];
  const { packets } = await sessions.encodePackets(6, ...sources, ...x264);
  packaging = new Packaging();
  packaging.run(packets);
});

/** Creates a recorded session that has ended and whose segments are stored. Its recording is not due yet. */
async function createStoredSession() {
  const parent = await createStream(teamId, { record: true });
  const { id } = await db.session.create({
    data: {
      teamId,
      parentId: parent.id,
      name: 'Town hall',
      playbackId: parent.playbackId,
      record: true,
      state: 'ended',
      endedAt: new Date(),
    },
  });
  await sessions.store(id, packaging);
  return { sessionId: id, streamId: parent.id };
}

/** Makes the recording of the session due. */
async function makeDue(id: string): Promise<void> {
  await db.session.update({ where: { id }, data: { recording: 'processing' } });
  await notify(db, 'session_due', id);
}

async function createDueSession() {
  const session = await createStoredSession();
  await makeDue(session.sessionId);
  return session;
}

const sessionOf = (id: string) => db.session.findUniqueOrThrow({ where: { id } });
const assetsOf = (sessionId: string) => db.asset.findMany({ where: { sourceSessionId: sessionId } });
const tasksOf = (sessionId: string) =>
  db.task.findMany({ where: { outputAsset: { sourceSessionId: sessionId } } });

/**
 * Expects one asset, created by one task and announced by one event, with playable MP4 and HLS.
 * @param retries expected retries of the task
 */
async function expectReadyOnce(
  { sessionId, streamId }: { sessionId: string; streamId: string },
  retries: unknown,
) {
  expect(await sessionOf(sessionId)).toMatchObject({ recording: 'ready', recordingError: null });
  expect(await assetsOf(sessionId)).toMatchObject([{ phase: 'ready' }]);
  expect(await tasksOf(sessionId)).toMatchObject([{ phase: 'completed', retries }]);
  expect((await eventsOf(streamId)).map(({ name }) => name)).toEqual(['recording.ready']);
  const [asset] = await assetsOf(sessionId);
  const events = await db.event.findMany({ where: { name: 'asset.ready' } });
  expect(events.filter(({ payload }) => JSON.stringify(payload).includes(asset?.id ?? ''))).toHaveLength(1);
  expect(await readDecoderErrors(await sessions.path(sessionId, mp4File))).toBe('');
  expect(await readDecoderErrors(await sessions.path(sessionId, 'hls/index.m3u8'))).toBe('');
}

/** Files that are being stored, or that a failed run left behind. */
function unfinishedParts(): string[] {
  const parts = join(folder, 'storage', 'parts');
  return readdirSync(parts).flatMap((owner) => readdirSync(join(parts, owner)));
}

/** Polls, because another recording or a storyboard may still be stored. */
const expectNoUnfinishedParts = () => expect.poll(unfinishedParts, { timeout: 100_000 }).toEqual([]);

/** Simulates a power failure: connections break, and uncommitted data is lost. */
async function crash(): Promise<void> {
  const [pid] = (await readFile(join(cluster.directory, 'postmaster.pid'), 'utf8')).split('\n');
  process.kill(Number(pid), 'SIGQUIT');
  await server.stop();
}

test('if PostgreSQL crashes while the files are made, the next attempt makes one recording', async () => {
  const session = await createDueSession();
  const signals: { reached: () => void; resume: () => void } = {
    reached: () => undefined,
    resume: () => undefined,
  };
  const whenReached = new Promise<void>((resolve) => (signals.reached = resolve));
  const whenResumed = new Promise<void>((resolve) => (signals.resume = resolve));
  const pausingStorage: StorageDriver = {
    ...storage,
    async put(key, ...args) {
      if (key === recordingKey(session.sessionId, mp4File)) {
        signals.reached();
        await whenResumed;
      }
      return storage.put(key, ...args);
    },
  };
  const finishOptions = { inSpool: () => Promise.resolve(false), signal: AbortSignal.timeout(200_000) };
  const firstRun = finishSession({ ...ctx, storage: pausingStorage }, session.sessionId, finishOptions);
  const failure = expect(firstRun).rejects.toThrow();
  await whenReached;
  await crash();
  signals.resume();
  // The run cannot record its failure, so the job is retried.
  await failure;
  server = await startPostgres(cluster);
  expect((await storage.head(recordingKey(session.sessionId, mp4File)))?.bytes).toBeGreaterThan(100_000);
  expect(await sessionOf(session.sessionId)).toMatchObject({ recording: 'processing', recordingAttempts: 1 });
  expect(await assetsOf(session.sessionId)).toEqual([]);

  const work = createTaskRunner({ ...ctx, storage }, { import: importAssetJob });
  const retry = async () => {
    await finishSession({ ...ctx, storage }, session.sessionId, finishOptions);
    await work.drain();
    return (await sessionOf(session.sessionId)).recording;
  };
  await expect.poll(retry, { timeout: 100_000 }).toBe('ready');
  await work.close();
  await expectReadyOnce(session, 0);
  await expectNoUnfinishedParts();
});

const gate = createFfmpegGate(join(folder, 'gate'), process.env.PATH ?? '');
const findHeldPoster = () => gate.heldProcesses(join(folder, 'scratch'), 'poster.jpg')[0];

const waitUntilReady = (sessionId: string) =>
  expect.poll(async () => (await sessionOf(sessionId)).recording, { timeout: 100_000 }).toBe('ready');

async function killInImport(processes: Processes) {
  gate.hold(/poster\.jpg/);
  const jobs = processes.start();
  const brokenSession = await createDueSession();
  process.kill(await pollForValue(findHeldPoster), 'SIGKILL');
  const taskOf = async (sessionId: string) => (await tasksOf(sessionId))[0];
  await expect
    .poll(async () => (await taskOf(brokenSession.sessionId))?.phase, { timeout: 100_000 })
    .toBe('waiting');
  expect(await taskOf(brokenSession.sessionId)).toMatchObject({
    retries: 1,
    errorMessage: 'ffmpeg was stopped or could not start',
  });
  expect(await sessionOf(brokenSession.sessionId)).toMatchObject({ recording: 'importing' });

  const cutSession = await createDueSession();
  await pollForValue(findHeldPoster);
  await killAndWait(jobs);
  gate.open();
  expect(await taskOf(cutSession.sessionId)).toMatchObject({ phase: 'running', retries: 0 });
  // The child processes of the worker die with it.
  const runningPids = () => processesWith(join(folder, 'scratch'));
  await expect.poll(runningPids, { timeout: 100_000 }).toEqual([]);

  // Skip the retry delay of half a minute.
  await db.task.updateMany({ where: { phase: 'waiting' }, data: { scheduledAt: new Date(0) } });
  processes.start();
  for (const session of [brokenSession, cutSession]) {
    await waitUntilReady(session.sessionId);
    // On a slow machine, the retry of the damaged session may have been running when the process was killed.
    await expectReadyOnce(session, session === cutSession ? 1 : expect.toBeOneOf([1, 2]));
  }
  await expectNoUnfinishedParts();
  // Tasks leave no files behind. A storyboard may still be running.
  const filesLeft = readdirSync(join(folder, 'scratch')).filter((name) => !name.startsWith('storyboard-'));
  expect(filesLeft).toEqual([]);
  await processes.end();
}

/** Runs `act` while the team is locked, so that a run that finishes a session waits before it creates the asset. */
async function whileTeamIsLocked(act: () => Promise<void>): Promise<void> {
  await db.$transaction(
    async (tx) => {
      await tx.$executeRaw`set local idle_in_transaction_session_timeout = 0`;
      await tx.$queryRaw`select 1 from "Team" where "id" = ${teamId}::uuid for update`;
      await act();
    },
    { timeout: 200_000 },
  );
}

/** Whether the files of this recording are stored and its run waits for the lock. */
async function isWaitingForLock(sessionId: string): Promise<true | undefined> {
  if ((await storage.head(recordingKey(sessionId, mp4File))) === null) return undefined;
  const waitingQueries = await db.$queryRaw<unknown[]>`
    select 1 from pg_stat_activity where "datname" = current_database() and "wait_event_type" = 'Lock'`;
  return waitingQueries.length > 0 || undefined;
}

/**
 * Kills the process that finishes a session after its files are made, and expects one recording.
 * @param loseQueueData deletes the data of the queue before the next process starts
 */
async function killInFinish(processes: Processes, loseQueueData: () => void = () => undefined) {
  const firstProcess = processes.start();
  const session = await createStoredSession();
  await pollForValue(async () => (await db.node.findFirst({ where: { role: 'jobs' } })) ?? undefined, 20);
  await whileTeamIsLocked(async () => {
    await makeDue(session.sessionId);
    await pollForValue(() => isWaitingForLock(session.sessionId), 10);
    await killAndWait(firstProcess);
  });
  expect((await storage.head(recordingKey(session.sessionId, mp4File)))?.bytes).toBeGreaterThan(100_000);
  expect(await sessionOf(session.sessionId)).toMatchObject({ recording: 'processing', recordingAttempts: 1 });
  expect(await assetsOf(session.sessionId)).toEqual([]);
  loseQueueData();
  await db.node.deleteMany();
  processes.start();
  await waitUntilReady(session.sessionId);
  await expectReadyOnce(session, 0);
  await expectNoUnfinishedParts();
  expect(await sessionOf(session.sessionId)).toMatchObject({ recordingAttempts: 2 });
  await processes.end();
}

const hasProcFs = existsSync('/proc/self/cmdline');

describe.runIf(hasProcFs)('on PostgreSQL', () => {
  const processes = createJobsProcesses(ctx.settings, gate.path);
  afterAll(() => processes.end());
  test('imports succeed once after ffmpeg is killed, and after the whole process is killed', () =>
    killInImport(processes));
  test('a recording is finished once if the process is killed after its files are made', () =>
    killInFinish(processes));
});

describe.runIf(hasProcFs && hasRedis)('on Redis (apt-get install redis-server)', async () => {
  const redis = await createRedisServer();
  const processes = createJobsProcesses({ ...ctx.settings, redisUrl: redis.url }, gate.path);
  beforeAll(() => redis.start());
  afterAll(async () => {
    await processes.end();
    await redis.remove();
  });
  test('imports succeed once after ffmpeg is killed, and after the whole process is killed', () =>
    killInImport(processes));
  test.each([
    ['keeps its data', undefined],
    ['loses its data', () => redis.flush()],
  ])(
    'a recording is finished once if the process is killed after its files are made, and Redis %s',
    (_, loseQueueData) => killInFinish(processes, loseQueueData),
  );
});
