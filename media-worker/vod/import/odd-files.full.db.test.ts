import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { afterAll, expect, test } from 'vitest';
import { getAsset } from '@/lib/domain/assets';
import { assetKey } from '@/lib/core/storage-keys';
import { box, fullBox, u32 } from '@/media-worker/media/cmaf/boxes';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { decodeFrames, readTrackDurations } from '@/media-worker/vod/index/testing/indexed-video';
import { saveServedHls } from '@/media-worker/vod/index/testing/served-hls';
import { withDurations, withEdits, withVideoBox } from '@/media-worker/vod/index/testing/with-edits';
import { receiveFile } from '@/media-worker/vod/tasks/testing/received-file';
import { createTaskRunner } from '@/media-worker/vod/tasks/testing/run-tasks';
import { createSampleFiles } from '@/media-worker/vod/testing/sample-files';
import { createWorkerFixtures } from '@/media-worker/testing/worker-fixtures';
import { importAssetJob } from './import-asset';

/** Files whose tables say something else than their media, from the upload to the frames that viewers see. */

const fixtures = createWorkerFixtures(await createTestDatabase(), { acceptMedia: 'any' });
const { ctx, storage, taskRow } = fixtures;
const owner = await fixtures.createTeamContext();
const samples = createSampleFiles();
const work = createTaskRunner(ctx, { import: importAssetJob });
afterAll(async () => {
  await work.close();
  samples.remove();
});

const SECONDS = 8;
const FRAMES = SECONDS * 25;
const encoderArgs = ['-bf', '2', '-g', '50', '-preset', 'veryfast'];
const sourcePath = samples.make('film.mp4', { seconds: SECONDS, fps: '25', output: encoderArgs });

/**
 * Imports a file.
 * @returns its spec, the path of the master playlist of its HLS, and a function that copies a stored file and returns the path
 */
async function importFile(name: string, file: string | Buffer) {
  const path = typeof file === 'string' ? file : samples.path(name);
  if (typeof file !== 'string') writeFileSync(path, file);
  const { assetId, taskId } = await receiveFile(fixtures, owner, path);
  await work.drain();
  const { phase, errorMessage } = await taskRow(taskId);
  expect([phase, errorMessage]).toEqual(['completed', null]);
  const { videoSpec } = await getAsset(owner, assetId);
  const copyStoredFile = async (stored: string) => {
    const copy = samples.path(`${assetId}-${stored}`);
    await storage.withFile(assetKey(assetId, stored), (from) => copyFile(from, copy));
    return copy;
  };
  return {
    videoSpec,
    hls: await saveServedHls(storage, assetId, samples.path(`hls-${assetId}`)),
    copyStoredFile,
    assetId,
  };
}

function trackTypesIn(path: string): string[] {
  const entries = ['-allowed_extensions', 'ALL', '-show_entries', 'stream=codec_type', '-of', 'csv=p=0'];
  const options = path.endsWith('.m3u8') ? entries : entries.slice(2);
  const lines = execFileSync('ffprobe', ['-v', 'error', ...options, path])
    .toString()
    .split('\n');
  // ffprobe lists the streams of HLS twice.
  return [...new Set(lines.filter((line) => line !== ''))];
}

const intervalsMs = (times: readonly { readonly timeMs: number }[]): number[] =>
  times.slice(1).map(({ timeMs }, index) => Math.round(timeMs - (times[index]?.timeMs ?? 0)));

/** Edit lists without a duration. The media times of video and audio start at 1,024. */
const editsToTheEnd = { vide: [[0, 1_024]], soun: [[0, 1_024]] } as const;

test('an edit without a duration lasts until the end, also in the poster', async () => {
  const { hls, copyStoredFile } = await importFile(
    'endless.mp4',
    withEdits(readFileSync(sourcePath), editsToTheEnd),
  );
  expect(decodeFrames(hls)).toHaveLength(FRAMES);
  expect(trackTypesIn(await copyStoredFile('poster.jpg'))).toEqual(['video']);
});

test('an edit of an unknown duration, which ffprobe rejects, lasts until the end', async () => {
  const edit = fullBox('elst', 1, 0, u32(1, 0xffffffff, 0xffffffff, 0, 1_024, 0x10000));
  const file = withVideoBox(readFileSync(sourcePath), 'edts', () => box('edts', edit));
  const { hls } = await importFile('unknown-duration.mp4', file);
  expect(decodeFrames(hls)).toHaveLength(FRAMES);
});

test('only the audio is taken from a file whose edit list hides its video', async () => {
  const hidden = withEdits(readFileSync(sourcePath), {
    vide: [[SECONDS * 1_000, -1]],
    soun: [[SECONDS * 1_000, 1_024]],
  });
  const { videoSpec, hls, copyStoredFile, assetId } = await importFile('heard.mp4', hidden);
  expect(videoSpec?.tracks).toMatchObject([{ type: 'audio' }]);
  expect(trackTypesIn(hls)).toEqual(['audio']);
  expect(trackTypesIn(await copyStoredFile('video.mp4'))).toEqual(['audio']);
  expect(await storage.head(assetKey(assetId, 'poster.jpg'))).toBeNull();
});

