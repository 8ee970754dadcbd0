import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { RenditionSpec } from '@/lib/core/renditions/ladder';
import { planVideoConversion } from '@/lib/core/media/conversion';
import { audioArgs, videoArgs } from '@/media-worker/media/ffmpeg/conversion-args';
import type { Machine } from '@/media-worker/vod/renditions/core-load';
import { encodeVideo, type Encoding } from './encode-video';
import { createSampleFiles, type SampleOptions } from '@/media-worker/vod/testing/sample-files';

const samples = createSampleFiles();
afterAll(() => samples.remove());
const idleMachine = (cores: number): Machine => ({ cores, busyCores: () => Promise.resolve(0) });
const baseRendition: RenditionSpec = {
  name: 'small',
  width: 64,
  height: 36,
  bitrate: 60_000,
  fps: null,
  quality: null,
  gopFrames: null,
  profile: 'main',
};
const neverAborted = new AbortController().signal;
/** Lines that ffprobe prints about a file. */
const probeLines = (path: string, ...args: readonly string[]) =>
  execFileSync('ffprobe', ['-v', 'error', ...args, '-of', 'csv=p=0', path])
    .toString()
    .trim()
    .split('\n');
/** Presentation times of the frames in seconds, in order. */
const frameTimes = (path: string) =>
  probeLines(path, '-select_streams', 'v', '-show_entries', 'packet=pts_time')
    .map(Number)
    .sort((a, b) => a - b);
/** MD5 of the encoded audio. */
const audioHashOf = (path: string) =>
  samples.ffmpeg('-i', path, '-map', '0:a', '-c', 'copy', '-f', 'md5', '-');
/** Presentation times of the keyframes in seconds. */
const keyframeTimes = (path: string) =>
  probeLines(path, '-select_streams', 'v', '-show_entries', 'packet=pts_time,flags')
    .filter((line) => line.includes('K'))
    .map((line) => Number.parseFloat(line));

/** Start of a timeline that is too late for an encoding in chunks. */
const LATE_START_SECONDS = 5;

function createEncoding(name: string, input: string, change: Partial<Encoding> = {}): Encoding {
  const chunkFolder = samples.path(`${name}-chunks`);
  const output = samples.path(`${name}.mp4`);
  return {
    input,
    output,
    chunkFolder,
    rendition: baseRendition,
    durationSeconds: 64,
    startSeconds: 0,
    videoEnd: null,
    fps: 10,
    pixelsPerSecond: 0,
    ...change,
  };
}
/** @returns the reported fractions of the progress */
async function encode(encoding: Encoding, machine: Machine, signal = neverAborted) {
  const fractions: number[] = [];
  await encodeVideo(encoding, { signal, onFraction: (fraction) => fractions.push(fraction) }, machine);
  return fractions;
}
/** Creates a video that is long enough for four chunks. */
const makeLongVideo = (name: string, options: SampleOptions = {}) =>
  samples.make(name, { seconds: 64, size: '64x36', ...options });

