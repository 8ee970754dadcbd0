import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mp4File } from '@/lib/core/recordings/recorded-segment';
import { recordingKey } from '@/lib/core/storage-keys';
import { notify } from '@/lib/infra/notifications';
import type { StorageDriver } from '@/lib/infra/storage';
import { liveFixtures } from '@/lib/testing/live-fixtures';
import { hasRedis, redisServer } from '@/media-worker/process/testing/redis-server';
import { finishSession } from '@/media-worker/recording/finish-session';
import { importAssetJob } from '@/media-worker/vod/import-asset';
import {
  ffmpegGate,
  jobsProcesses,
  killed,
  processesWith,
  soon,
} from '@/media-worker/tasks/testing/jobs-process';
import { taskRunner } from '@/media-worker/tasks/testing/run-tasks';
import { Packaging } from '@/media-worker/packaging/testing/packaging';
import { complaintsOf, recordedSessions } from '@/media-worker/recording/testing/recorded-session';
import { migrate } from '../migrate';
import { openCluster } from '../postgres/cluster';
import { runSql, startPostgres } from '../postgres/server';

const sessions = await recordedSessions();
const { folder, storage } = sessions;
const cluster = await openCluster(folder, { durable: true });
let server = await startPostgres(cluster);
const databaseUrl = server.url('headwater');
await runSql(server.url('postgres'), 'create database headwater');
await migrate(databaseUrl);
// Registered first, so that it runs last: fixtures close their connections before.
afterAll(async () => {
  await server.stop();
  await sessions.remove();
});
const { ctx, db, account, stream, eventsOf } = liveFixtures(databaseUrl, { settings: { dataDir: folder } });
type Processes = ReturnType<typeof jobsProcesses>;
let userId = '';
let packaging: Packaging;

beforeAll(async () => {
  userId = await account();
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
  const { packets } = await sessions.media(6, ...sources, ...x264);
  packaging = new Packaging();
  packaging.run(packets);
});

/** A recorded session that has ended and whose segments are stored; nothing is due yet. */
async function stored() {
  const parent = await stream(userId, { record: true });
  const { id } = await db.session.create({
    data: {
      ...{ userId, parentId: parent.id, name: 'Town hall', playbackId: parent.playbackId, record: true },
      ...{ state: 'ended', endedAt: new Date() },
    },
  });
  await sessions.store(id, packaging);
  return { sessionId: id, streamId: parent.id };
}

/** Makes the recording of the session due. */
async function due(id: string): Promise<void> {
  await db.session.update({ where: { id }, data: { recording: 'processing' } });
  await notify(db, 'session_due', id);
}

async function ended() {
  const one = await stored();
  await due(one.sessionId);
  return one;
}

const sessionOf = (id: string) => db.session.findUniqueOrThrow({ where: { id } });
const assetsOf = (sessionId: string) => db.asset.findMany({ where: { sourceSessionId: sessionId } });
const tasksOf = (sessionId: string) =>
  db.task.findMany({ where: { outputAsset: { sourceSessionId: sessionId } } });

/**
 * One asset, made by one task, told of once, and both its files play.
 * @param retries of the task
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
  const told = await db.event.findMany({ where: { name: 'asset.ready' } });
  expect(told.filter(({ payload }) => JSON.stringify(payload).includes(asset?.id ?? ''))).toHaveLength(1);
  expect(await complaintsOf(await sessions.path(sessionId, mp4File))).toBe('');
  expect(await complaintsOf(await sessions.path(sessionId, 'hls/index.m3u8'))).toBe('');
}

/** What is being stored right now, and what a run that ended badly left there. */
function unfinishedParts(): string[] {
  const parts = join(folder, 'storage', 'parts');
  return readdirSync(parts).flatMap((owner) => readdirSync(join(parts, owner)));
}

/** Soon, because another recording or a storyboard may be on its way into the storage. */
const expectNoUnfinishedParts = () => expect.poll(unfinishedParts, { timeout: 100_000 }).toEqual([]);

/** As the machine losing its power does: connections cut, nothing written that was not committed. */
async function crash(): Promise<void> {
  const [pid] = (await readFile(join(cluster.directory, 'postmaster.pid'), 'utf8')).split('\n');
  process.kill(Number(pid), 'SIGQUIT');
  await server.stop();
}

test('PostgreSQL dies while the files are made: the next turn makes them, once', async () => {
  const one = await ended();
  const at: { mp4: () => void; goOn: () => void } = { mp4: () => undefined, goOn: () => undefined };
  const reached = new Promise<void>((resolve) => (at.mp4 = resolve));
  const back = new Promise<void>((resolve) => (at.goOn = resolve));
  const held: StorageDriver = {
    ...storage,
    async put(key, ...rest) {
      if (key === recordingKey(one.sessionId, mp4File)) {
        at.mp4();
        await back;
      }
      return storage.put(key, ...rest);
    },
  };
  const finishing = { inSpool: () => Promise.resolve(false), signal: AbortSignal.timeout(200_000) };
  const first = finishSession({ ...ctx, storage: held }, one.sessionId, finishing);
  const failed = expect(first).rejects.toThrow();
  await reached;
  await crash();
  at.goOn();
  // It ends without being able to say so anywhere: its job is tried again.
  await failed;
  server = await startPostgres(cluster);
  expect((await storage.head(recordingKey(one.sessionId, mp4File)))?.bytes).toBeGreaterThan(100_000);
  expect(await sessionOf(one.sessionId)).toMatchObject({ recording: 'processing', recordingAttempts: 1 });
  expect(await assetsOf(one.sessionId)).toEqual([]);

  const work = taskRunner({ ...ctx, storage }, { import: importAssetJob });
  const turn = async () => {
    await finishSession({ ...ctx, storage }, one.sessionId, finishing);
    await work.drain();
    return (await sessionOf(one.sessionId)).recording;
  };
  await expect.poll(turn, { timeout: 100_000 }).toBe('ready');
  await work.close();
  await expectReadyOnce(one, 0);
  await expectNoUnfinishedParts();
});