test('frames that all have no duration share that of the track', async () => {
  const { hls } = await importFile('timeless.mp4', withDurations(readFileSync(sourcePath), [[FRAMES, 0]]));
  const shownFrames = decodeFrames(hls);
  expect(shownFrames).toHaveLength(FRAMES);
  expect(new Set(intervalsMs(shownFrames))).toEqual(new Set([40]));
});

test('no frame of H.264 in AVI is lost, and none is shown out of order', async () => {
  const codecs = ['-c:v', 'libx264', ...encoderArgs, '-c:a', 'libmp3lame'];
  samples.ffmpeg('-i', sourcePath, ...codecs, samples.path('b.avi'));
  const { hls } = await importFile('b.avi', samples.path('b.avi'));
  const shownFrames = decodeFrames(hls);
  expect(shownFrames).toHaveLength(FRAMES);
  expect(new Set(intervalsMs(shownFrames))).toEqual(new Set([40]));
});

test('of a fragmented file that a crash cut off, the first part plays', async () => {
  const movflags = ['-movflags', 'frag_keyframe+empty_moov+default_base_moof'];
  samples.ffmpeg('-i', sourcePath, '-c', 'copy', ...movflags, samples.path('fragments.mp4'));
  const complete = readFileSync(samples.path('fragments.mp4'));
  const { hls, videoSpec } = await importFile(
    'cut.mp4',
    complete.subarray(0, Math.round(complete.length * 0.6)),
  );
  const shownCount = decodeFrames(hls).length;
  expect(shownCount).toBeGreaterThan(50);
  expect(shownCount).toBeLessThan(FRAMES);
  expect(videoSpec?.duration).toBeLessThan(SECONDS);
});

/** Options that show the last frame of encoded video until `seconds`. */
const lastFrameUntil = (seconds: number): string[] => [
  ...['-fps_mode', 'passthrough', '-enc_time_base', '1:12800', '-bsf:v'],
  `setts=pts=PTS:dts=DTS:duration='max(DURATION,${seconds}/TB-PTS)'`,
];

test.each([
  ['that is encoded', 'still.mov', ['-c:v', 'prores_ks']],
  ['that is copied', 'still-copied.mov', ['-c:v', 'libx264', ...encoderArgs]],
])('the last frame keeps its duration in a film %s', async (_, name, codec) => {
  for (const seconds of [SECONDS + 4, SECONDS]) {
    const path = samples.path(`${seconds}-${name}`);
    samples.ffmpeg('-i', sourcePath, '-an', ...codec, ...lastFrameUntil(seconds), path);
    const { videoSpec, hls, copyStoredFile } = await importFile(name, path);
    expect(videoSpec?.duration).toBeCloseTo(seconds, 2);
    expect(decodeFrames(hls).length).toBeGreaterThanOrEqual(FRAMES);
    expect(readTrackDurations(await copyStoredFile('video.mp4')).video).toBeCloseTo(seconds, 2);
  }
});

test('animated pictures become videos', async () => {
  const pictures = ['-f', 'lavfi', '-i', 'testsrc2=size=64x48:rate=10:duration=2'];
  samples.ffmpeg(...pictures, '-final_delay', '250', samples.path('a.gif'));
  samples.ffmpeg(...pictures, '-plays', '0', '-final_delay', '5/2', samples.path('a.apng'));
  const gif = await importFile('a.gif', samples.path('a.gif'));
  expect(gif.videoSpec).toMatchObject({ format: 'gif', duration: 4.4 });
  expect(decodeFrames(gif.hls)).toHaveLength(20);
  const apng = await importFile('a.apng', samples.path('a.apng'));
  expect(apng.videoSpec).toMatchObject({ format: 'apng', duration: 4.4 });
  // The last frame is repeated, because it is not decoded last.
  expect(decodeFrames(apng.hls).length).toBeGreaterThanOrEqual(20);
  expect(readTrackDurations(await apng.copyStoredFile('video.mp4')).video).toBeCloseTo(4.4, 2);
});

test('a Matroska file with negative times keeps its first seconds', async () => {
  const times = ['-output_ts_offset', '-3', '-avoid_negative_ts', 'disabled'];
  samples.ffmpeg('-i', sourcePath, '-c', 'copy', ...times, samples.path('negative.mkv'));
  const { videoSpec, hls, copyStoredFile } = await importFile('negative.mkv', samples.path('negative.mkv'));
  expect(videoSpec?.duration).toBeCloseTo(SECONDS, 1);
  for (const path of [hls, await copyStoredFile('video.mp4')])
    expect(new Set(intervalsMs(decodeFrames(path)))).toEqual(new Set([40]));
});
