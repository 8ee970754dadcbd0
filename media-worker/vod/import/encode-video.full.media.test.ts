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
const idle = (cores: number): Machine => ({ cores, busyCores: () => Promise.resolve(0) });
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
const show = (path: string, ...args: readonly string[]) =>
  execFileSync('ffprobe', ['-v', 'error', ...args, '-of', 'csv=p=0', path])
    .toString()
    .trim()
    .split('\n');
/** Presentation times of the frames in seconds, in order. */
const times = (path: string) =>
  show(path, '-select_streams', 'v', '-show_entries', 'packet=pts_time')
    .map(Number)
    .sort((a, b) => a - b);
const audioOf = (path: string) => samples.ffmpeg('-i', path, '-map', '0:a', '-c', 'copy', '-f', 'md5', '-');
const keyframes = (path: string) =>
  show(path, '-select_streams', 'v', '-show_entries', 'packet=pts_time,flags')
    .filter((line) => line.includes('K'))
    .map((line) => Number.parseFloat(line));

function encodingOf(name: string, input: string, change: Partial<Encoding> = {}): Encoding {
  const folder = samples.path(`${name}-chunks`);
  const output = samples.path(`${name}.mp4`);
  return {
    input,
    output,
    folder,
    rendition: baseRendition,
    duration: 64,
    startsAt: 0,
    videoEnd: null,
    fps: 10,
    pixelsPerSecond: 0,
    ...change,
  };
}
async function encode(encoding: Encoding, machine: Machine, signal = neverAborted) {
  const shares: number[] = [];
  await encodeVideo(encoding, { signal, onFraction: (share) => shares.push(share) }, machine);
  return shares;
}
const long = (name: string, options: SampleOptions = {}) =>
  samples.make(name, { seconds: 64, size: '64x36', ...options });

