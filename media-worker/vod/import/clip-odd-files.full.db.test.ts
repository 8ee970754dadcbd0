import { copyFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { afterAll, expect, test } from 'vitest';
import { createClip, getAsset } from '@/lib/domain/assets';
import { assetKey } from '@/lib/core/storage-keys';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { receiveFile } from '@/media-worker/vod/tasks/testing/received-file';
import { createTaskRunner } from '@/media-worker/vod/tasks/testing/run-tasks';
import { createWorkerFixtures } from '@/media-worker/testing/worker-fixtures';
import { importAssetJob } from './import-asset';
import { createIndexedReads } from '@/media-worker/vod/index/indexed-reads';
import { clipJob } from './make-clip';
import { createSampleFiles } from '@/media-worker/vod/testing/sample-files';

const fixtures = createWorkerFixtures(await createTestDatabase());
const { ctx, storage, taskRow } = fixtures;
const owner = await fixtures.createTeamContext();
const samples = createSampleFiles();
const work = createTaskRunner(ctx, { clip: clipJob, import: importAssetJob });
afterAll(async () => {
  await work.close();
  samples.remove();
});

const sourceArgs = (seconds: number) => [
  ...['-f', 'lavfi', '-i', `testsrc2=size=160x90:rate=25:duration=${seconds}`],
  ...['-f', 'lavfi', '-i', `sine=sample_rate=48000:duration=${seconds}`],
];
const codecArgs = ['-c:v', 'libx264', '-preset', 'ultrafast', '-bf', '2', '-g', '50', '-pix_fmt', 'yuv420p', '-c:a', 'aac']; // prettier-ignore

/** Creates a file with video for two seconds, then no video frames for ten seconds while the audio continues. */
function makeVideoWithPause(): string {
  const path = samples.path('still.mp4');
  samples.ffmpeg(
    ...sourceArgs(14),
    '-vf',
    "select='lt(t,2)+gte(t,12)'",
    '-fps_mode',
    'vfr',
    ...codecArgs,
    path,
  );
  return path;
}

/** Creates a file whose video begins three seconds after its audio. */
function makeLateVideo(): string {
  const [wholeFile, path] = [samples.path('whole.mp4'), samples.path('late.mp4')];
  samples.ffmpeg(...sourceArgs(8), ...codecArgs, wholeFile);
  samples.ffmpeg(
    '-itsoffset',
    '3',
    '-i',
    wholeFile,
    '-i',
    wholeFile,
    '-map',
    '0:v',
    '-map',
    '1:a',
    '-c',
    'copy',
    path,
  );
  return path;
}

/** Creates a file whose video ends after four seconds while the audio continues. */
function makeShortVideo(): string {
  const path = samples.path('short.mp4');
  samples.ffmpeg(...sourceArgs(14), '-vf', 'trim=end=4', ...codecArgs, path);
  return path;
}

async function uploadFile(path: string) {
  const upload = await receiveFile(fixtures, owner, path);
  await work.drain();
  expect(await taskRow(upload.taskId)).toMatchObject({ phase: 'completed', errorMessage: null });
  return upload;
}

async function playlistOf(assetId: string): Promise<string> {
  const playlist = await createIndexedReads(storage).read(assetKey(assetId, 'hls/source/index.m3u8'));
  if (!playlist) throw new Error('The playlist is missing');
  return text(playlist);
}
const secondsOf = (playlist: string): number =>
  [...playlist.matchAll(/#EXTINF:([\d.]+)/g)].reduce((sum, [, seconds]) => sum + Number(seconds), 0);

test.each([
  ['inside a pause of the video', makeVideoWithPause, 4_000, 9_000],
  ['that ends in a pause of the video', makeVideoWithPause, 1_500, 8_000],
  ['that starts between keyframes', makeVideoWithPause, 12_400, 13_700],
  ['from before the first video frame', makeLateVideo, 1_000, 5_000],
  ['after the last video frame', makeShortVideo, 7_000, 12_000],
])(
  'a clip %s has the requested duration, to 30 ms, and can be uploaded',
  async (_, makeFile, startTime, endTime) => {
    const { playbackId } = await uploadFile(makeFile());
    const { asset, task } = await createClip(owner, { playbackId, startTime, endTime });
    await work.drain();
    expect(await taskRow(task.id)).toMatchObject({ phase: 'completed', errorMessage: null });
    const playlist = await playlistOf(asset.id);
    const expectedSeconds = (endTime - startTime) / 1_000;
    // Audio ends with a whole frame; ranges begin a millisecond early.
    expect(Math.abs(secondsOf(playlist) - expectedSeconds)).toBeLessThan(0.03);
    const download = samples.path('download.mp4');
    await storage.withFile(assetKey(asset.id, 'source.mp4'), (path) => copyFile(path, download));
    const uploadedClip = await uploadFile(download);
    expect(secondsOf(await playlistOf(uploadedClip.assetId))).toBeCloseTo(secondsOf(playlist), 3);
    expect((await getAsset(owner, uploadedClip.assetId)).videoSpec?.tracks).toEqual(
      (await getAsset(owner, asset.id)).videoSpec?.tracks,
    );
  },
);

test('a clip before the first video frame contains only audio', async () => {
  const { playbackId } = await uploadFile(makeLateVideo());
  const { asset, task } = await createClip(owner, { playbackId, startTime: 500, endTime: 2_000 });
  await work.drain();
  expect(await taskRow(task.id)).toMatchObject({ phase: 'completed', errorMessage: null });
  expect((await getAsset(owner, asset.id)).videoSpec?.tracks.map(({ type }) => type)).toEqual(['audio']);
});
