import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSampleFiles } from '@/media-worker/vod/testing/sample-files';
import { type ByteSource, withFile } from './byte-source';
import { readIndexHead } from './stored-index';
import { decodeFrames } from './testing/indexed-video';
import { writeIndexedHls } from './testing/write-hls';
import { writeRange } from './write-range';

const samples = createSampleFiles();
afterAll(() => samples.remove());

const FPS = 25;
/** Number of frames in a GOP. */
const GOP_FRAMES = 50;
let sourcePath: string;
let indexPath: string;
let sourceFrameHashes: string[];
const writeIndexFor = (path: string) =>
  writeIndexedHls(path, `${path}.hls`, { frameRate: FPS, dataDir: samples.path('data') });
beforeAll(async () => {
  const output = ['-bf', '2', '-g', `${GOP_FRAMES}`, '-keyint_min', `${GOP_FRAMES}`, '-sc_threshold', '0'];
  sourcePath = samples.make('film.mp4', { seconds: 40, size: '320x180', fps: `${FPS}`, output });
  indexPath = await writeIndexFor(sourcePath);
  sourceFrameHashes = decodeFrames(sourcePath).map(({ hash }) => hash);
});

/**
 * Writes a range of a video file.
 * @returns the path and the offset of the written file, and the number of bytes read from the video
 */
async function writeRangeOf(
  startSeconds: number,
  endSeconds: number,
  [videoPath, videoIndexPath] = [sourcePath, indexPath],
) {
  const path = samples.path('range.mp4');
  let bytes = 0;
  const offset = await withFile(videoPath, (file) =>
    withFile(videoIndexPath, async (indexSource) => {
      const counted: ByteSource = {
        size: file.size,
        read: (start, length) => {
          bytes += length;
          return file.read(start, length);
        },
      };
      const head = await readIndexHead(indexSource);
      const { signal } = new AbortController();
      return writeRange(
        { file: counted, index: indexSource, head },
        { startSeconds, endSeconds },
        { path, signal },
      );
    }),
  );
  return { path, bytes, offset };
}

test.each([
  ['at the start', 0, 2],
  ['between keyframes', 2.52, 4],
  ['at a keyframe', 20, 23],
  ['at the start of a segment', 12, 13],
  ['over several segments', 3.32, 27.4],
  ['at the end', 37, 40],
])('a range %s has its frames, from the keyframe before it', async (_, startSeconds, endSeconds) => {
  const { path, offset } = await writeRangeOf(startSeconds, endSeconds);
  const first = Math.floor((startSeconds * FPS) / GOP_FRAMES + 1e-6) * GOP_FRAMES;
  const count = Math.ceil(endSeconds * FPS - 1e-6) - first;
  const shown = decodeFrames(path).map(({ hash }) => hash);
  expect(shown.slice(0, count)).toEqual(sourceFrameHashes.slice(first, first + count));
  // Up to three more frames follow, which the last frames of the range refer to.
  expect(shown.length - count).toBeLessThanOrEqual(3);
  const offsetError = (offset ?? NaN) - (startSeconds - first / FPS);
  expect(offsetError).toBeGreaterThan(-0.0001);
  // Audio may start up to three frames before video.
  expect(offsetError).toBeLessThan((3 * 1_024) / 48_000);
});

test('only the bytes of the range are read from a long video', async () => {
  const { bytes, path } = await writeRangeOf(20.5, 22);
  expect(bytes).toBeLessThan(statSync(sourcePath).size / 8);
  // The limit leaves room for the tables of the written file.
  expect(bytes).toBeLessThan(statSync(path).size * 2);
});

test('audio and video keep their offset', async () => {
  const packetsOf = (path: string, track: string) => {
    const args = ['-v', 'error', '-select_streams', track, '-show_entries', 'packet=pts_time,data_hash'];
    const rows = execFileSync('ffprobe', [...args, '-show_data_hash', 'md5', '-of', 'csv=p=0', path]);
    return rows
      .toString()
      .trim()
      .split('\n')
      .map((row) => row.split(','));
  };
  const { path } = await writeRangeOf(20.5, 23);
  const lastShiftOf = (track: string) => {
    const original = new Map(packetsOf(sourcePath, track).map(([time, hash]) => [hash, Number(time)]));
    const shifts = packetsOf(path, track).map(([time, hash]) => (original.get(hash) ?? NaN) - Number(time));
    return shifts.at(-1);
  };
  expect(Math.abs((lastShiftOf('v') ?? NaN) - (lastShiftOf('a') ?? NaN))).toBeLessThan(0.0002);
});

test('a rotated video stays rotated', async () => {
  const rotatedFile = samples.path('turned.mp4');
  samples.ffmpeg('-i', sourcePath, '-c', 'copy', '-metadata:s:v', 'rotate=90', rotatedFile);
  const { path } = await writeRangeOf(4.2, 6, [rotatedFile, await writeIndexFor(rotatedFile)]);
  const args = ['-v', 'error', '-show_entries', 'stream_side_data=rotation', '-of', 'csv=p=0'];
  const rotationOf = (file: string) =>
    execFileSync('ffprobe', [...args, file])
      .toString()
      .trim();
  expect(rotationOf(path)).toBe(rotationOf(rotatedFile));
  expect(rotationOf(path)).not.toBe('');
});

test('silence that the index adds is written', async () => {
  const pathWithAudioGap = samples.path('holed.mp4');
  samples.ffmpeg(
    '-i',
    sourcePath,
    '-c',
    'copy',
    '-bsf:a',
    'noise=drop=between(pts*tb\\,3\\,8)',
    pathWithAudioGap,
  );
  const { path } = await writeRangeOf(4, 7, [pathWithAudioGap, await writeIndexFor(pathWithAudioGap)]);
  const args = ['-v', 'error', '-select_streams', 'a', '-show_entries', 'stream=nb_frames', '-of', 'csv=p=0'];
  expect(Number(execFileSync('ffprobe', [...args, path]).toString())).toBeGreaterThan(3 * 46); // 3 s of AAC at 46.9 frames per second
});

test('a range is written from video without audio, and from audio without video', async () => {
  const [silent, song] = [samples.path('silent.mp4'), samples.path('song.mp4')];
  samples.ffmpeg('-i', sourcePath, '-c', 'copy', '-an', silent);
  samples.ffmpeg('-i', sourcePath, '-c', 'copy', '-vn', song);
  const { path, offset } = await writeRangeOf(5, 8, [silent, await writeIndexFor(silent)]);
  // The keyframe before 5 s is frame 100, at 4 s.
  expect(offset).toBeCloseTo(1, 3);
  expect(decodeFrames(path)[0]?.hash).toBe(sourceFrameHashes[100]);
  const audio = await writeRangeOf(5, 8, [song, await writeIndexFor(song)]);
  expect(audio.offset).toBeGreaterThanOrEqual(0);
  expect(audio.offset).toBeLessThan(0.05);
});

test('a frame that is held while there is only audio is read from the file', async () => {
  const lateVideoPath = samples.path('late.mp4');
  samples.ffmpeg(
    '-itsoffset',
    '3',
    '-i',
    sourcePath,
    '-i',
    sourcePath,
    '-map',
    '0:v',
    '-map',
    '1:a',
    '-c',
    'copy',
    lateVideoPath,
  );
  const lateIndex = await writeIndexFor(lateVideoPath);
  expect((await writeRangeOf(1, 5, [lateVideoPath, lateIndex])).offset).toBeNull();
  expect((await writeRangeOf(6, 8, [lateVideoPath, lateIndex])).offset).not.toBeNull();
});
