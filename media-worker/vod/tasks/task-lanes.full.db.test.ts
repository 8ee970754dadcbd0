import { readdirSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { exportAsset, importAsset, transcodeAsset } from '@/lib/domain/assets';
import { maxEncoders } from '@/lib/core/renditions/encode-plan';
import { laneSlots } from '@/lib/core/tasks/task-lanes';
import { downloadSource } from '@/media-worker/vod/import/download-source';
import { exportAssetJob } from '@/media-worker/vod/import/export-asset';
import { importAssetJob } from '@/media-worker/vod/import/import-asset';
import { createAssetWork } from './testing/asset-work-setup';
import type { TaskHandler } from './task-job';
import { receiveFile } from './testing/received-file';
import { createTaskRunner } from './testing/run-tasks';
import { startTaskWorkers } from './testing/task-workers';
import { transcodeAssetJob } from '@/media-worker/vod/import/transcode-asset';
import { scratchFolder } from './task-runs';

const handlers = { import: importAssetJob, export: exportAssetJob, transcode: transcodeAssetJob };
const { foreign, fixtures, samples, good, work } = await createAssetWork(handlers);
const { ctx, db, taskRow, assetRow, dataDir } = fixtures;
const slowResponseTimers = new Set<NodeJS.Timeout>();
afterAll(() => slowResponseTimers.forEach((timer) => clearInterval(timer)));

/** Sends five bytes a second of a file that would take days. */
function sendSlowly(response: ServerResponse): void {
  response.writeHead(200, { 'Content-Length': 1_000_000 });
  const timer = setInterval(() => response.write('x'), 200);
  slowResponseTimers.add(timer);
  response.on('close', () => clearInterval(timer));
}

test('slow servers of one team delay neither uploads, imports nor exports of another', async () => {
  const [slow, quick] = [await fixtures.createTeamContext(), await fixtures.createTeamContext()];
  foreign.answer = ({ url }, response) => {
    if (url?.startsWith('/slow')) sendSlowly(response);
    else response.end(good);
  };
  const { close } = startTaskWorkers(ctx, handlers, laneSlots(2));
  const phases = (teamId: string) => db.task.groupBy({ by: ['phase'], where: { teamId }, _count: true });
  const countSlowTasks = async (phase: string) =>
    (await phases(slow.actor.teamId)).find((group) => group.phase === phase)?._count ?? 0;
  const waitUntilCompleted = (id: string) =>
    expect.poll(async () => (await taskRow(id)).phase, { timeout: 100_000 }).toBe('completed');
  try {
    for (let n = 0; n < 8; n++) await importAsset(slow, { url: `${foreign.base}/slow${n}.mp4`, name: 'x' });
    // A team may use five slots of a lane.
    await expect.poll(() => countSlowTasks('running'), { timeout: 100_000 }).toBe(5);
    const upload = await receiveFile(fixtures, quick, samples.path('good.mp4'));
    await waitUntilCompleted(upload.taskId);
    const importTask = await importAsset(quick, { url: `${foreign.base}/quick.mp4`, name: 'x' });
    await waitUntilCompleted(importTask.task.id);
    const body = { custom: { url: `${foreign.base}/sink` } };
    const exportTask = await exportAsset(quick, { id: upload.assetId, body });
    await waitUntilCompleted(exportTask.task.id);
    // Uploads of the team with slow servers do not wait for its own imports either.
    const ownUpload = await receiveFile(fixtures, slow, samples.path('good.mp4'));
    await waitUntilCompleted(ownUpload.taskId);
    expect(await countSlowTasks('running')).toBe(5);
  } finally {
    await close();
  }
  await db.task.updateMany({ where: { teamId: slow.actor.teamId }, data: { scheduledAt: null } });
});

test('an import from a server below the minimum rate is retried later', async () => {
  const owner = await fixtures.createTeamContext();
  foreign.answer = (_, response) => sendSlowly(response);
  const minRate = { bytesPerSecond: 10_000, windowMs: 600, samplesPerWindow: 3 };
  const { drain, close } = createTaskRunner(ctx, {
    import: async (job) => {
      const url = `${foreign.base}/slow.mp4`;
      await downloadSource(job, { url, key: 'asset/x/source.mp4', onProgress: () => undefined, minRate });
    },
  });
  const { task } = await importAsset(owner, { url: `${foreign.base}/slow.mp4`, name: 'x' });
  await drain();
  await close();
  expect(await taskRow(task.id)).toMatchObject({
    phase: 'waiting',
    failedAttempts: 1,
    errorMessage: 'the file server sends too slowly: less than 10 kB a second over 0.6 s',
  });
  await db.task.update({ where: { id: task.id }, data: { scheduledAt: null } });
});

test('a long encoding of one team yields to another team between its pieces', async () => {
  const [big, small] = [await fixtures.createTeamContext(), await fixtures.createTeamContext()];
  const minute = samples.make('minute.mp4', { seconds: 60, size: '64x36', fps: '2', audio: null });
  const longVideo = samples.path('long.mp4');
  // At least three pieces for each encoder (lib/core/renditions/encode-plan.ts).
  const minutes = Math.max(15, 6 * maxEncoders(availableParallelism()));
  samples.ffmpeg('-stream_loop', `${minutes - 1}`, '-i', minute, '-c', 'copy', longVideo);
  const long = await receiveFile(fixtures, big, longVideo);
  const short = await receiveFile(fixtures, small, samples.path('good.mp4'));
  await work.drain();

  const profile = { name: 'x', width: 128, height: 128, bitrate: 50_000, fps: 0 };
  const first = (await transcodeAsset(big, { assetId: long.assetId, profile })).task.id;
  const countPieces = () =>
    readdirSync(join(scratchFolder(dataDir), first, 'chunks')).filter((name) => name.endsWith('.mp4')).length;
  let second = '';
  let piecesWhenSmallEnded = Infinity;
  const runs: string[] = [];
  const transcode: TaskHandler = async (job) => {
    runs.push(job.task.id === first ? 'big' : 'small');
    const yieldSlot = async () => {
      // The second task is created when the first piece is done.
      second ||= (await transcodeAsset(small, { assetId: short.assetId, profile })).task.id;
      await job.yieldSlot();
    };
    await transcodeAssetJob({ ...job, yieldSlot });
    if (job.task.id === second) piecesWhenSmallEnded = countPieces();
  };
  const { close } = startTaskWorkers(ctx, { transcode }, laneSlots(2));
  await expect.poll(async () => (await taskRow(first)).phase, { timeout: 200_000 }).toBe('completed');
  await close();
  expect(runs).toEqual(['big', 'small', 'big']);
  // No piece was started after the second task was created: each encoder finished its own at most.
  expect(piecesWhenSmallEnded).toBeLessThanOrEqual(maxEncoders(availableParallelism()));
  expect(await taskRow(second)).toMatchObject({ phase: 'completed', retries: 0 });
  const taskNow = await taskRow(first);
  expect(taskNow).toMatchObject({ phase: 'completed', retries: 0, errorMessage: null });
  expect(await assetRow(taskNow.outputAssetId ?? '')).toMatchObject({ phase: 'ready' });
});