describe('in chunks, in parallel', () => {
  test.each<[string, SampleOptions, Partial<RenditionSpec>]>([
    ['constant frame rate', { fps: '12000/1001', video: ['-c:v', 'libx264', '-preset', 'ultrafast', '-bf', '2'] }, {}],
    ['variable frame rate', { output: ['-vf', "select='not(mod(n,3))+lt(mod(n,50),8)'", '-fps_mode', 'vfr'] }, {}],
    ['changed frame rate', { fps: '12000/1001' }, { fps: 7 }],
    ['keyframes far apart', { video: ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '400'] }, { gopFrames: 40 }],
  ])('a video has the same frames at the same times as without chunks: %s', async (name, options, change) => {
    const fileName = name.replaceAll(' ', '-');
    const input = makeLongVideo(`${fileName}-in.mp4`, options);
    const rendition = { ...baseRendition, ...change };
    const wholeEncoding = createEncoding(`${fileName}-whole`, input, { rendition, startSeconds: LATE_START_SECONDS });
    const chunkedEncoding = createEncoding(`${fileName}-cut`, input, { rendition });
    await encode(wholeEncoding, idleMachine(8));
    const fractions = await encode(chunkedEncoding, idleMachine(8));
    expect(readdirSync(chunkedEncoding.chunkFolder).filter((file) => file.endsWith('.mp4'))).toHaveLength(4);
    expect(frameTimes(chunkedEncoding.output)).toEqual(frameTimes(wholeEncoding.output));
    expect(audioHashOf(chunkedEncoding.output)).toEqual(audioHashOf(wholeEncoding.output));
    expect(audioHashOf(chunkedEncoding.output)).toEqual(audioHashOf(input));
    // A decoder reports no error.
    expect(samples.ffmpeg('-xerror', '-i', chunkedEncoding.output, '-f', 'null', '-').toString()).toBe('');
    expect(fractions).toEqual([...fractions].sort((a, b) => a - b));
    expect(fractions.at(-1)).toBeCloseTo(1, 2);
    const frames = frameTimes(chunkedEncoding.output);
    // Starts of the second to fourth chunk, seconds.
    for (const start of [16, 32, 48]) {
      expect(keyframeTimes(chunkedEncoding.output)).toContain(frames.find((time) => time >= start));
    }
  }); // prettier-ignore

  test('the tracks of a file that is not an MP4 are selected, and its audio is encoded once', async () => {
    const input = makeLongVideo('foreign-in.mkv', {
      audio: ['-c:a', 'pcm_s16le'],
      output: ['-map', '1', '-map', '0'],
    });
    const conversion = planVideoConversion({
      width: 64,
      height: 36,
      avg_frame_rate: '10/1',
      field_order: 'tt',
    });
    const audio = audioArgs({ channels: 1, sampleRate: 48_000 });
    const source = {
      demuxer: 'matroska',
      videoTrack: 1,
      audioTrack: 0,
      ...videoArgs(conversion),
      audioArgs: audio,
    };
    const change = { rendition: conversion.rendition, source };
    const [wholeEncoding, chunkedEncoding] = [
      createEncoding('foreign-whole', input, { ...change, startSeconds: LATE_START_SECONDS }),
      createEncoding('foreign-cut', input, change),
    ];
    await encode(wholeEncoding, idleMachine(8));
    const fractions = await encode(chunkedEncoding, idleMachine(8));
    // 64 s at 10 frames per second.
    expect(frameTimes(chunkedEncoding.output)).toHaveLength(640);
    expect(frameTimes(chunkedEncoding.output)).toEqual(frameTimes(wholeEncoding.output));
    expect(audioHashOf(chunkedEncoding.output)).toEqual(audioHashOf(wholeEncoding.output));
    expect(samples.ffmpeg('-xerror', '-i', chunkedEncoding.output, '-f', 'null', '-').toString()).toBe('');
    expect(fractions).toEqual([...fractions].sort((a, b) => a - b));
    expect(fractions.at(-1)).toBeCloseTo(1, 2);
  });

  test('a chunk without frames is left out', async () => {
    const input = makeLongVideo('gap-in.mp4', {
      output: ['-vf', "select='lt(t,10)+gt(t,52)'", '-fps_mode', 'vfr'],
    });
    const [wholeEncoding, chunkedEncoding] = [
      createEncoding('gap-whole', input, { startSeconds: LATE_START_SECONDS }),
      createEncoding('gap-cut', input),
    ];
    await encode(wholeEncoding, idleMachine(8));
    await encode(chunkedEncoding, idleMachine(8));
    expect(frameTimes(chunkedEncoding.output)).toEqual(frameTimes(wholeEncoding.output));
  });

  test('chunks that an earlier run finished are reused, and unfinished ones discarded', async () => {
    const input = samples.path('constant-frame-rate-in.mp4');
    const chunkedEncoding = createEncoding('again', input);
    await encode(chunkedEncoding, idleMachine(8));
    const finishedChunk = join(chunkedEncoding.chunkFolder, 'chunk-16-32.mp4');
    const { mtimeMs, ino } = statSync(finishedChunk);
    for (const name of readdirSync(chunkedEncoding.chunkFolder)) {
      if (name === 'chunk-16-32.mp4') continue;
      execFileSync('rm', [join(chunkedEncoding.chunkFolder, name)]);
    }
    writeFileSync(join(chunkedEncoding.chunkFolder, 'chunk-0-16.mp4.part'), 'half');
    // Some file systems leave an empty file after a power failure.
    writeFileSync(join(chunkedEncoding.chunkFolder, 'chunk-32-48.mp4'), '');
    const fractions = await encode(chunkedEncoding, { cores: 8, busyCores: () => Promise.resolve(8) });
    expect(statSync(finishedChunk)).toMatchObject({ mtimeMs, ino });
    expect(frameTimes(chunkedEncoding.output)).toEqual(
      frameTimes(samples.path('constant-frame-rate-whole.mp4')),
    );
    expect(fractions.at(-1)).toBeCloseTo(1, 2);
  });
});

