import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'hls-parser';

const run = promisify(execFile);

export interface ListedRendition {
  readonly url: string;
  readonly folder: string;
  readonly width: number | undefined;
  readonly height: number | undefined;
  readonly frameRate: number | undefined;
  readonly averageBandwidth: number | undefined;
}

/** Renditions of a master playlist, read by an independent parser; empty if there is no playlist. */
export async function renditionsAt(masterUrl: string): Promise<ListedRendition[]> {
  const text = await textAt(masterUrl);
  const playlist = text === null ? null : parse(text);
  if (!playlist?.isMasterPlaylist) return [];
  return playlist.variants.map(({ uri, resolution, frameRate, averageBandwidth }) => ({
    url: new URL(uri, masterUrl).href,
    folder: uri.split('/')[0] ?? '',
    width: resolution?.width,
    height: resolution?.height,
    frameRate,
    averageBandwidth,
  }));
}

export interface ListedSegment {
  readonly msn: number;
  readonly duration: number;
  readonly url: string;
  readonly initUrl: string;
  readonly discontinuity: number;
  /** Unix milliseconds. */
  readonly date: number;
}

/** Complete segments of a media playlist; empty if there is no playlist. */
export async function segmentsAt(playlistUrl: string): Promise<ListedSegment[]> {
  const text = await textAt(`${playlistUrl}?ll=0`);
  const playlist = text === null ? null : parse(text);
  if (!playlist || playlist.isMasterPlaylist) return [];
  return playlist.segments.map((segment) => ({
    msn: segment.mediaSequenceNumber,
    duration: segment.duration,
    url: new URL(segment.uri, playlistUrl).href,
    initUrl: new URL(segment.map.uri, playlistUrl).href,
    discontinuity: segment.discontinuitySequence,
    date: segment.programDateTime?.getTime() ?? Number.NaN,
  }));
}

export interface MeasuredSegment {
  readonly videoFrames: number;
  /** Seconds at which the first and last frame are shown, and the first audio is heard. */
  readonly firstVideoAt: number;
  readonly lastVideoAt: number;
  readonly firstAudioAt: number;
  readonly startsWithKey: boolean;
  readonly width: number;
  readonly height: number;
  readonly bytes: number;
}

interface ProbeResult {
  packets: { codec_type: string; pts_time: string; flags: string }[];
  streams: { codec_type: string; width?: number; height?: number }[];
}

/** Measures one segment with ffprobe. */
export async function measure({ url, initUrl }: ListedSegment): Promise<MeasuredSegment> {
  const [init, media] = await Promise.all([bytesAt(initUrl), bytesAt(url)]);
  const folder = await mkdtemp(join(tmpdir(), 'segment-'));
  try {
    const file = join(folder, 'segment.mp4');
    await writeFile(file, Buffer.concat([init, media]));
    const entries = 'packet=codec_type,pts_time,flags:stream=codec_type,width,height';
    const { stdout } = await run('ffprobe', ['-v', 'error', '-show_entries', entries, '-of', 'json', file]);
    const { packets, streams } = JSON.parse(stdout) as ProbeResult;
    const times = (type: string) =>
      packets.filter(({ codec_type }) => codec_type === type).map(({ pts_time }) => Number(pts_time));
    const video = streams.find(({ codec_type }) => codec_type === 'video');
    return {
      videoFrames: times('video').length,
      firstVideoAt: Math.min(...times('video')),
      lastVideoAt: Math.max(...times('video')),
      firstAudioAt: Math.min(...times('audio')),
      startsWithKey: packets.find(({ codec_type }) => codec_type === 'video')?.flags.startsWith('K') ?? false,
      width: video?.width ?? 0,
      height: video?.height ?? 0,
      bytes: media.length,
    };
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function textAt(url: string): Promise<string | null> {
  const response = await fetch(url);
  const text = await response.text();
  return response.ok ? text : null;
}

async function bytesAt(url: string): Promise<Buffer> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${response.status} from ${url}`);
  return Buffer.from(await response.arrayBuffer());
}