describe('in chunks, in parallel', () => {
  test.each<[string, SampleOptions, Partial<RenditionSpec>]>([
    ['constant', { fps: '12000/1001', video: ['-c:v', 'libx264', '-preset', 'ultrafast', '-bf', '2'] }, {}],
    ['variable', { output: ['-vf', "select='not(mod(n,3))+lt(mod(n,50),8)'", '-fps_mode', 'vfr'] }, {}],
    ['another rate', { fps: '12000/1001' }, { fps: 7 }],
    ['keyframes far apart', { video: ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '400'] }, { gopFrames: 40 }],
  ])('has the same frames at the same times as an encoding without chunks: %s', async (name, options, change) => {
    const input = long(`${name}-in.mp4`, options);
    const rendition = { ...baseRendition, ...change };
    const wholeEncoding = encodingOf(`${name}-whole`, input, { rendition, startsAt: 5 });
    const cutEncoding = encodingOf(`${name}-cut`, input, { rendition });
    await encode(wholeEncoding, idle(8));
    const shares = await encode(cutEncoding, idle(8));
    expect(readdirSync(cutEncoding.folder).filter((file) => file.endsWith('.mp4'))).toHaveLength(4);
    expect(times(cutEncoding.output)).toEqual(times(wholeEncoding.output));
    expect(audioOf(cutEncoding.output)).toEqual(audioOf(wholeEncoding.output));
    expect(audioOf(cutEncoding.output)).toEqual(audioOf(input));
    // A decoder reports no error in the result.
    expect(samples.ffmpeg('-xerror', '-i', cutEncoding.output, '-f', 'null', '-').toString()).toBe('');
    expect(shares).toEqual([...shares].sort((a, b) => a - b));
    expect(shares.at(-1)).toBeCloseTo(1, 2);
    const frames = times(cutEncoding.output);
    for (const start of [16, 32, 48]) {
      expect(keyframes(cutEncoding.output)).toContain(frames.find((time) => time >= start));
    }
  }); // prettier-ignore

  test('selects the tracks of a file that is not an MP4, and encodes its audio once', async () => {
    const input = long('foreign-in.mkv', {
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
    const [wholeEncoding, cutEncoding] = [
      encodingOf('foreign-whole', input, { ...change, startsAt: 5 }),
      encodingOf('foreign-cut', input, change),
    ];
    await encode(wholeEncoding, idle(8));
    const shares = await encode(cutEncoding, idle(8));
    expect(times(cutEncoding.output)).toHaveLength(640);
    expect(times(cutEncoding.output)).toEqual(times(wholeEncoding.output));
    expect(audioOf(cutEncoding.output)).toEqual(audioOf(wholeEncoding.output));
    expect(samples.ffmpeg('-xerror', '-i', cutEncoding.output, '-f', 'null', '-').toString()).toBe('');
    expect(shares).toEqual([...shares].sort((a, b) => a - b));
    expect(shares.at(-1)).toBeCloseTo(1, 2);
  });

  test('makes no chunk of a gap without frames', async () => {
    const input = long('gap-in.mp4', { output: ['-vf', "select='lt(t,10)+gt(t,52)'", '-fps_mode', 'vfr'] });
    const [wholeEncoding, cutEncoding] = [
      encodingOf('gap-whole', input, { startsAt: 5 }),
      encodingOf('gap-cut', input),
    ];
    await encode(wholeEncoding, idle(8));
    await encode(cutEncoding, idle(8));
    expect(times(cutEncoding.output)).toEqual(times(wholeEncoding.output));
  });

  test('reuses chunks that an earlier run finished, and discards unfinished ones', async () => {
    const input = samples.path('constant-in.mp4');
    const cutEncoding = encodingOf('again', input);
    await encode(cutEncoding, idle(8));
    const finishedChunk = join(cutEncoding.folder, 'chunk-16-32.mp4');
    const { mtimeMs, ino } = statSync(finishedChunk);
    for (const name of readdirSync(cutEncoding.folder)) {
      if (name === 'chunk-16-32.mp4') continue;
      execFileSync('rm', [join(cutEncoding.folder, name)]);
    }
    writeFileSync(join(cutEncoding.folder, 'chunk-0-16.mp4.part'), 'half');
    // Some file systems leave an empty file after a power failure.
    writeFileSync(join(cutEncoding.folder, 'chunk-32-48.mp4'), '');
    const shares = await encode(cutEncoding, { cores: 8, busyCores: () => Promise.resolve(8) });
    expect(statSync(finishedChunk)).toMatchObject({ mtimeMs, ino });
    expect(times(cutEncoding.output)).toEqual(times(samples.path('constant-whole.mp4')));
    expect(shares.at(-1)).toBeCloseTo(1, 2);
  });
});

test('does not measure the load after the last chunk has started, because that chunk may end meanwhile', async () => {
  const cutEncoding = encodingOf('last-chunk', samples.path('constant-in.mp4'));
  let requestCount = 0;
  const busy = () => (requestCount++ === 0 ? Promise.resolve(0) : new Promise<number>(() => undefined));
  await encode(cutEncoding, { cores: 8, busyCores: busy });
  expect(times(cutEncoding.output)).toEqual(times(samples.path('constant-whole.mp4')));
});

test('encodes a short file without chunks', async () => {
  const input = samples.make('short-in.mp4', { seconds: 2 });
  const short = encodingOf('short', input, { duration: 2 });
  await encode(short, idle(8));
  expect(() => readdirSync(short.folder)).toThrow('ENOENT');
  expect(times(short.output)).toHaveLength(20);
});

describe('on an error', () => {
  // Where the sandbox mounts the output, the mount fails instead of ffmpeg.
  const name = expect.stringMatching(/^Ffmpeg(Failed|Killed)$/) as string;
  const oneAtATime = { cores: 8, busyCores: () => Promise.resolve(8) };

  test('a failed chunk fails the encoding with its error', async () => {
    const cutEncoding = encodingOf('failing', samples.path('constant-in.mp4'));
    // A folder at the path of the chunk makes its encoder fail.
    mkdirSync(join(cutEncoding.folder, 'chunk-16-32.mp4.part'), { recursive: true });
    await expect(encode(cutEncoding, idle(8))).rejects.toMatchObject({ name });
  });

  test('a failure of the last chunk fails the encoding with its error', async () => {
    const cutEncoding = encodingOf('failing-last', samples.path('constant-in.mp4'));
    mkdirSync(join(cutEncoding.folder, 'chunk-48-end.mp4.part'), { recursive: true });
    await expect(encode(cutEncoding, oneAtATime)).rejects.toMatchObject({ name });
  });

  test('no chunk is started after another chunk failed', async () => {
    const cutEncoding = encodingOf('failing-first', samples.path('constant-in.mp4'));
    mkdirSync(join(cutEncoding.folder, 'chunk-0-16.mp4.part'), { recursive: true });
    await expect(encode(cutEncoding, oneAtATime)).rejects.toMatchObject({ name });
    expect(readdirSync(cutEncoding.folder)).toEqual(['chunk-0-16.mp4.part']);
  });

  test('an encoding stops when its signal is aborted', async () => {
    const stopping = new AbortController();
    const cutEncoding = encodingOf('stopping', samples.path('constant-in.mp4'));
    const encoding = encode(cutEncoding, idle(8), stopping.signal);
    stopping.abort(new Error('the worker stops'));
    await expect(encoding).rejects.toThrow('the worker stops');
  });
});
