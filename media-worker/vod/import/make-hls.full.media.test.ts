import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { newId } from '@/lib/infra/ids';
import {
  decodingErrors,
  packetTimes,
  storedHls,
  wholeHls,
} from '@/media-worker/vod/testing/rendition-fixtures';
import { sampleFiles } from '@/media-worker/vod/testing/sample-files';

const samples = sampleFiles();
afterAll(() => samples.remove());

const bFrames = ['-bf', '3', '-b_strategy', '0'];
const late = (path: string): string => {
  const delayedFile = samples.path(`${newId()}.mp4`);
  samples.ffmpeg(
    '-itsoffset',
    '0.7',
    '-i',
    path,
    '-i',
    path,
    '-map',
    '1:v',
    '-map',
    '0:a',
    '-c',
    'copy',
    delayedFile,
  );
  return delayedFile;
};
const cutFile = (path: string): string => {
  const remainder = samples.path(`${newId()}.mp4`);
  samples.ffmpeg('-ss', '2.5', '-i', path, '-c', 'copy', remainder);
  return remainder;
};

const files: Record<string, () => string> = {
  'B-frames': () => samples.make('b-frames.mp4', { seconds: 14, output: bFrames }),
  'no B-frames': () => samples.make('plain.mp4', { seconds: 14 }),
  'late audio': () => late(samples.make('on-time.mp4', { seconds: 14, output: bFrames })),
  'no audio': () => samples.make('silent.mp4', { seconds: 14, output: bFrames, audio: null }),
  'a cut before its first keyframe': () =>
    cutFile(samples.make('whole.mp4', { seconds: 14, output: bFrames })),
};

/** Seconds from the first visible frame to each audio packet, by packet hash. */
function soundAfterPicture(path: string): Map<string, number> {
  const packets = (track: 'v' | 'a') =>
    execFileSync('ffprobe', [
      ...['-v', 'error', '-select_streams', track, '-show_data_hash', 'md5'],
      ...['-show_entries', 'packet=pts_time,flags,data_hash', '-of', 'csv=p=0', path],
    ])
      .toString()
      .trim()
      .split('\n')
      .map((line) => line.split(','))
      .map(([time = '', flags = '', hash = '']) => ({
        time: Number(time),
        hidden: flags.includes('D'),
        hash,
      }));
  const shownPackets = packets('v').filter(({ hidden: isHidden }) => !isHidden);
  const first = Math.min(...shownPackets.map(({ time }) => time));
  return new Map(packets('a').map(({ hash, time }) => [hash, time - first]));
}

// Media Source Extensions ignore edit lists that wait, so browsers would play audio too early.
test.each(Object.entries(files))(
  'audio keeps its distance to video without edit lists: %s',
  async (name, make) => {
    const path = make();
    const id = newId();
    await storedHls(samples.folder, path, id);
    const hls = wholeHls(join(samples.folder, `hls-${id}`, 'source'), samples.path(`${id}-hls.mp4`));
    const seconds = (track: 'v' | 'a') => packetTimes(hls, track, 'pts_time').map(Number.parseFloat);
    if (name !== 'no audio') {
      const [after, expectedSound] = [soundAfterPicture(hls), soundAfterPicture(path)];
      const off = [...after].flatMap(([hash, time]) => Math.abs(time - (expectedSound.get(hash) ?? NaN)));
      const offsets = off.filter((offset) => !Number.isNaN(offset));
      expect(offsets.length).toBeGreaterThan(400);
      // Sound has no gaps, so its frames move by at most half of their length.
      expect(Math.max(...offsets)).toBeLessThan(0.011);
    }
    // Players compare the decode times of a segment with its time in the playlist.
    const decodeTimes = packetTimes(hls, 'v', 'dts_time').map(Number.parseFloat);
    expect(Math.min(...decodeTimes, ...seconds('a'))).toBe(0);
    expect(decodingErrors(hls)).toBe('');
  },
);
