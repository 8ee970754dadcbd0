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

/** Reads the renditions of a master playlist with hls-parser. The list is empty if there is no playlist. */
export async function readRenditions(masterUrl: string): Promise<ListedRendition[]> {
  const text = await fetchText(masterUrl);
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
  /** Media sequence number. */
  readonly msn: number;
  /** Seconds. */
  readonly duration: number;
  readonly url: string;
  readonly initUrl: string;
  /** Discontinuity sequence number. */
  readonly discontinuity: number;
  /** Program date time in Unix milliseconds. */
  readonly date: number;
}

/** Reads the complete segments of a media playlist. The list is empty if there is no playlist. */
export async function readSegments(playlistUrl: string): Promise<ListedSegment[]> {
  const text = await fetchText(`${playlistUrl}?ll=0`);
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
  /** Times in seconds of the first and last frame, and of the first audio packet. */
  readonly firstVideoAt: number;
  readonly lastVideoAt: number;
  readonly firstAudioAt: number;
  readonly startsWithKeyframe: boolean;
  readonly width: number;
  readonly height: number;
  readonly bytes: number;
}

interface ProbeResult {
  packets: { codec_type: string; pts_time: string; flags: string }[];
  streams: { codec_type: string; width?: number; height?: number }[];
}

/** Measures one segment with ffprobe. */
export async function measureSegment({ url, initUrl }: ListedSegment): Promise<MeasuredSegment> {
  const [init, media] = await Promise.all([fetchBytes(initUrl), fetchBytes(url)]);
  const folder = await mkdtemp(join(tmpdir(), 'segment-'));
  try {
    const file = join(folder, 'segment.mp4');
    await writeFile(file, Buffer.concat([init, media]));
    const entries = 'packet=codec_type,pts_time,flags:stream=codec_type,width,height';
    const { stdout } = await run('ffprobe', ['-v', 'error', '-show_entries', entries, '-of', 'json', file]);
    const { packets, streams } = JSON.parse(stdout) as ProbeResult;
    const timesOf = (type: string) =>
      packets.filter(({ codec_type }) => codec_type === type).map(({ pts_time }) => Number(pts_time));
    const video = streams.find(({ codec_type }) => codec_type === 'video');
    return {
      videoFrames: timesOf('video').length,
      firstVideoAt: Math.min(...timesOf('video')),
      lastVideoAt: Math.max(...timesOf('video')),
      firstAudioAt: Math.min(...timesOf('audio')),
      startsWithKeyframe:
        packets.find(({ codec_type }) => codec_type === 'video')?.flags.startsWith('K') ?? false,
      width: video?.width ?? 0,
      height: video?.height ?? 0,
      bytes: media.length,
    };
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function fetchText(url: string): Promise<string | null> {
  const response = await fetch(url);
  const text = await response.text();
  return response.ok ? text : null;
}

async function fetchBytes(url: string): Promise<Buffer> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${response.status} from ${url}`);
  return Buffer.from(await response.arrayBuffer());
}
