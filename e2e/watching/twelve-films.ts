import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beeps, counterArgs, countedBits, readCounter } from '@/media-worker/vod/testing/counted-film';

/** Files in the layouts of phones, screen recorders, editors and cameras. */

const seconds = 4;
const fps = 25;
const size = '320x180';

const ffmpeg = (...args: readonly string[]): Buffer =>
  execFileSync('ffmpeg', ['-v', 'error', '-y', '-nostdin', ...args], { maxBuffer: 2 ** 26 });
const film = [...counterArgs({ size, fps, seconds }), ...beeps({ rate: 48_000, seconds })];
const x264 = ['-c:v', 'libx264', '-preset', 'veryfast', '-pix_fmt', 'yuv420p', '-g', '25', '-bf', '2'];
const aac = ['-c:a', 'aac', '-b:a', '96k'];
const pcm = ['-c:a', 'pcm_s16le'];
const sometimes = ['-vf', "select='lt(n,20)+not(mod(n,6))+gt(n,80)'", '-fps_mode', 'vfr'];

/** Writes a film to a path. A folder holds intermediate files. */
type Make = (path: string, folder: string) => void;

const copyStreams = (
  encoderArgs: readonly string[],
  change: readonly string[],
  before: readonly string[] = [],
): Make => {
  return (path, folder) => {
    const wholeFile = join(folder, 'whole.mp4');
    ffmpeg(...film, ...encoderArgs, wholeFile);
    ffmpeg(...before, '-i', wholeFile, '-c', 'copy', ...change, path);
    rmSync(wholeFile);
  };
};
const encode =
  (...output: readonly string[]): Make =>
  (path) =>
    void ffmpeg(...film, ...output, path);

/** Every 120 ms are a separate edit, as editors write cuts. */
const cuts = Array.from({ length: 24 }, (_, index) => index * 0.12);
const assembleCuts: Make = (path, folder) => {
  const wholeFile = join(folder, 'whole.mov');
  ffmpeg(...film, ...x264, '-g', '3', '-bf', '0', ...aac, '-movflags', '+faststart', wholeFile);
  const list = join(folder, 'cuts.txt');
  const lines = cuts.map(
    (from) => `file '${wholeFile}'\ninpoint ${from.toFixed(2)}\noutpoint ${(from + 0.12).toFixed(2)}\n`,
  );
  writeFileSync(list, lines.join(''));
  ffmpeg('-f', 'concat', '-safe', '0', '-i', list, '-c', 'copy', '-timecode', '10:00:00:00', path);
  for (const file of [wholeFile, list]) rmSync(file);
};

/** A file as after a crash: the last bytes and the index are missing. */
const cutOff =
  (make: Make): Make =>
  (path, folder) => {
    make(path, folder);
    const bytes = readFileSync(path);
    writeFileSync(path, bytes.subarray(0, Math.floor(bytes.length * 0.9)));
  };

export const twelveFilms: Readonly<Record<string, Make>> = {
  'phone upright, trimmed.mp4': copyStreams(
    [...x264, ...aac],
    ['-metadata:s:v', 'rotate=90'],
    ['-ss', '1.3'],
  ),
  'phone HEVC.mov': copyStreams(
    ['-c:v', 'libx265', '-preset', 'ultrafast', '-tag:v', 'hvc1', '-x265-params', 'log-level=none', ...aac],
    ['-metadata:s:v', 'rotate=90'],
  ),
  'phone with a variable rate.mp4': encode(...sometimes, ...x264, ...aac),
  'screen.mkv': encode(...sometimes, ...x264, ...aac),
  'screen, cut off.mkv': cutOff(encode(...x264, ...aac)),
  'screen of a browser.webm': encode(
    ...[...sometimes, '-c:v', 'libvpx-vp9', '-deadline', 'realtime', '-cpu-used', '8', '-c:a', 'libopus'],
    ...['-live', '1'],
  ),
  'editor ProRes.mov': encode('-c:v', 'prores_ks', '-profile:v', '0', ...pcm, '-timecode', '01:00:00:00'),
  'editor DNxHR.mov': encode(
    ...['-c:v', 'dnxhd', '-profile:v', 'dnxhr_lb', '-pix_fmt', 'yuv422p', ...pcm, '-timecode', '01:00:00:00'],
  ),
  'editor with many cuts.mov': assembleCuts,
  'camcorder.mts': encode(...x264, '-c:a', 'ac3', '-f', 'mpegts'),
  'camera.avi': encode('-c:v', 'mjpeg', '-q:v', '3', '-pix_fmt', 'yuvj420p', ...pcm),
  'camera with several sounds.mp4': encode(
    ...[...x264, ...aac, '-map', '0:v', '-map', '1:a', '-map', '1:a', '-map', '1:a'],
  ),
};

/** @throws Error for a name that is not in the list */
export function makeFilm(name: string, folder: string): string {
  const path = join(folder, name);
  const make = twelveFilms[name];
  if (!make) throw new Error(`no film is called ${name}`);
  make(path, folder);
  return path;
}

/** Number of the last frame that ffmpeg decodes from a file; null if it decodes none. */
export function lastFrameOf(path: string): number | null {
  const columns = `${countedBits}:2:flags=area`;
  const gray = execFileSync(
    'ffmpeg',
    [
      ...['-v', 'quiet', '-noautorotate', '-i', path, '-map', '0:v:0', '-fps_mode', 'passthrough'],
      ...['-vf', `scale=${columns}`, '-pix_fmt', 'gray', '-f', 'rawvideo', '-'],
    ],
    { maxBuffer: 2 ** 24 },
  );
  return readCounter(gray.subarray(-countedBits * 2));
}

/** The number in a picture of `countedBits` × 2 pixels, or in a picture rotated by 90°. */
export function numbersIn(gray: readonly number[], rotatedGray: readonly number[]): (number | null)[] {
  const rows = (from: readonly number[], first: number) =>
    Array.from({ length: countedBits }, (_, bit) => from[bit * 2 + first] ?? 0);
  const clockwise = [...rows(rotatedGray, 1), ...rows(rotatedGray, 0)];
  const upright = [...rows(rotatedGray, 0).toReversed(), ...rows(rotatedGray, 1).toReversed()];
  return [gray, clockwise, upright].map((pixels) => readCounter(Uint8Array.from(pixels)));
}
