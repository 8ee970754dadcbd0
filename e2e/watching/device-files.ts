import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  beepArgs,
  frameNumberInputArgs,
  FRAME_NUMBER_BITS,
  readFrameNumber,
} from '@/media-worker/vod/testing/counted-video';
import { runFfmpeg } from '../media/testing/run-ffmpeg';

// Test files in the formats of phones, screen recorders, editors and cameras.

const SECONDS = 4;
const FPS = 25;
const size = '320x180';

const sourceArgs = [
  ...frameNumberInputArgs({ size, fps: FPS, seconds: SECONDS }),
  ...beepArgs({ sampleRate: 48_000, seconds: SECONDS }),
];
const x264Args = ['-c:v', 'libx264', '-preset', 'veryfast', '-pix_fmt', 'yuv420p', '-g', '25', '-bf', '2'];
const aacArgs = ['-c:a', 'aac', '-b:a', '96k'];
const pcmArgs = ['-c:a', 'pcm_s16le'];
/** Keeps the frames 0 to 19, then every sixth frame, and all frames after 80. */
const variableRateArgs = ['-vf', "select='lt(n,20)+not(mod(n,6))+gt(n,80)'", '-fps_mode', 'vfr'];

/** Writes a test file to a path. `folder` holds intermediate files, whose names all functions share. */
type WriteFile = (path: string, folder: string) => Promise<void>;

const copyStreams = (
  encoderArgs: readonly string[],
  outputArgs: readonly string[],
  demuxerArgs: readonly string[] = [],
): WriteFile => {
  return async (path, folder) => {
    const wholeFile = join(folder, 'whole.mp4');
    await runFfmpeg(...sourceArgs, ...encoderArgs, wholeFile);
    await runFfmpeg(...demuxerArgs, '-i', wholeFile, '-c', 'copy', ...outputArgs, path);
    rmSync(wholeFile);
  };
};
const encode =
  (...output: readonly string[]): WriteFile =>
  async (path) => {
    await runFfmpeg(...sourceArgs, ...output, path);
  };

/** Start times of cuts in seconds. Each cut of 120 ms gets its own edit, like in files of video editors. */
const cutTimes = Array.from({ length: 24 }, (_, index) => index * 0.12);
const assembleCuts: WriteFile = async (path, folder) => {
  const wholeFile = join(folder, 'whole.mov');
  await runFfmpeg(
    ...sourceArgs,
    ...x264Args,
    '-g',
    '3',
    '-bf',
    '0',
    ...aacArgs,
    '-movflags',
    '+faststart',
    wholeFile,
  );
  const listPath = join(folder, 'cuts.txt');
  const listLines = cutTimes.map(
    (start) => `file '${wholeFile}'\ninpoint ${start.toFixed(2)}\noutpoint ${(start + 0.12).toFixed(2)}\n`,
  );
  writeFileSync(listPath, listLines.join(''));
  await runFfmpeg(
    '-f',
    'concat',
    '-safe',
    '0',
    '-i',
    listPath,
    '-c',
    'copy',
    '-timecode',
    '10:00:00:00',
    path,
  );
  for (const file of [wholeFile, listPath]) rmSync(file);
};

/** Removes the last 10% of a file, like the crash of a recorder, so that the index at its end is missing. */
const truncateFile =
  (make: WriteFile): WriteFile =>
  async (path, folder) => {
    await make(path, folder);
    const bytes = readFileSync(path);
    writeFileSync(path, bytes.subarray(0, Math.floor(bytes.length * 0.9)));
  };

/** Functions that write a test file, by the name of the file. */
export const deviceFiles: Readonly<Record<string, WriteFile>> = {
  'phone portrait, trimmed.mp4': copyStreams(
    [...x264Args, ...aacArgs],
    ['-metadata:s:v', 'rotate=90'],
    ['-ss', '1.3'],
  ),
  'phone HEVC.mov': copyStreams(
    [
      '-c:v',
      'libx265',
      '-preset',
      'ultrafast',
      '-tag:v',
      'hvc1',
      '-x265-params',
      'log-level=none',
      ...aacArgs,
    ],
    ['-metadata:s:v', 'rotate=90'],
  ),
  'phone with a variable rate.mp4': encode(...variableRateArgs, ...x264Args, ...aacArgs),
  'screen.mkv': encode(...variableRateArgs, ...x264Args, ...aacArgs),
  'screen, cut off.mkv': truncateFile(encode(...x264Args, ...aacArgs)),
  'screen of a browser.webm': encode(
    ...[
      ...variableRateArgs,
      '-c:v',
      'libvpx-vp9',
      '-deadline',
      'realtime',
      '-cpu-used',
      '8',
      '-c:a',
      'libopus',
    ],
    ...['-live', '1'],
  ),
  'editor ProRes.mov': encode('-c:v', 'prores_ks', '-profile:v', '0', ...pcmArgs, '-timecode', '01:00:00:00'),
  'editor DNxHR.mov': encode(
    ...[
      '-c:v',
      'dnxhd',
      '-profile:v',
      'dnxhr_lb',
      '-pix_fmt',
      'yuv422p',
      ...pcmArgs,
      '-timecode',
      '01:00:00:00',
    ],
  ),
  'editor with many cuts.mov': assembleCuts,
  'camcorder.mts': encode(...x264Args, '-c:a', 'ac3', '-f', 'mpegts'),
  'camera.avi': encode('-c:v', 'mjpeg', '-q:v', '3', '-pix_fmt', 'yuvj420p', ...pcmArgs),
  'camera with several sounds.mp4': encode(
    ...[...x264Args, ...aacArgs, '-map', '0:v', '-map', '1:a', '-map', '1:a', '-map', '1:a'],
  ),
};

/**
 * Writes a test file into a folder.
 * @param name name in `deviceFiles`
 * @returns the path of the file
 * @throws Error for an unknown name
 */
export async function makeDeviceFile(name: string, folder: string): Promise<string> {
  const path = join(folder, name);
  const make = deviceFiles[name];
  if (!make) throw new Error(`There is no test file ${name}`);
  await make(path, folder);
  return path;
}

/** Number of the last frame that ffmpeg decodes from a file, or null if it is not readable. */
export async function lastFrameNumberOf(path: string): Promise<number | null> {
  const columns = `${FRAME_NUMBER_BITS}:2:flags=area`;
  const gray = await runFfmpeg(
    ...['-v', 'quiet', '-noautorotate', '-i', path, '-map', '0:v:0', '-fps_mode', 'passthrough'],
    ...['-vf', `scale=${columns}`, '-pix_fmt', 'gray', '-f', 'rawvideo', '-'],
  );
  return readFrameNumber(gray.subarray(-FRAME_NUMBER_BITS * 2));
}

/**
 * Decodes the frame number of a picture, for each of three orientations: landscape, rotated clockwise and counterclockwise.
 * A number is null if the picture has another orientation.
 * @param landscape brightness of 12 × 2 cells
 * @param portrait brightness of 2 × 12 cells
 */
export function decodeFrameNumbers(
  landscape: readonly number[],
  portrait: readonly number[],
): (number | null)[] {
  const readColumn = (cells: readonly number[], column: number) =>
    Array.from({ length: FRAME_NUMBER_BITS }, (_, bit) => cells[bit * 2 + column] ?? 0);
  const clockwise = [...readColumn(portrait, 1), ...readColumn(portrait, 0)];
  const counterclockwise = [...readColumn(portrait, 0).toReversed(), ...readColumn(portrait, 1).toReversed()];
  return [landscape, clockwise, counterclockwise].map((pixels) => readFrameNumber(Uint8Array.from(pixels)));
}
