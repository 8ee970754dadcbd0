import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { exportAsset, getAsset, transcodeAsset } from '@/lib/domain/assets';
import { assetKey } from '@/lib/core/storage-keys';
import { getTask } from '@/lib/domain/tasks';
import { exportAssetJob } from './export-asset';
import { servedHls } from '@/media-worker/vod/index/testing/served-hls';
import { importAssetJob } from './import-asset';
import { assetWork } from '@/media-worker/vod/tasks/testing/asset-work-setup';
import { receiveFile } from '@/media-worker/vod/tasks/testing/received-file';
import { makeDueStoryboards } from '@/media-worker/vod/tasks/testing/run-tasks';
import { transcodeAssetJob } from './transcode-asset';

const handlers = { import: importAssetJob, export: exportAssetJob, transcode: transcodeAssetJob };
const { foreign, fixtures, owner, samples, work } = await assetWork(handlers);
const { ctx, storage } = fixtures;
const fast = ['-movflags', '+faststart'];
const copy = ['-c', 'copy', ...fast];

const plain = samples.make('plain.mp4', { seconds: 4, fps: '25', output: fast });
const makeFile = (name: string, ...args: readonly string[]): string => {
  samples.ffmpeg(...args, samples.path(name));
  return samples.path(name);
};
writeFileSync(samples.path('s.srt'), '1\n00:00:00,000 --> 00:00:03,000\nHello\n');
const cover = makeFile('cover.jpg', '-f', 'lavfi', '-i', 'color=red:size=64x64:rate=1', '-frames:v', '1');
const subtitles = [
  '-i',
  plain,
  '-i',
  samples.path('s.srt'),
  '-map',
  '0',
  '-map',
  '1',
  ...copy,
  '-c:s',
  'mov_text',
];
const stereo = [
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
function telemetry(): string {
  const bytes = readFileSync(makeFile('titled.mp4', ...subtitles));
  bytes.write('meta', bytes.indexOf('sbtl'), 'latin1');
  bytes.write('gpmd', bytes.indexOf('tx3g'), 'latin1');
  writeFileSync(samples.path('telemetry.mp4'), bytes);
  return samples.path('telemetry.mp4');
}

const files: [string, () => string, object[]][] = [
  ['a timecode', () => makeFile('tc.mp4', '-i', plain, ...copy, '-timecode', '01:00:00:00'), [{ codec: 'h264' }, { codec: 'aac' }]],
  ['a timecode, index at the end', () => makeFile('tc2.mp4', '-i', plain, '-c', 'copy', '-timecode', '01:00:00:00'), [{ codec: 'h264' }, { codec: 'aac' }]],
  ['subtitles', () => makeFile('sub.mp4', ...subtitles), [{ codec: 'h264' }, { codec: 'aac' }]],
  ['telemetry', telemetry, [{ codec: 'h264' }, { codec: 'aac' }]],
  ['cover art', () => makeFile('cover.mp4', '-i', plain, '-i', cover, '-map', '0', '-map', '1', ...copy, '-disposition:v:1', 'attached_pic'), [{ codec: 'h264', height: 90 }, { codec: 'aac' }]],
  ['a second video track', () => makeFile('second.mp4', '-i', plain, '-i', cover, '-map', '0', '-map', '1', ...copy), [{ codec: 'h264', height: 90 }, { codec: 'aac' }]],
  ['cover art before the video', () => makeFile('first.mp4', '-i', plain, '-i', cover, '-map', '1', '-map', '0', ...copy, '-disposition:v:0', 'attached_pic'), [{ codec: 'h264', height: 90 }, { codec: 'aac' }]],
  ['a second audio track', () => makeFile('two.mp4', '-i', plain, ...stereo, '-ac:a:1', '2', '-disposition:a:1', '0', ...fast), [{ codec: 'h264' }, { codec: 'aac', channels: 1 }]],
  ['a second audio track that is the default', () => makeFile('default.mp4', '-i', plain, ...stereo, '-ac:a:1', '2', '-disposition:a:0', '0', '-disposition:a:1', 'default', ...fast), [{ codec: 'h264' }, { codec: 'aac', channels: 2 }]],
  ['no audio', () => makeFile('silent.mp4', '-i', plain, '-an', ...copy), [{ codec: 'h264' }]],
]; // prettier-ignore

/**
 * Runs tasks until that of the asset has ended: on a busy machine, an attempt may be interrupted and repeated
 * seconds later.
 */
async function processedAsset(assetId: string) {
  await expect
    .poll(
      async () => {
        await work.drain();
        return (await getAsset(owner, assetId)).status.phase;
      },
      { timeout: 300_000 },
    )
    .toMatch(/^(?:ready|failed)$/);
  return getAsset(owner, assetId);
}

/** Codec, size and channels of each track, read by ffprobe. */
function tracksOf(path: string): object[] {
  const args = '-v error -allowed_extensions ALL -show_entries stream=codec_name,height,channels -of json';
  const output = execFileSync('ffprobe', [...args.split(' '), path]).toString();
  return (JSON.parse(output) as { streams: object[] }).streams;
}
const storedTracks = (assetId: string, file: string) =>
  storage.withFile(assetKey(assetId, file), (path) => Promise.resolve(tracksOf(path)));
/** Only one file of each kind is transcoded because encoding takes longest. */
const transcodedTracks = [
  'a timecode',
  'cover art before the video',
  'a second audio track that is the default',
  'no audio',
];
const profile = { name: 'small', width: 160, height: 128, bitrate: 200_000, fps: 5 };

describe('files of cameras and phones', () => {
  test.each(files)('are imported: %s', async (name, make, tracks) => {
    const path = make();
    const { assetId } = await receiveFile(fixtures, owner, path);
    const asset = await processedAsset(assetId);
    const sum = execFileSync('sha256sum', [path]).toString().split(' ')[0];
    expect(asset).toMatchObject({
      status: { phase: 'ready' },
      size: readFileSync(path).length,
      hash: [{ algorithm: 'md5' }, { algorithm: 'sha256', hash: sum }],
      videoSpec: { format: 'mp4', tracks },
    });
    expect(asset.videoSpec?.tracks).toHaveLength(tracks.length);
    const expectedTracks = tracks.map(({ codec, ...trackFields }: { codec?: string }) => ({
      codec_name: codec,
      ...trackFields,
    }));
    const hls = tracksOf(await servedHls(storage, assetId, samples.path(`hls-${assetId}`)));
    expect(hls).toMatchObject(expectedTracks);
    expect(hls).toHaveLength(tracks.length);
    expect(await storedTracks(assetId, 'poster.jpg')).toMatchObject([{ height: 90 }]);
    await makeDueStoryboards(ctx);
    expect(await storage.head(assetKey(assetId, 'storyboard.vtt'))).not.toBeNull();
    if (!transcodedTracks.includes(name)) return;

    const { asset: rendition } = await transcodeAsset(owner, { assetId, profile });
    const makeFile = await processedAsset(rendition.id);
    expect(makeFile).toMatchObject({ status: { phase: 'ready' }, videoSpec: { tracks } });
    const hlsFolder = await servedHls(storage, rendition.id, samples.path(`hls-${rendition.id}`));
    expect(tracksOf(hlsFolder)).toHaveLength(tracks.length);
  });

  test('an export of a file without audio sends the original file', async () => {
    const path = makeFile('quiet.mp4', '-i', plain, '-an', ...copy);
    const { assetId } = await receiveFile(fixtures, owner, path);
    await work.drain();
    const { task } = await exportAsset(owner, {
      id: assetId,
      body: { custom: { url: `${foreign.base}/sink` } },
    });
    await work.drain();
    expect((await getTask(owner, task.id)).status.phase).toBe('completed');
    expect(foreign.requests.at(-1)?.body.equals(readFileSync(path))).toBe(true);
  });
});
