import { mkdir, readFile, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { masterPlaylist } from '@/lib/core/hls/playlist';
import type { FileSpec } from '@/lib/core/media/video-spec';
import { type FfmpegJob, badOutput, runFfmpegJob } from '@/media-worker/media/ffmpeg/run-ffmpeg-job';
import { parseAacConfig } from '@/media-worker/media/cmaf/aac-config';
import { configOfEntry, readInit } from '@/media-worker/media/cmaf/read-init';
import { readableOnly } from '@/media-worker/media/cmaf/readable-only';
import { withDisplayMatrix } from '@/media-worker/media/cmaf/display-matrix';
import { hlsPlan } from '@/media-worker/media/ffmpeg/vod-args';
import { applyEditLists } from './apply-edit-lists';

/** RFC 6381 codec strings of an init segment, video first. Codecs that cannot be parsed are omitted. */
function codecsOf(init: Buffer): string[] {
  return [videoCodec(init), audioCodec(init)].filter((codec) => codec !== null);
}

/** Profile, compatibility and level of H.264 follow the version byte of `avcC` (ISO/IEC 14496-15 §5.3.3.1). */
function videoCodec(init: Buffer): string | null {
  const offset = init.indexOf('avcC');
  if (offset !== -1 && offset + 8 <= init.length)
    return `avc1.${init.subarray(offset + 5, offset + 8).toString('hex')}`;
  const entry = readInit(init).find(({ handler }) => handler === 'vide')?.entry;
  return (entry && readableOnly(() => configOfEntry(entry).codec)) ?? null;
}

/** The AudioSpecificConfig is the descriptor with tag 5 of the `esds` box (ISO/IEC 14496-1 §7.2.6). */
function audioCodec(init: Buffer): string | null {
  const esds = init.indexOf('esds');
  if (esds === -1) return null;
  const tag = init.indexOf(Buffer.from([0x05, 0x80, 0x80, 0x80]), esds);
  const long = tag !== -1;
  const descriptor = long ? tag : init.indexOf(0x05, esds + 20);
  if (descriptor === -1) return null;
  const length = init[descriptor + (long ? 4 : 1)] ?? 0;
  const start = descriptor + (long ? 5 : 2);
  try {
    return parseAacConfig(init.subarray(start, start + length)).codec;
  } catch {
    return 'mp4a.40.2';
  }
}

/** The playlist may differ from the duration of the media by this share plus a few audio frames. */
const tolerance = 0.02;
const toleranceSeconds = 0.5;

export interface HlsSource {
  readonly spec: FileSpec;
  /** Display matrix of the video; null if it is not rotated. */
  readonly matrix: readonly number[] | null;
  /** Seconds of video before the first visible frame; players start after them. */
  readonly leadSeconds?: number;
}

/**
 * Copies an MP4 whose index cannot be laid out into HLS in `folder`: `index.m3u8` with one rendition,
 * `source/index.m3u8`. ffmpeg can exit with 0 after an error, so every segment is checked.
 * @returns the seconds it plays
 * @throws FfmpegFailed, FfmpegKilled, StorageError `full`
 */
export async function copyToHls(
  input: string,
  folder: string,
  { spec, matrix, leadSeconds = 0 }: HlsSource,
  job: FfmpegJob,
): Promise<number> {
  const media = join(folder, 'source');
  await rm(folder, { recursive: true, force: true });
  await mkdir(media, { recursive: true });
  await runFfmpegJob(hlsPlan(input, media), job);
  await rename(join(media, 'media.m3u8'), join(media, 'index.m3u8'));
  const initPath = join(media, 'init.mp4');
  await applyEditLists(media);
  if (matrix) await writeFile(initPath, withDisplayMatrix(await readFile(initPath), matrix));
  const segments = await checkedSegments(media, spec.duration + leadSeconds);
  if (leadSeconds > 0) await startAt(join(media, 'index.m3u8'), leadSeconds);
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
  return sum(segments, 'seconds');
}

/** Players skip what is before this time (RFC 8216 §4.3.5.2). */
async function startAt(playlist: string, seconds: number): Promise<void> {
  const text = await readFile(playlist, 'utf8');
  const start = `#EXT-X-START:TIME-OFFSET=${seconds.toFixed(3)},PRECISE=YES\n`;
  await writeFile(playlist, text.replace(/^(?=#EXT-X-MEDIA-SEQUENCE)/m, start));
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
  const total = sum(segments, 'seconds');
  if (
    !lines.includes('#EXT-X-ENDLIST') ||
    Math.abs(total - duration) > duration * tolerance + toleranceSeconds
  ) {
    throw await badOutput(media, `the segments last ${total} s instead of ${duration} s`);
  }
  return segments;
}

/** @returns the paths of all files in a folder and its subfolders, relative to it */
export async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
}

function sum(segments: readonly Segment[], field: keyof Segment): number {
  return segments.reduce((total, segment) => total + segment[field], 0);
}
