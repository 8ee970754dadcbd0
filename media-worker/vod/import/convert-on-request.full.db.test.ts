import { copyFileSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { getAsset, requestUpload, retryTask, startUpload } from '@/lib/domain/assets';
import { newId } from '@/lib/infra/ids';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { createTaskRunner } from '@/media-worker/vod/tasks/testing/run-tasks';
import { acceptUpload } from '@/media-worker/delivery/uploads/accept-upload';
import { createWorkerFixtures } from '@/media-worker/testing/worker-fixtures';
import { importAssetJob } from './import-asset';
import { createSampleFiles } from '@/media-worker/vod/testing/sample-files';

const fixtures = createWorkerFixtures(await createTestDatabase());
const { ctx, dataDir, storage, assetRow, taskRow } = fixtures;
const owner = await fixtures.createTeamContext();
const samples = createSampleFiles();
const work = createTaskRunner(ctx, { import: importAssetJob });
afterAll(async () => {
  await work.close();
  samples.remove();
});

const movPath = samples.make('phone.mov');

async function uploadAndProcess(path: string, convert?: true, worker = ctx) {
  const { asset, task } = await requestUpload(owner, { name: 'Town hall', ...(convert ? { convert } : {}) });
  const attempt = { assetId: asset.id, leaseId: newId() };
  const { playbackId } = await startUpload(worker, attempt);
  const arrivedFile = join(dataDir, `arrived-${asset.id}`);
  copyFileSync(path, arrivedFile);
  const bytes = statSync(arrivedFile).size;
  const reason = await acceptUpload(worker, attempt, { playbackId, path: arrivedFile, bytes, hashes: null });
  await work.drain();
  return { id: asset.id, taskId: task.id, key: `directUpload/${playbackId}/source`, reason };
}

test('with `convert`, a QuickTime file from a phone becomes an asset', async () => {
  const { id, reason } = await uploadAndProcess(movPath, true);
  expect(reason).toBeNull();
  const asset = await getAsset(owner, id);
  expect(asset).toMatchObject({ status: { phase: 'ready' }, videoSpec: { format: 'mov' } });
});

test('without `convert` the upload is rejected, and a retry converts the same bytes', async () => {
  const { id, taskId, key, reason } = await uploadAndProcess(movPath);
  expect(reason).toBe('the container is QuickTime (MOV); MP4 is accepted');
  expect((await getAsset(owner, id)).status).toMatchObject({
    phase: 'failed',
    errorReason: { code: 'is_mov' },
  });
  expect((await storage.head(key))?.bytes).toBe(statSync(movPath).size);
  const retriedTask = await retryTask(owner, taskId, { convert: true });
  expect(retriedTask.params.import).toMatchObject({ convert: true });
  await work.drain();
  expect(await taskRow(retriedTask.id)).toMatchObject({ phase: 'completed', errorMessage: null });
  expect((await getAsset(owner, id)).size).toBe(statSync(movPath).size);
});

test('a file that no conversion can repair is deleted', async () => {
  const brokenFile = samples.path('broken.mp4');
  samples.ffmpeg('-i', samples.make('whole.mp4'), '-c', 'copy', brokenFile);
  const truncatedBytes = readFileSync(brokenFile).subarray(0, 3_000);
  writeFileSync(brokenFile, truncatedBytes);
  const { id, key, reason } = await uploadAndProcess(brokenFile);
  expect(reason).toMatch(/incomplete/);
  expect(await storage.head(key)).toBeNull();
  expect((await assetRow(id)).sourceKey).toBeNull();
});

test("the operator's setting takes precedence over the request", async () => {
  const mp4OnlyWorker = { ...ctx, settings: { ...ctx.settings, acceptMedia: 'mp4' as const } };
  const { key, reason } = await uploadAndProcess(movPath, true, mp4OnlyWorker);
  expect(reason).toBe('the container is QuickTime (MOV); MP4 is accepted');
  expect(await storage.head(key)).toBeNull();
});

test('an MP4 whose video changes its size is converted if requested', async () => {
  const parts = (['320x180', '160x90'] as const).map((size, index) => {
    samples.make(`part${index}.mp4`, { size, audio: null });
    const annexB = samples.path(`part${index}.h264`);
    samples.ffmpeg('-i', samples.path(`part${index}.mp4`), '-c', 'copy', annexB);
    return readFileSync(annexB);
  });
  writeFileSync(samples.path('joined.h264'), Buffer.concat(parts));
  const joinedFile = samples.path('joined.mp4');
  samples.ffmpeg(
    '-r',
    '10',
    '-i',
    samples.path('joined.h264'),
    '-c',
    'copy',
    '-bsf:v',
    'dump_extra',
    joinedFile,
  );
  const { id } = await uploadAndProcess(joinedFile, true);
  const asset = await getAsset(owner, id);
  expect(asset.status).toMatchObject({ phase: 'ready' });
  expect(asset.videoSpec?.duration).toBeCloseTo(4, 0);
  const row = await assetRow(id);
  expect(row.videoKey).toMatch(/video\.mp4$/);
});
