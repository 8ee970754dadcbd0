import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { exportAsset, getAsset, transcodeAsset } from '@/lib/domain/assets';
import { assetKey } from '@/lib/core/storage-keys';
import { getTask } from '@/lib/domain/tasks';
import { exportAssetJob } from './export-asset';
import { saveServedHls } from '@/media-worker/vod/index/testing/served-hls';
import { importAssetJob } from './import-asset';
import { createAssetWork } from '@/media-worker/vod/tasks/testing/asset-work-setup';
import { receiveFile } from '@/media-worker/vod/tasks/testing/received-file';
import { makeDueStoryboards } from '@/media-worker/vod/tasks/testing/run-tasks';
import { transcodeAssetJob } from './transcode-asset';

const handlers = { import: importAssetJob, export: exportAssetJob, transcode: transcodeAssetJob };
const { foreign: httpSink, fixtures, owner, samples, work: taskRunner } = await createAssetWork(handlers);
const { ctx, storage } = fixtures;
const fastStartArgs = ['-movflags', '+faststart'];
const copyArgs = ['-c', 'copy', ...fastStartArgs];

const plainPath = samples.make('plain.mp4', { seconds: 4, fps: '25', output: fastStartArgs });
const makeFile = (name: string, ...args: readonly string[]): string => {
  samples.ffmpeg(...args, samples.path(name));
  return samples.path(name);
};
writeFileSync(samples.path('s.srt'), '1\n00:00:00,000 --> 00:00:03,000\nHello\n');
const cover = makeFile('cover.jpg', '-f', 'lavfi', '-i', 'color=red:size=64x64:rate=1', '-frames:v', '1');
const subtitleArgs = [
  '-i',
  plainPath,
  '-i',
  samples.path('s.srt'),
  '-map',
  '0',
  '-map',
  '1',
  ...copyArgs,
  '-c:s',
  'mov_text',
];
const secondAudioArgs = [
  '-f',
  'lavfi',
  '-i',
  'sine=frequency=900:duration=4',
  '-map',
  '0',
  '-map',
  '1',
  '-c:v',
  'copy',
];

/** A GoPro telemetry track, made from the samples of a subtitle track. */
function makeTelemetryFile(): string {
  const bytes = readFileSync(makeFile('subtitled.mp4', ...subtitleArgs));
  bytes.write('meta', bytes.indexOf('sbtl'), 'latin1');
  bytes.write('gpmd', bytes.indexOf('tx3g'), 'latin1');
  writeFileSync(samples.path('telemetry.mp4'), bytes);
  return samples.path('telemetry.mp4');
}

const cases: [string, () => string, object[]][] = [
  ['a timecode', () => makeFile('tc.mp4', '-i', plainPath, ...copyArgs, '-timecode', '01:00:00:00'), [{ codec: 'h264' }, { codec: 'aac' }]],
  ['a timecode, index at the end', () => makeFile('tc2.mp4', '-i', plainPath, '-c', 'copy', '-timecode', '01:00:00:00'), [{ codec: 'h264' }, { codec: 'aac' }]],
  ['subtitles', () => makeFile('sub.mp4', ...subtitleArgs), [{ codec: 'h264' }, { codec: 'aac' }]],
  ['telemetry', makeTelemetryFile, [{ codec: 'h264' }, { codec: 'aac' }]],
  ['cover art', () => makeFile('cover.mp4', '-i', plainPath, '-i', cover, '-map', '0', '-map', '1', ...copyArgs, '-disposition:v:1', 'attached_pic'), [{ codec: 'h264', height: 90 }, { codec: 'aac' }]],
  ['a second video track', () => makeFile('second.mp4', '-i', plainPath, '-i', cover, '-map', '0', '-map', '1', ...copyArgs), [{ codec: 'h264', height: 90 }, { codec: 'aac' }]],
  ['cover art before the video', () => makeFile('first.mp4', '-i', plainPath, '-i', cover, '-map', '1', '-map', '0', ...copyArgs, '-disposition:v:0', 'attached_pic'), [{ codec: 'h264', height: 90 }, { codec: 'aac' }]],
  ['a second audio track', () => makeFile('two.mp4', '-i', plainPath, ...secondAudioArgs, '-ac:a:1', '2', '-disposition:a:1', '0', ...fastStartArgs), [{ codec: 'h264' }, { codec: 'aac', channels: 1 }]],
  ['a second audio track that is the default', () => makeFile('default.mp4', '-i', plainPath, ...secondAudioArgs, '-ac:a:1', '2', '-disposition:a:0', '0', '-disposition:a:1', 'default', ...fastStartArgs), [{ codec: 'h264' }, { codec: 'aac', channels: 2 }]],
  ['no audio', () => makeFile('silent.mp4', '-i', plainPath, '-an', ...copyArgs), [{ codec: 'h264' }]],
]; // prettier-ignore

