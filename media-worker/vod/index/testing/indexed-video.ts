import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeIndexedHls } from './write-hls';

/**
 * Indexes a file and writes its HLS files to a folder beside it.
 * @returns the path of the folder
 */
export async function writeVideoIndex(path: string, dataDir: string): Promise<string> {
  const folder = `${path}.hls`;
  await writeIndexedHls(path, folder, { frameRate: 25, dataDir });
  return folder;
}

/**
 * Joins the init segment and all segments.
 * @returns the path of the file
 */
export function joinSegments(folder: string): string {
  const media = join(folder, 'source');
  const names = readdirSync(media).filter((name) => name.endsWith('.m4s'));
  const path = join(folder, 'whole.mp4');
  writeFileSync(
    path,
    Buffer.concat(['init.mp4', ...names.toSorted()].map((name) => readFileSync(join(media, name)))),
  );
  return path;
}

const lines = (program: string, args: readonly string[]): string[] =>
  execFileSync(program, args, { maxBuffer: 2 ** 27, stdio: ['ignore', 'pipe', 'pipe'] })
    .toString()
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));

/** Time from the first frame in milliseconds, and hash, of each frame that ffmpeg shows. */
export function decodedFrames(path: string): { readonly at: number; readonly hash: string }[] {
  const rows = lines('ffmpeg', [
    ...['-v', 'error', '-noautorotate', '-i', path, '-map', '0:v:0', '-fps_mode', 'passthrough'],
    ...['-enc_time_base', '1:90000', '-f', 'framemd5', '-'],
  ]).map((line) => line.split(',').map((field) => field.trim()));
  const first = Number(rows[0]?.[2] ?? 0);
  return rows.map((fields) => ({ at: (Number(fields[2]) - first) / 90, hash: fields[5] ?? '' }));
}

/** Gray levels of all frames in the order in which ffmpeg shows them, 8 × 8 pixels a frame. */
export const grayPictures = (path: string): Buffer =>
  execFileSync('ffmpeg', [
    ...['-v', 'error', '-i', path, '-map', '0:v:0', '-fps_mode', 'passthrough'],
    ...['-vf', 'scale=8:8:flags=area,format=gray', '-f', 'rawvideo', '-'],
  ]);

/** Returns the duration of the video and of the audio track in seconds. */
export function trackSeconds(path: string): { readonly video: number; readonly audio: number } {
  const entries = ['-show_entries', 'stream=codec_type,duration', '-of', 'csv=p=0'];
  const tracks = lines('ffprobe', ['-v', 'error', ...entries, path]).map((line) => line.split(','));
  const seconds = (type: string) => Number(tracks.find(([kind]) => kind === type)?.[1]);
  return { video: seconds('video'), audio: seconds('audio') };
}

interface SegmentTimes {
  /** Duration in the playlist. */
  readonly seconds: number;
  /** Decode time of the first video frame. */
  readonly decode: number | undefined;
  /** Time of the first video frame and of the first audio packet. */
  readonly video: number | undefined;
  readonly audio: number | undefined;
  /** End of the audio. */
  readonly audioEnd: number | undefined;
  /** End of the frame that is shown last. */
  readonly videoEnd: number | undefined;
}

/** Duration of an AAC frame at 48 kHz. */
const AUDIO_FRAME_SECONDS = 1_024 / 48_000;

/** Returns the times of each segment: its duration in the playlist, and the times that ffprobe reads. */
export function segmentTimes(folder: string): SegmentTimes[] {
  const media = join(folder, 'source');
  const playlist = readFileSync(join(media, 'index.m3u8'), 'utf8');
  const init = readFileSync(join(media, 'init.mp4'));
  return [...playlist.matchAll(/#EXTINF:([\d.]+),\n(.+)/g)].map(([, seconds = '', name = '']) => {
    const path = join(folder, 'one.mp4');
    writeFileSync(path, Buffer.concat([init, readFileSync(join(media, name))]));
    const packets = lines('ffprobe', [
      ...[
        '-v',
        'error',
        '-ignore_editlist',
        '1',
        '-show_entries',
        'packet=codec_type,pts_time,dts_time,duration_time',
      ],
      ...['-of', 'csv=p=0', path],
    ]).map((line) => line.split(','));
    const times = (type: string) => packets.filter(([kind]) => kind === type).map(([, pts]) => Number(pts));
    const videoTimes = packets.filter(([kind]) => kind === 'video');
    const [last] = videoTimes.toSorted(([, a], [, b]) => Number(b) - Number(a));
    const audioTimes = times('audio');
    const first = (list: readonly number[]) => (list.length === 0 ? undefined : Math.min(...list));
    return {
      seconds: Number(seconds),
      decode: videoTimes[0] && Number(videoTimes[0][2]),
      video: first(times('video')),
      audio: first(times('audio')),
      videoEnd: last && Number(last[1]) + Number(last[3]),
      audioEnd: audioTimes.length === 0 ? undefined : Math.max(...audioTimes) + AUDIO_FRAME_SECONDS,
    };
  });
}