const gate = ffmpegGate(join(folder, 'gate'));
const posterHeld = () => gate.held(join(folder, 'scratch'), 'poster.jpg')[0];

const untilReady = (sessionId: string) =>
  expect.poll(async () => (await sessionOf(sessionId)).recording, { timeout: 100_000 }).toBe('ready');

async function killInImport(processes: Processes) {
  gate.hold(/poster\.jpg/);
  const jobs = processes.start();
  const broken = await ended();
  process.kill(await soon(posterHeld), 'SIGKILL');
  const taskOf = async (sessionId: string) => (await tasksOf(sessionId))[0];
  await expect
    .poll(async () => (await taskOf(broken.sessionId))?.phase, { timeout: 100_000 })
    .toBe('waiting');
  expect(await taskOf(broken.sessionId)).toMatchObject({
    retries: 1,
    errorMessage: 'ffmpeg was stopped or could not start',
  });
  expect(await sessionOf(broken.sessionId)).toMatchObject({ recording: 'importing' });

  const cut = await ended();
  await soon(posterHeld);
  await killed(jobs);
  gate.open();
  expect(await taskOf(cut.sessionId)).toMatchObject({ phase: 'running', retries: 0 });
  // The programs that it started die with it.
  const started = () => processesWith(join(folder, 'scratch'));
  await expect.poll(started, { timeout: 100_000 }).toEqual([]);

  // Skip the retry delay of half a minute.
  await db.task.updateMany({ where: { phase: 'waiting' }, data: { scheduledAt: new Date(0) } });
  processes.start();
  for (const one of [broken, cut]) {
    await untilReady(one.sessionId);
    // On a slow machine the broken one may have been running again when the process was killed.
    await expectReadyOnce(one, one === cut ? 1 : expect.toBeOneOf([1, 2]));
  }
  await expectNoUnfinishedParts();
  // No task leaves files behind; a storyboard may still be running.
  const left = readdirSync(join(folder, 'scratch')).filter((name) => !name.startsWith('storyboard-'));
  expect(left).toEqual([]);
  await processes.end();
}

/** Runs `act` while no asset of the account can be created: a run that finishes a session waits there. */
async function whileAccountIsLocked(act: () => Promise<void>): Promise<void> {
  await db.$transaction(
    async (tx) => {
      await tx.$executeRaw`set local idle_in_transaction_session_timeout = 0`;
      await tx.$queryRaw`select 1 from "Account" where "id" = ${userId}::uuid for update`;
      await act();
    },
    { timeout: 200_000 },
  );
}

/** Whether the files of this recording are stored and its run waits for the lock. */
async function isWaitingForLock(sessionId: string): Promise<true | undefined> {
  if ((await storage.head(recordingKey(sessionId, mp4File))) === null) return undefined;
  const waiting = await db.$queryRaw<unknown[]>`
    select 1 from pg_stat_activity where "datname" = current_database() and "wait_event_type" = 'Lock'`;
  return waiting.length > 0 || undefined;
}

/** @param lose what happens to the queue before the next process starts */
async function killInFinish(processes: Processes, lose: () => void = () => undefined) {
  const first = processes.start();
  const one = await stored();
  await soon(async () => (await db.node.findFirst({ where: { role: 'jobs' } })) ?? undefined, 20);
  await whileAccountIsLocked(async () => {
    await due(one.sessionId);
    await soon(() => isWaitingForLock(one.sessionId), 10);
    await killed(first);
  });
  expect((await storage.head(recordingKey(one.sessionId, mp4File)))?.bytes).toBeGreaterThan(100_000);
  expect(await sessionOf(one.sessionId)).toMatchObject({ recording: 'processing', recordingAttempts: 1 });
  expect(await assetsOf(one.sessionId)).toEqual([]);
  lose();
  await db.node.deleteMany();
  processes.start();
  await untilReady(one.sessionId);
  await expectReadyOnce(one, 0);
  await expectNoUnfinishedParts();
  expect(await sessionOf(one.sessionId)).toMatchObject({ recordingAttempts: 2 });
  await processes.end();
}

const watchable = existsSync('/proc/self/cmdline');

describe.runIf(watchable)('on PostgreSQL', () => {
  const processes = jobsProcesses(ctx.settings, gate.path);
  afterAll(() => processes.end());
  test('ffmpeg dies inside the import, then the whole process does: both are ready once', () =>
    killInImport(processes));
  test('kill -9 after the files of a recording are made: the next process finishes it once', () =>
    killInFinish(processes));
});

describe.runIf(watchable && hasRedis)('on Redis', async () => {
  const redis = await redisServer();
  const processes = jobsProcesses({ ...ctx.settings, redisUrl: redis.url }, gate.path);
  beforeAll(() => redis.start());
  afterAll(async () => {
    await processes.end();
    await redis.remove();
  });
  test('ffmpeg dies inside the import, then the whole process does: both are ready once', () =>
    killInImport(processes));
  test.each([
    ['', undefined],
    [' and Redis lost everything', () => redis.flush()],
  ])('kill -9 after the files of a recording are made%s: the next process finishes it once', (_, lose) =>
    killInFinish(processes, lose),
  );
});
