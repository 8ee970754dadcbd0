import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { parseStoredPlaylist } from '@/lib/core/hls/read-playlist';
import { createSampleFiles } from '@/media-worker/vod/testing/sample-files';
import { readDecoderErrors } from '@/media-worker/recording/testing/recorded-session';
import { decodeFrames, writeHlsFolder } from './testing/indexed-video';

const samples = createSampleFiles();
afterAll(() => samples.remove());

const x265 = ['-c:v', 'libx265', '-preset', 'ultrafast', '-tag:v', 'hvc1', '-g', '50'];
const codecs = {
  HEVC: [...x265, '-x265-params', 'log-level=none:bframes=2:open-gop=0'],
  AV1: ['-c:v', 'libsvtav1', '-preset', '12', '-g', '50'],
};

/** Warnings of ffmpeg about segments whose frames are reordered more than its first init segment says. */
const reorderingWarnings = /video_delay is larger|upload a sample|Last message repeated/;

/** The frames of each period of an asset's HLS, decoded with its own init segment. */
function periodsIn(folder: string) {
  const mediaPath = (name: string) => join(folder, 'source', name);
  const playlist = parseStoredPlaylist(readFileSync(mediaPath('index.m3u8'), 'utf8')) ?? expect.unreachable();
  return playlist.inits.map((name) => {
    const segments = playlist.segments.filter(({ init }) => init === name);
    const path = join(folder, `${name}.whole.mp4`);
    writeFileSync(
      path,
      Buffer.concat([name, ...segments.map(({ uri }) => uri)].map((file) => readFileSync(mediaPath(file)))),
    );
    const seconds = segments.reduce((sum, segment) => sum + segment.seconds, 0);
    return { seconds, frames: decodeFrames(path).map(({ hash }) => hash) };
  });
}

test.each(['HEVC', 'AV1'] as const)(
  'a clip of %s keeps its codec, even if it starts between keyframes',
  async (name) => {
    const path = samples.make(`${name}.mp4`, { seconds: 8, fps: '25', video: codecs[name] });
    const clip = samples.path(`${name}-clip.mp4`);
    samples.ffmpeg('-ss', '1', '-i', path, '-c', 'copy', clip);
    const folder = await writeHlsFolder(clip, samples.folder);
    expect(readFileSync(join(folder, 'index.m3u8'), 'utf8')).toMatch(/CODECS="(hvc1|av01)\./);
    const source = decodeFrames(path).map(({ hash }) => hash);
    const periods = periodsIn(folder);
    // The clip starts at frame 25. Frames up to the next keyframe, 50, are encoded again, in a period of their own.
    expect(periods.map(({ frames }) => frames.length)).toEqual([25, 150]);
    expect(periods[0]?.seconds).toBeCloseTo(1, 1);
    expect(periods[1]?.seconds).toBeCloseTo(6, 1);
    expect(periods[0]?.frames.some((hash) => source.includes(hash))).toBe(false);
    expect(periods[1]?.frames).toEqual(source.slice(50));
    // ffmpeg reads only the first init segment of a playlist, and expects its reordering in all segments.
    const playlistPath = join(folder, 'source', 'index.m3u8');
    const complaints = (await readDecoderErrors(playlistPath))
      .split('\n')
      .filter((line) => !reorderingWarnings.test(line));
    expect(complaints.join('')).toBe('');
    expect(decodeFrames(playlistPath)).toHaveLength(175);
  },
);