/**
 * Runs tasks until the asset is ready or has failed: on a busy machine, an attempt may be interrupted and repeated seconds
 * later.
 */
async function waitUntilProcessed(assetId: string) {
  await expect
    .poll(
      async () => {
        await taskRunner.drain();
        return (await getAsset(owner, assetId)).status.phase;
      },
      { timeout: 300_000 },
    )
    .toMatch(/^(?:ready|failed)$/);
  return getAsset(owner, assetId);
}

/** Codec, height and channel count of each track, read by ffprobe. */
function probeTracks(path: string): object[] {
  const args = '-v error -allowed_extensions ALL -show_entries stream=codec_name,height,channels -of json';
  const output = execFileSync('ffprobe', [...args.split(' '), path]).toString();
  return (JSON.parse(output) as { streams: object[] }).streams;
}
const storedTracks = (assetId: string, file: string) =>
  storage.withFile(assetKey(assetId, file), (path) => Promise.resolve(probeTracks(path)));
/** Cases whose assets are transcoded too: one of each kind, because encoding takes longest. */
const transcodedCases = [
  'a timecode',
  'cover art before the video',
  'a second audio track that is the default',
  'no audio',
];
const profile = { name: 'small', width: 160, height: 128, bitrate: 200_000, fps: 5 };

describe('files of cameras and phones', () => {
  test.each(cases)('are imported: %s', async (name, make, tracks) => {
    const path = make();
    const { assetId } = await receiveFile(fixtures, owner, path);
    const asset = await waitUntilProcessed(assetId);
    const sha256 = execFileSync('sha256sum', [path]).toString().split(' ')[0];
    expect(asset).toMatchObject({
      status: { phase: 'ready' },
      size: readFileSync(path).length,
      hash: [{ algorithm: 'md5' }, { algorithm: 'sha256', hash: sha256 }],
      videoSpec: { format: 'mp4', tracks },
    });
    expect(asset.videoSpec?.tracks).toHaveLength(tracks.length);
    const expectedTracks = tracks.map(({ codec, ...trackFields }: { codec?: string }) => ({
      codec_name: codec,
      ...trackFields,
    }));
    const hlsTracks = probeTracks(await saveServedHls(storage, assetId, samples.path(`hls-${assetId}`)));
    expect(hlsTracks).toMatchObject(expectedTracks);
    expect(hlsTracks).toHaveLength(tracks.length);
    expect(await storedTracks(assetId, 'poster.jpg')).toMatchObject([{ height: 90 }]);
    await makeDueStoryboards(ctx);
    expect(await storage.head(assetKey(assetId, 'storyboard.vtt'))).not.toBeNull();
    if (!transcodedCases.includes(name)) return;

    const { asset: rendition } = await transcodeAsset(owner, { assetId, profile });
    const transcodedAsset = await waitUntilProcessed(rendition.id);
    expect(transcodedAsset).toMatchObject({ status: { phase: 'ready' }, videoSpec: { tracks } });
    const hlsPath = await saveServedHls(storage, rendition.id, samples.path(`hls-${rendition.id}`));
    expect(probeTracks(hlsPath)).toHaveLength(tracks.length);
  });

  test('an export of a file without audio sends the original file', async () => {
    const path = makeFile('quiet.mp4', '-i', plainPath, '-an', ...copyArgs);
    const { assetId } = await receiveFile(fixtures, owner, path);
    await taskRunner.drain();
    const { task } = await exportAsset(owner, {
      id: assetId,
      body: { custom: { url: `${httpSink.base}/sink` } },
    });
    await taskRunner.drain();
    expect((await getTask(owner, task.id)).status.phase).toBe('completed');
    expect(httpSink.requests.at(-1)?.body.equals(readFileSync(path))).toBe(true);
  });
});
