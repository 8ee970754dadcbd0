import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeIndexedHls } from './write-hls';

/**
 * Writes a folder with the HLS files that are made from the index of a file, beside that file.
 * The playlist declares 25 frames per second.
 * @returns the path of the folder
 */
export async function writeHlsFolder(path: string, dataDir: string): Promise<string> {
  const folder = `${path}.hls`;
  await writeIndexedHls(path, folder, { frameRate: 25, dataDir });
  return folder;
}

/**
 * Joins the init segment and all segments. Names of segments are padded with zeros, so they sort in the order of playback.
 * @returns the path of the file
 */
export function joinSegments(folder: string): string {
  const mediaFolder = join(folder, 'source');
  const names = readdirSync(mediaFolder).filter((name) => name.endsWith('.m4s'));
  const path = join(folder, 'whole.mp4');
  writeFileSync(
    path,
    Buffer.concat(['init.mp4', ...names.toSorted()].map((name) => readFileSync(join(mediaFolder, name)))),
  );
  return path;
}

const runForLines = (program: string, args: readonly string[]): string[] =>
  execFileSync(program, args, { maxBuffer: 2 ** 27, stdio: ['ignore', 'pipe', 'pipe'] })
    .toString()
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));

/** Time from the first frame, and hash, of each frame that ffmpeg decodes, in the order of presentation. */
export function decodeFrames(path: string): { readonly timeMs: number; readonly hash: string }[] {
  const rows = runForLines('ffmpeg', [
    ...['-v', 'error', '-noautorotate', '-i', path, '-map', '0:v:0', '-fps_mode', 'passthrough'],
    ...['-enc_time_base', '1:90000', '-f', 'framemd5', '-'],
  ]).map((line) => line.split(',').map((field) => field.trim()));
  // Columns of framemd5: stream, DTS, PTS, duration, size, hash. Times are ticks of 1/90000 s.
  const firstPts = Number(rows[0]?.[2] ?? 0);
  return rows.map(([, , pts, , , hash = '']) => ({ timeMs: (Number(pts) - firstPts) / 90, hash }));
}

/** Decodes all frames to gray levels, 8 × 8 pixels a frame, in the order of presentation. */
export const decodeGrayFrames = (path: string): Buffer =>
  execFileSync('ffmpeg', [
    ...['-v', 'error', '-i', path, '-map', '0:v:0', '-fps_mode', 'passthrough'],
    ...['-vf', 'scale=8:8:flags=area,format=gray', '-f', 'rawvideo', '-'],
  ]);

/** Reads the durations of the video and of the audio track in seconds. */
export function readTrackDurations(path: string): { readonly video: number; readonly audio: number } {
  const entries = ['-show_entries', 'stream=codec_type,duration', '-of', 'csv=p=0'];
  const tracks = runForLines('ffprobe', ['-v', 'error', ...entries, path]).map((line) => line.split(','));
  const seconds = (type: string) => Number(tracks.find(([kind]) => kind === type)?.[1]);
  return { video: seconds('video'), audio: seconds('audio') };
}

/** Times of one segment in seconds. They are undefined if the segment has no packet of that kind. */
interface SegmentTimes {
  /** Duration in the playlist. */
  readonly playlistDuration: number;
  readonly firstVideoDts: number | undefined;
  readonly earliestVideoPts: number | undefined;
  readonly earliestAudioPts: number | undefined;
  /** End of the audio. */
  readonly audioEnd: number | undefined;
  /** End of the frame that is presented last. */
  readonly videoEnd: number | undefined;
}

/** Duration of an AAC frame at 48 kHz. */
const AUDIO_FRAME_SECONDS = 1_024 / 48_000;

/** Reads the times of each segment: its duration from the playlist, and those of its packets with ffprobe. */
export function readSegmentTimes(folder: string): SegmentTimes[] {
  const mediaFolder = join(folder, 'source');
  const playlist = readFileSync(join(mediaFolder, 'index.m3u8'), 'utf8');
  const init = readFileSync(join(mediaFolder, 'init.mp4'));
  return [...playlist.matchAll(/#EXTINF:([\d.]+),\n(.+)/g)].map(([, playlistDuration = '', name = '']) => {
    const path = join(folder, 'one.mp4');
    writeFileSync(path, Buffer.concat([init, readFileSync(join(mediaFolder, name))]));
    // The coded times: ffprobe would shift them by the edit list of the init segment.
    const packets = runForLines('ffprobe', [
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
    const ptsTimesOf = (type: string) =>
      packets.filter(([kind]) => kind === type).map(([, pts]) => Number(pts));
    const videoPackets = packets.filter(([kind]) => kind === 'video');
    const [last] = videoPackets.toSorted(([, a], [, b]) => Number(b) - Number(a));
    const audioTimes = ptsTimesOf('audio');
    const earliest = (ptsTimes: readonly number[]) =>
      ptsTimes.length === 0 ? undefined : Math.min(...ptsTimes);
    return {
      playlistDuration: Number(playlistDuration),
      firstVideoDts: videoPackets[0] && Number(videoPackets[0][2]),
      earliestVideoPts: earliest(ptsTimesOf('video')),
      earliestAudioPts: earliest(audioTimes),
      videoEnd: last && Number(last[1]) + Number(last[3]),
      audioEnd: audioTimes.length === 0 ? undefined : Math.max(...audioTimes) + AUDIO_FRAME_SECONDS,
    };
  });
}
