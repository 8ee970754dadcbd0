import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { masterPlaylist } from '@/lib/core/playlist-master';
import type { FileSpec } from '@/lib/core/video-spec';
import { hlsPlan } from '../ffmpeg/vod-args';
import { codecsOf } from './init-codecs';
import { badOutput, runFfmpegJob, type FfmpegJob } from './run-ffmpeg-job';
import { turnPicture } from './turn-picture';

/** May differ from the media's length by this share, and by one frame or so of sound. */
const tolerance = 0.02;
const slack = 0.5;

export interface HlsSource {
  readonly spec: FileSpec;
  /** How the picture is turned; null when it is shown as it is. */
  readonly matrix: readonly number[] | null;
}

/**
 * HLS of an MP4 in `folder`: `index.m3u8` names one rendition, `source/index.m3u8`. ffmpeg's exit code proves nothing,
 * so every segment is looked at.
 * @throws FfmpegFailed, FfmpegKilled, StorageError `full`
 */
export async function makeHls(
  input: string,
  folder: string,
  { spec, matrix }: HlsSource,
  job: FfmpegJob,
): Promise<void> {
  const media = join(folder, 'source');
  await rm(folder, { recursive: true, force: true });
  await mkdir(media, { recursive: true });
  await runFfmpegJob(hlsPlan(input, media), job);
  await rename(join(media, 'media.m3u8'), join(media, 'index.m3u8'));
  const initPath = join(media, 'init.mp4');
  if (matrix) await writeFile(initPath, turnPicture(await readFile(initPath), matrix));
  const segments = await checkedSegments(media, spec.duration);
  const video = spec.tracks.find((track) => track.type === 'video');
  const master = masterPlaylist([
    {
      uri: 'source/index.m3u8',
      bandwidth: Math.max(...segments.map(({ bytes, seconds }) => (bytes * 8) / Math.max(seconds, 0.1))),
      averageBandwidth: (sum(segments, 'bytes') * 8) / sum(segments, 'seconds'),
      codecs: codecsOf(await readFile(initPath)),
      resolution: video && 'width' in video ? { width: video.width, height: video.height } : undefined,
      frameRate: video && 'fps' in video ? video.fps : undefined,
      independent: true,
    },
  ]);
  await writeFile(join(folder, 'index.m3u8'), master);
}

interface Segment {
  readonly bytes: number;
  readonly seconds: number;
}

async function checkedSegments(media: string, duration: number): Promise<Segment[]> {
  const lines = (await readFile(join(media, 'index.m3u8'), 'utf8')).split('\n');
  const segments: Segment[] = [];
  for (const [index, line] of lines.entries()) {
    const seconds = Number(/^#EXTINF:([\d.]+)/.exec(line)?.[1] ?? Number.NaN);
    if (Number.isNaN(seconds)) continue;
    const { size } = await stat(join(media, lines[index + 1] ?? ''));
    if (size === 0) throw await badOutput(media, 'a segment is empty');
    segments.push({ bytes: size, seconds });
  }
  const whole = sum(segments, 'seconds');
  if (!lines.includes('#EXT-X-ENDLIST') || Math.abs(whole - duration) > duration * tolerance + slack) {
    throw await badOutput(media, `the segments last ${whole} s instead of ${duration} s`);
  }
  return segments;
}

/** Every file below a folder, by its path in it. */
export async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
}

function sum(segments: readonly Segment[], field: keyof Segment): number {
  return segments.reduce((total, segment) => total + segment[field], 0);
}
