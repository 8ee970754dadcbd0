import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { newId } from '@/lib/infra/ids';
import { encodeSegment } from './encode-segment';
import { periodOfFile } from './rendition-source';
import {
  beepArgs,
  frameNumberInputArgs,
  FRAME_NUMBER_BITS,
  readFrameNumber,
} from '@/media-worker/vod/testing/counted-video';
import { readPacketTimes, storeHls, joinSource } from '@/media-worker/vod/testing/rendition-fixtures';
import { createSampleFiles } from '@/media-worker/vod/testing/sample-files';

const samples = createSampleFiles();
afterAll(() => samples.remove());

const [fps, seconds] = [25, 26];
const AUDIO_RATE = 44_100;

/** Time and number of each frame of a file. */
function readNumberedFrames(path: string): { readonly time: number; readonly number: number | null }[] {
  const filters = `showinfo,scale=${FRAME_NUMBER_BITS}:2:flags=area,format=gray`;
  const { stdout, stderr } = spawnSync('ffmpeg', [
    ...['-v', 'info', '-nostdin', '-copyts', '-i', path, '-an', '-fps_mode', 'passthrough'],
    ...['-vf', filters, '-f', 'rawvideo', '-'],
  ]);
  const size = FRAME_NUMBER_BITS * 2;
  return [...stderr.toString().matchAll(/pts_time:([\d.]+)/g)].map(([, time], index) => ({
    time: Number(time),
    number: readFrameNumber(stdout.subarray(index * size, (index + 1) * size)),
  }));
}

/** Time and hash of each audio packet of a file. */
const audioPacketHashes = (path: string): string[] =>
  execFileSync('ffmpeg', [
    ...['-v', 'error', '-nostdin', '-copyts', '-i', path, '-map', '0:a', '-c', 'copy', '-f', 'framemd5', '-'],
  ])
    .toString()
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));

/** Start times of beeps. */
function beepStartsIn(path: string): number[] {
  const [first = ''] = readPacketTimes(path, 'a', 'pts_time');
  const pcm = execFileSync(
    'ffmpeg',
    ['-v', 'error', '-nostdin', '-i', path, '-map', '0:a', '-ac', '1', '-f', 's16le', '-'],
    { maxBuffer: 2 ** 26 },
  );
  const starts: number[] = [];
  let quietSamples = AUDIO_RATE;
  for (let index = 0; index < pcm.length / 2; index++) {
    const isLoud = Math.abs(pcm.readInt16LE(index * 2)) > 2_000;
    if (isLoud && quietSamples > AUDIO_RATE / 2) starts.push(Number.parseFloat(first) + index / AUDIO_RATE);
    quietSamples = isLoud ? 0 : quietSamples + 1;
  }
  return starts;
}

test('switching between renditions loses no frame and keeps audio in sync', async () => {
  const path = samples.path('video.mp4');
  samples.ffmpeg(
    ...[
      ...frameNumberInputArgs({ size: '854x480', fps, seconds }),
      ...beepArgs({ sampleRate: AUDIO_RATE, seconds }),
    ],
    ...['-c:v', 'libx264', '-preset', 'veryfast', '-g', '50', '-bf', '2', '-c:a', 'aac', path],
  );
  const { storage, source } = await storeHls(samples.folder, path, newId());
  if (!source) throw new Error('the video has no renditions');
  const [middle, small] = source.renditions;
  expect([middle?.name, small?.name]).toEqual(['360p', '240p']);
  const encodingOptions = {
    storage,
    dataDir: samples.folder,
    threads: 2,
    signal: new AbortController().signal,
  };
  const watchedRenditions = [null, small, middle, null, small];
  expect(source.playlist.segments).toHaveLength(watchedRenditions.length);
  const pieces: string[] = [];
  for (const [index, rendition] of watchedRenditions.entries()) {
    const { uri = '' } = source.playlist.segments[index] ?? {};
    const sourceFile = join(samples.folder, `hls-${source.filesId}`, 'source', uri);
    const { init, segment } = rendition
      ? await encodeSegment(encodingOptions, source, { rendition, index })
      : { init: periodOfFile(source, uri).init, segment: [readFileSync(sourceFile)] };
    const piece = samples.path(`piece-${index}.mp4`);
    writeFileSync(piece, Buffer.concat([init, ...segment]));
    pieces.push(piece);
  }
  const frames = pieces.flatMap(readNumberedFrames);
  expect(frames.map(({ number }) => number)).toEqual(
    Array.from({ length: fps * seconds }, (_, index) => index),
  );
  const start = frames[0]?.time ?? Number.NaN;
  for (const { time, number } of frames)
    expect(Math.abs(time - start - (number ?? 0) / fps)).toBeLessThan(0.001);

  const joinedSource = joinSource(samples.folder, source);
  expect(pieces.flatMap(audioPacketHashes)).toEqual(audioPacketHashes(joinedSource));
  const beepTimes = beepStartsIn(joinedSource).map((time) => time - start);
  expect(beepTimes).toHaveLength(seconds);
  for (const [second, time] of beepTimes.entries()) expect(Math.abs(time - second)).toBeLessThan(0.005);
});
