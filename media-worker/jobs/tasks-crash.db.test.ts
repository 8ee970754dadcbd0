import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { getAsset, transcodeAsset } from '@/lib/assets';
import { testDatabase } from '@/lib/infra/testing/test-database';
import { workerFixtures } from '../testing/worker-fixtures';
import { sampleFiles } from '../vod/testing/sample-files';
import { storyboardScratch } from './make-storyboards';
import { scratchFolder } from './task-runner';
import { ffmpegsWith, jobsProcesses, killed, processesWith, soon } from './testing/jobs-process';
import { receivedFile } from './testing/received-file';
import { watchProgress } from './testing/watch-progress';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });
const fixtures = workerFixtures(await testDatabase());
const { ctx, db, dataDir, assetRow, taskRow } = fixtures;
const owner = await fixtures.person();
const samples = sampleFiles();
const processes = jobsProcesses(ctx.settings, process.env.PATH);
const progress = watchProgress(db);
const scratch = scratchFolder(dataDir);
const below = (folder: string) => (existsSync(folder) ? readdirSync(folder) : []);
afterAll(async () => {
  await progress.close();
  await processes.end();
  samples.remove();
});

/** The process is gone with what it had started, and nobody has to wait until that shows. */
async function kill(jobs: ReturnType<typeof processes.start>): Promise<void> {
  await killed(jobs);
  await expect.poll(() => processesWith(scratch), { timeout: 10_000 }).toEqual([]);
  await db.task.updateMany({ where: { phase: 'running' }, data: { leaseUntil: new Date(0) } });
  await db.asset.updateMany({
    where: { phase: 'ready', storyboardDueAt: { not: null } },
    data: { storyboardDueAt: new Date(0) },
  });
}

/** Its pictures would be made in a moment: they are kept from it. */
function holdStoryboard(assetId: string): true | undefined {
  try {
    const makers = ffmpegsWith(join(scratch, storyboardScratch(assetId)));
    for (const pid of makers) process.kill(pid, 'SIGSTOP');
    return makers.length > 0 || undefined;
  } catch {
    // It was over before.
    return undefined;
  }
}

const toldOf = (name: string, assetId: string) =>
  db.event.count({ where: { name, payload: { path: ['payload', 'asset', 'id'], equals: assetId } } });

async function expectMadeOnce({ assetId, taskId }: { assetId: string; taskId: string }, retries: number) {
  expect(await assetRow(assetId)).toMatchObject({ phase: 'ready', progress: 1, errorMessage: null });
  expect(await taskRow(taskId)).toMatchObject({ phase: 'completed', progress: 1, retries });
  expect(await db.task.count({ where: { outputAssetId: assetId } })).toBe(1);
  expect(await toldOf('asset.ready', assetId)).toBe(1);
  expect(await toldOf('asset.failed', assetId)).toBe(0);
}

let film = '';
beforeAll(() => {
  film = samples.make('film.mp4', { seconds: 6, size: '320x180', fps: '25', output: ['-g', '25'] });
});

test.runIf(existsSync('/proc/self/cmdline'))(
  'kill -9 in the middle of an import, of an encoding and of the pictures of a timeline: each is made once',
  async () => {
    const first = processes.start();
    const upload = await receivedFile(fixtures, owner, film);
    await soon(() => below(join(scratch, upload.taskId, 'hls'))[0]);
    await kill(first);
    expect(await taskRow(upload.taskId)).toMatchObject({ phase: 'running', retries: 0 });
    expect(below(scratch)).toEqual([upload.taskId]);

    const second = processes.start();
    await soon(() => holdStoryboard(upload.assetId));
    await expectMadeOnce(upload, 1);
    const profile = { name: '720p', width: 1280, height: 720, bitrate: 2_000_000, fps: 25 };
    const asked = await transcodeAsset(owner, { assetId: upload.assetId, profile });
    const transcoding = { assetId: asked.asset.id, taskId: asked.task.id };
    const before = await soon(async () => (await taskRow(transcoding.taskId)).progress || undefined);
    expect(processesWith(scratch, transcoding.taskId)).not.toEqual([]);
    await kill(second);
    expect(await taskRow(transcoding.taskId)).toMatchObject({ phase: 'running', retries: 0 });
    expect(await assetRow(upload.assetId)).toMatchObject({ hasStoryboard: false });
    expect(below(scratch).sort()).toEqual([transcoding.taskId, storyboardScratch(upload.assetId)].sort());

    processes.start();
    const made = async () => (await taskRow(transcoding.taskId)).phase;
    await expect.poll(made, { timeout: 60_000 }).toBe('completed');
    await expectMadeOnce(transcoding, 1);
    const boards = () => db.asset.count({ where: { hasStoryboard: true, storyboardDueAt: null } });
    await expect.poll(boards, { timeout: 30_000 }).toBe(2);
    await expect.poll(() => below(scratch), { timeout: 10_000 }).toEqual([]);

    expect((await getAsset(owner, transcoding.assetId)).videoSpec?.duration).toBeCloseTo(6, 0);
    expect(progress.falls()).toEqual([]);
    expect(progress.seen(transcoding.taskId)).toEqual(expect.arrayContaining([before, 1]));
    expect(await db.asset.count()).toBe(2);
  },
);
