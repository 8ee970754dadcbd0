import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { getAsset, transcodeAsset } from '@/lib/domain/assets';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { hasRedis, createRedisServer } from '@/media-worker/kit/process/testing/redis-server';
import { createWorkerFixtures } from '@/media-worker/testing/worker-fixtures';
import { createSampleFiles } from '@/media-worker/vod/testing/sample-files';
import { storyboardScratch } from '@/media-worker/vod/import/make-storyboards';
import { scratchFolder } from './task-runs';
import {
  createFfmpegGate,
  createJobsProcesses,
  killAndWait,
  processesWith,
  pollForValue,
} from './testing/jobs-process';
import { receiveFile } from './testing/received-file';
import { watchProgress } from './testing/watch-progress';

const fixtures = createWorkerFixtures(await createTestDatabase());
const { ctx, db, dataDir, assetRow, taskRow } = fixtures;
const samples = createSampleFiles();
type Processes = ReturnType<typeof createJobsProcesses>;
const closing: (() => Promise<void>)[] = [];
const scratch = scratchFolder(dataDir);
const gate = createFfmpegGate(join(dataDir, 'gate'), process.env.PATH ?? '');
const listFolder = (folder: string) => (existsSync(folder) ? readdirSync(folder) : []);
/** A test that fails leaves processes, files and due work, which the next test must not find. */
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
  await endMediaPrograms();
  rmSync(scratch, { recursive: true, force: true });
  await db.task.deleteMany();
  await db.asset.updateMany({ data: { storyboardDueAt: null } });
});
afterAll(() => samples.remove());

/** Lets the programs that the gate holds run, and waits until none works in the scratch folder. */
async function endMediaPrograms(): Promise<void> {
  gate.open();
  await expect.poll(() => processesWith(scratch), { timeout: 300_000 }).toEqual([]);
}

/**
 * Kills the process and every process it started, in the middle of this task.
 * @returns how often the task was retried before. On a busy machine that can be more than 0, because an ffmpeg without
 *   progress for a minute is stopped and started again, also while another one is encoding.
 */
async function killDuring(taskId: string, jobs: ReturnType<Processes['start']>): Promise<number> {
  await killAndWait(jobs);
  await endMediaPrograms();
  const { phase, retries } = await taskRow(taskId);
  expect(phase).toBe('running');
  return retries;
}

const findHeldPoster = (taskId: string) => gate.heldProcesses(join(scratch, taskId), 'poster.jpg')[0];
const findHeldStoryboard = (assetId: string) =>
  gate.heldProcesses(join(scratch, storyboardScratch(assetId)))[0];

const countEvents = (name: string, assetId: string) =>
  db.event.count({ where: { name, payload: { path: ['payload', 'asset', 'id'], equals: assetId } } });

async function expectMadeOnce({ assetId, taskId }: { assetId: string; taskId: string }) {
  expect(await assetRow(assetId)).toMatchObject({ phase: 'ready', progress: 1, errorMessage: null });
  expect(await taskRow(taskId)).toMatchObject({ phase: 'completed', progress: 1 });
  expect(await db.task.count({ where: { outputAssetId: assetId } })).toBe(1);
  expect(await countEvents('asset.ready', assetId)).toBe(1);
  expect(await countEvents('asset.failed', assetId)).toBe(0);
}

/**
 * Duration of a video that is encoded in several pieces. Pieces are longer with a single encoder
 * (lib/core/renditions/encode-plan.ts).
 */
const seconds = availableParallelism() > 1 ? 64 : 304;
let sourcePath = '';
beforeAll(() => {
  sourcePath = samples.make('source.mp4', { seconds, size: '128x72', fps: '5', output: ['-g', '5'] });
});

/** Returns the file name of the first piece once it is finished and the encoder of the next piece is stopped. */
function findFirstPiece(chunks: string): string | undefined {
  if (gate.heldProcesses(`${chunks}/chunk-`).length === 0) return undefined;
  return listFolder(chunks).find((name) => name.startsWith('chunk-0-') && name.endsWith('.mp4'));
}

/**
 * Watches the folder of an encoding until the work has ended.
 * @returns every file name that appeared, and whether the finished piece stayed unchanged
 */
async function watchPieces(chunks: string, finishedPiece: string, hasEnded: () => Promise<boolean>) {
  const statsBefore = statSync(join(chunks, finishedPiece));
  const names = new Set<string>();
  let isUntouched = true;
  await pollForValue(async () => {
    for (const name of listFolder(chunks)) names.add(name);
    const statsNow = statSync(join(chunks, finishedPiece), { throwIfNoEntry: false });
    if (statsNow)
      isUntouched &&= statsNow.ino === statsBefore.ino && statsNow.mtimeMs === statsBefore.mtimeMs;
    return (await hasEnded()) || undefined;
  }, 10);
  return { names: [...names], untouched: isUntouched };
}

/**
 * Waits until the next process continues a task: within 15 s by the times of the queue
 * (media-worker/kit/process/workers.ts), excluding its own start; on a busy machine both may be late.
 * The kill counts as exactly one retry.
 */
