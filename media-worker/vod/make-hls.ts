import { mkdir, readFile, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { masterPlaylist } from '@/lib/core/hls/playlist';
import type { FileSpec } from '@/lib/core/media/video-spec';
import { type FfmpegJob, badOutput, runFfmpegJob } from '@/media-worker/ffmpeg/run-ffmpeg-job';
import { parseAacConfig } from '../cmaf/aac-config';
import { boxAt, boxesIn } from '../cmaf/read-boxes';
import { hlsPlan } from '../ffmpeg/vod-args';

/** RFC 6381 names of the tracks of an init segment, video first. What cannot be read is left out. */
function codecsOf(init: Buffer): string[] {
  return [videoCodec(init), audioCodec(init)].filter((codec) => codec !== null);
}

/** Profile, compatibility and level follow the version byte of the `avcC` box (ISO/IEC 14496-15 §5.3.3.1). */
function videoCodec(init: Buffer): string | null {
  const place = init.indexOf('avcC');
  if (place === -1 || place + 8 > init.length) return null;
  return `avc1.${init.subarray(place + 5, place + 8).toString('hex')}`;
}

/** The AudioSpecificConfig is the descriptor with tag 5 of the `esds` box (ISO/IEC 14496-1 §7.2.6). */
function audioCodec(init: Buffer): string | null {
  const place = init.indexOf('esds');
  if (place === -1) return null;
  const tag = init.indexOf(Buffer.from([0x05, 0x80, 0x80, 0x80]), place);
  const long = tag !== -1;
  const start = long ? tag : init.indexOf(0x05, place + 20);
  if (start === -1) return null;
  const length = init[start + (long ? 4 : 1)] ?? 0;
  const begin = start + (long ? 5 : 2);
  try {
    return parseAacConfig(init.subarray(begin, begin + length)).codec;
  } catch {
    return 'mp4a.40.2';
  }
}

const pictureSizeBytes = 8;
const matrixBytes = 36;

/**
 * Writes into an init segment how its picture is turned: ffmpeg's HLS muxer leaves that out, and a phone's upright video
 * would be shown lying down.
 * @param matrix nine numbers, as `displayMatrix` gives them
 * @throws Error for what is no init segment with a picture
 */
function rotatePicture(init: Buffer, matrix: readonly number[]): Buffer {
  const turned = Buffer.from(init);
  const moov = boxAt(turned, ['moov']);
  for (const trak of boxesIn(turned, moov.start, moov.end)) {
    if (trak.type !== 'trak') continue;
    const hdlr = boxAt(turned, ['mdia', 'hdlr'], trak);
    if (turned.toString('latin1', hdlr.start + 8, hdlr.start + 12) !== 'vide') continue;
    // The matrix stands before width and height, which end the track header (ISO/IEC 14496-12 §8.3.2).
    const start = boxAt(turned, ['tkhd'], trak).end - pictureSizeBytes - matrixBytes;
    for (const [index, number] of matrix.entries()) turned.writeInt32BE(number, start + index * 4);
    return turned;
  }
  throw new Error('There is no picture in the init segment');
}

/** May differ from the media's length by this share, and by one frame or so of sound. */
const tolerance = 0.02;
const toleranceSeconds = 0.5;

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
  if (matrix) await writeFile(initPath, rotatePicture(await readFile(initPath), matrix));
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
  if (
    !lines.includes('#EXT-X-ENDLIST') ||
    Math.abs(whole - duration) > duration * tolerance + toleranceSeconds
  ) {
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