test('the load is not measured after the last chunk has started, because that chunk may end meanwhile', async () => {
  const chunkedEncoding = createEncoding('last-chunk', samples.path('constant-frame-rate-in.mp4'));
  let measurements = 0;
  const busyCores = () => (measurements++ === 0 ? Promise.resolve(0) : new Promise<number>(() => undefined));
  await encode(chunkedEncoding, { cores: 8, busyCores });
  expect(frameTimes(chunkedEncoding.output)).toEqual(
    frameTimes(samples.path('constant-frame-rate-whole.mp4')),
  );
});

test('a short file is encoded without chunks', async () => {
  const input = samples.make('short-in.mp4', { seconds: 2 });
  const short = createEncoding('short', input, { durationSeconds: 2 });
  await encode(short, idleMachine(8));
  expect(() => readdirSync(short.chunkFolder)).toThrow('ENOENT');
  expect(frameTimes(short.output)).toHaveLength(20);
});

describe('on an error', () => {
  // Where the sandbox mounts the output, the mount fails instead of ffmpeg.
  const errorName = expect.stringMatching(/^Ffmpeg(Failed|Killed)$/) as string;
  const oneAtATime = { cores: 8, busyCores: () => Promise.resolve(8) };

  test('a failed chunk fails the encoding with its error', async () => {
    const chunkedEncoding = createEncoding('failing', samples.path('constant-frame-rate-in.mp4'));
    // A folder at the path of the chunk makes its encoder fail.
    mkdirSync(join(chunkedEncoding.chunkFolder, 'chunk-16-32.mp4.part'), { recursive: true });
    await expect(encode(chunkedEncoding, idleMachine(8))).rejects.toMatchObject({ name: errorName });
  });

  test('a failure of the last chunk fails the encoding with its error', async () => {
    const chunkedEncoding = createEncoding('failing-last', samples.path('constant-frame-rate-in.mp4'));
    mkdirSync(join(chunkedEncoding.chunkFolder, 'chunk-48-end.mp4.part'), { recursive: true });
    await expect(encode(chunkedEncoding, oneAtATime)).rejects.toMatchObject({ name: errorName });
  });

  test('no chunk is started after another chunk failed', async () => {
    const chunkedEncoding = createEncoding('failing-first', samples.path('constant-frame-rate-in.mp4'));
    mkdirSync(join(chunkedEncoding.chunkFolder, 'chunk-0-16.mp4.part'), { recursive: true });
    await expect(encode(chunkedEncoding, oneAtATime)).rejects.toMatchObject({ name: errorName });
    expect(readdirSync(chunkedEncoding.chunkFolder)).toEqual(['chunk-0-16.mp4.part']);
  });

  test('an encoding stops when its signal is aborted', async () => {
    const stopping = new AbortController();
    const chunkedEncoding = createEncoding('stopping', samples.path('constant-frame-rate-in.mp4'));
    const encoding = encode(chunkedEncoding, idleMachine(8), stopping.signal);
    stopping.abort(new Error('the worker stops'));
    await expect(encoding).rejects.toThrow('the worker stops');
  });
});
