import { execFileSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, expect, test } from 'vitest';
import { locateAsset } from '@/lib/domain/assets';
import { assetKey } from '@/lib/core/storage-keys';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { receiveFile } from '@/media-worker/vod/tasks/testing/received-file';
import { createTaskRunner } from '@/media-worker/vod/tasks/testing/run-tasks';
import { createWorkerFixtures } from '@/media-worker/testing/worker-fixtures';
import { importAssetJob } from '@/media-worker/vod/import/import-asset';
import { createSampleFiles } from '@/media-worker/vod/testing/sample-files';
import { AudioFiles } from './audio-files';
import { createServeAsset } from './serve-asset';

const fixtures = createWorkerFixtures(await createTestDatabase());
const { ctx, storage, assetRow } = fixtures;
const owner = await fixtures.createTeamContext();
const samples = createSampleFiles();
const work = createTaskRunner(ctx, { import: importAssetJob });
const audioFiles = new AudioFiles(ctx);
const serve = createServeAsset({ storage, audio: audioFiles, locate: (id) => locateAsset(ctx, id) });
afterAll(async () => {
  await audioFiles.close();
  await work.close();
  samples.remove();
});

async function createAsset(path: string) {
  const upload = await receiveFile(fixtures, owner, path);
  await work.drain();
  return upload;
}
const get = (playbackId: string, file = 'video', headers = {}) =>
  serve({ path: `/${playbackId}/${file}`, download: true, audio: true, headers });
const readBody = async ({ stream }: Awaited<ReturnType<typeof get>>) =>
  stream ? buffer(await stream.open()) : Buffer.alloc(0);

test('the audio of an asset is downloaded separately, without re-encoding, under its name, and counted once', async () => {
  const videoPath = samples.make('video.mp4');
  const { assetId, playbackId } = await createAsset(videoPath);
  const storedBytesBefore = (await assetRow(assetId)).storedBytes;
  const answers = await Promise.all([
    get(playbackId),
    get(playbackId),
    get(playbackId, 'video/download.mp4'),
  ]);
  for (const { status, headers } of answers) {
    expect(status).toBe(200);
    expect(headers).toMatchObject({ 'Content-Type': 'audio/mp4', 'Accept-Ranges': 'bytes' });
    expect(headers?.['Content-Disposition']).toMatch(/^attachment; filename=.*\.m4a"?$/);
  }
  const [first] = answers;
  const bytes = await readBody(first);
  writeFileSync(samples.path('audio.m4a'), bytes);
  const audioMd5 = (path: string) =>
    execFileSync('ffmpeg', [
      '-v',
      'error',
      '-i',
      path,
      '-map',
      '0',
      '-map',
      '-0:v',
      '-c',
      'copy',
      '-f',
      'md5',
      '-',
    ]).toString();
  expect(audioMd5(samples.path('audio.m4a'))).toBe(audioMd5(videoPath));
  const streams = execFileSync('ffprobe', [
    '-v',
    'error',
    '-show_entries',
    'stream=codec_type',
    '-of',
    'csv=p=0',
    samples.path('audio.m4a'),
  ]).toString();
  expect(streams.trim()).toBe('audio');
  // An interrupted download can be resumed.
  const tailAnswer = await get(playbackId, 'video', { range: 'bytes=100-' });
  expect(tailAnswer.status).toBe(206);
  expect((await readBody(tailAnswer)).equals(bytes.subarray(100))).toBe(true);
  expect((await assetRow(assetId)).storedBytes).toBe(storedBytesBefore + BigInt(bytes.length));
  expect(readdirSync(join(ctx.settings.dataDir, 'scratch', 'origin-audio-1'))).toEqual([]);
});

test('an asset without audio has no audio file', async () => {
  const { playbackId } = await createAsset(samples.make('silent.mp4', { output: ['-an'] }));
  expect((await get(playbackId)).status).toBe(404);
});

test('a request that waited too long for the audio gets 503, and a later one gets the file', async () => {
  const { assetId, playbackId } = await createAsset(samples.make('waiting.mp4'));
  const impatientFiles = new AudioFiles(ctx, { waitMs: 0 });
  const serveImpatiently = createServeAsset({
    storage,
    audio: impatientFiles,
    locate: (id) => locateAsset(ctx, id),
  });
  const request = { path: `/${playbackId}/video`, download: true, audio: true, headers: {} };
  const answer = await serveImpatiently(request);
  expect([answer.status, answer.headers?.['Retry-After']]).toEqual([503, 10]);
  // The audio file is made although the viewer has left.
  await expect.poll(() => storage.head(assetKey(assetId, 'audio.m4a')), { timeout: 60_000 }).not.toBeNull();
  expect((await serveImpatiently(request)).status).toBe(200);
  await impatientFiles.close();
});
