import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSampleFiles } from '@/media-worker/vod/testing/sample-files';
import { type ByteSource, withFile } from './byte-source';
import { writeKeyframes } from './keyframes-file';
import { readIndexHead } from './stored-index';
import { decodeFrames } from './testing/indexed-video';
import { writeIndexedHls } from './testing/write-hls';

const samples = createSampleFiles();
afterAll(() => samples.remove());

let sourcePath: string;
let index: string;
beforeAll(async () => {
  sourcePath = samples.make('film.mp4', { seconds: 14, fps: '25', output: ['-bf', '2', '-g', '50'] });
  const dataDir = samples.path('data');
  index = await writeIndexedHls(sourcePath, samples.path('hls'), { frameRate: 25, dataDir });
});

/**
 * Writes the keyframes before these times to a file.
 * @returns the number of bytes read from the video
 */
async function write(times: readonly number[], output: string): Promise<number> {
  let bytes = 0;
  await withFile(sourcePath, (file) =>
    withFile(index, async (indexSource) => {
      const counted: ByteSource = {
        size: file.size,
        read: (offset, length) => {
          bytes += length;
          return file.read(offset, length);
        },
      };
      const head = await readIndexHead(indexSource);
      expect(await writeKeyframes({ file: counted, index: indexSource, head }, times, output)).toBe(true);
    }),
  );
  return bytes;
}

test('the file shows the last keyframe before each time, at that time', async () => {
  const output = samples.path('keyframes.mp4');
  await write([0, 1, 2, 3.5, 4, 13], output);
  const shown = decodeFrames(sourcePath);
  // A keyframe every 50 frames at 25 frames per second.
  const keyframes = [0, 0, 50, 50, 100, 300].map((frame) => shown[frame]?.hash);
  const frames = decodeFrames(output);
  expect(frames.map(({ hash }) => hash)).toEqual(keyframes);
  expect(frames.map(({ timeMs }) => Math.round(timeMs))).toEqual([0, 1_000, 2_000, 3_500, 4_000, 13_000]);
});

test('a keyframe for two times is read once, and less than a fifth of the file is read', async () => {
  const bytes = await write([0, 1], samples.path('first.mp4'));
  expect(bytes).toBeLessThan(readFileSync(sourcePath).length / 5);
  expect(await write([0], samples.path('one.mp4'))).toBe(bytes);
});