async function expectTakeOver(taskId: string, processes: Processes, retriesBefore: number) {
  const killedAt = Date.now();
  await db.node.deleteMany();
  const jobs = processes.start();
  await pollForValue(async () => (await db.node.findFirst({ where: { role: 'jobs' } })) ?? undefined, 20);
  const readyAt = Date.now();
  const nextRun = await pollForValue(async () => {
    const { attempt, startedAt, retries } = await taskRow(taskId);
    return attempt > 0 && startedAt && startedAt.getTime() > killedAt ? { startedAt, retries } : undefined;
  }, 20);
  expect(nextRun.retries).toBe(retriesBefore + 1);
  expect(nextRun.startedAt.getTime() - Math.max(killedAt, readyAt)).toBeLessThan(60_000);
  return jobs;
}

/** Kills the process in each kind of work; with `loseQueue` the queue is emptied before the next process starts. */
async function killInEachWork(processes: Processes, loseQueue: () => void = () => undefined) {
  const owner = await fixtures.createTeamContext();
  const progress = watchProgress(db);
  closing.push(() => progress.close());
  const teamId = owner.actor.teamId;
  gate.hold(/poster\.jpg/);
  const first = processes.start();
  const upload = await receiveFile(fixtures, owner, sourcePath);
  await pollForValue(() => findHeldPoster(upload.taskId));
  const importRetries = await killDuring(upload.taskId, first);
  expect(listFolder(scratch)).toEqual([upload.taskId]);
  loseQueue();

  gate.hold(/storyboard|chunk-[1-9]/);
  const second = await expectTakeOver(upload.taskId, processes, importRetries);
  await pollForValue(() => findHeldStoryboard(upload.assetId));
  await expectMadeOnce(upload);
  const profile = { name: '180p', width: 320, height: 180, bitrate: 200_000, fps: 5 };
  const transcodeResult = await transcodeAsset(owner, { assetId: upload.assetId, profile });
  const transcoding = { assetId: transcodeResult.asset.id, taskId: transcodeResult.task.id };
  const chunks = join(scratch, transcoding.taskId, 'chunks');
  const finishedPiece = await pollForValue(() => findFirstPiece(chunks), 10);
  const progressBefore = await pollForValue(
    async () => (await taskRow(transcoding.taskId)).progress || undefined,
  );
  expect(processesWith(scratch, transcoding.taskId)).not.toEqual([]);
  const transcodeRetries = await killDuring(transcoding.taskId, second);
  expect(await assetRow(upload.assetId)).toMatchObject({ hasStoryboard: false });
  // The folder for pictures may be missing, because a stalled ffmpeg is ended after a while.
  expect(listFolder(scratch)).toContain(transcoding.taskId);
  loseQueue();

  const hasEnded = async () => ['completed', 'failed'].includes((await taskRow(transcoding.taskId)).phase);
  const pieces = watchPieces(chunks, finishedPiece, hasEnded);
  await expectTakeOver(transcoding.taskId, processes, transcodeRetries);
  const { names, untouched } = await pieces;
  await expectMadeOnce(transcoding);
  // The folder was watched until the pieces were joined.
  expect(names).toContain('chunks.ffconcat');
  expect(names).not.toContain(`${finishedPiece}.part`);
  expect(untouched).toBe(true);
  const boards = () => db.asset.count({ where: { teamId, hasStoryboard: true, storyboardDueAt: null } });
  await expect.poll(boards, { timeout: 300_000 }).toBe(2);
  await expect.poll(() => listFolder(scratch), { timeout: 300_000 }).toEqual([]);

  expect((await getAsset(owner, transcoding.assetId)).videoSpec?.duration).toBeCloseTo(seconds, 0);
  expect(progress.valuesOfFallingProgress()).toEqual([]);
  expect(progress.valuesOf(transcoding.taskId)).toEqual(expect.arrayContaining([progressBefore, 1]));
  expect(await db.asset.count({ where: { teamId } })).toBe(2);
  await processes.end();
}

const title =
  'work that is killed in the middle of an import, an encoding or a storyboard continues soon and repeats no finished piece';
const watchable = existsSync('/proc/self/cmdline');

test.runIf(watchable)(`on PostgreSQL, ${title}`, async () => {
  const processes = createJobsProcesses(ctx.settings, gate.path);
  closing.push(() => processes.end());
  await killInEachWork(processes);
});

describe.runIf(watchable && hasRedis)('on Redis (apt-get install redis-server),', () => {
  test.each([
    [title, false],
    [`after Redis lost all its data, ${title}`, true],
  ])('%s', async (_, losing) => {
    const redis = await createRedisServer();
    const processes = createJobsProcesses({ ...ctx.settings, redisUrl: redis.url }, gate.path);
    closing.push(
      () => processes.end(),
      () => redis.remove(),
    );
    await redis.start();
    await killInEachWork(processes, losing ? () => redis.flush() : undefined);
    await redis.remove();
  });
});
