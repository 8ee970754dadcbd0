import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { createSampleFiles } from '@/media-worker/vod/testing/sample-files';
import { readBoxes } from '@/media-worker/media/cmaf/read-boxes';
import { readDecodingErrors, readPacketTimes } from '@/media-worker/vod/testing/rendition-fixtures';
import {
  decodeFrames,
  decodeGrayFrames,
  writeHlsFolder,
  readTrackDurations,
  readSegmentTimes,
  joinSegments,
} from './testing/indexed-video';
import { withDurations, withEdits } from './testing/with-edits';

const samples = createSampleFiles();
afterAll(() => samples.remove());

const base = () =>
  samples.make('base.mp4', {
    seconds: 14,
    fps: '25',
    output: ['-bf', '2', '-g', '50', '-preset', 'veryfast'],
  });
const copyOf = (name: string, before: readonly string[], after: readonly string[]): string => {
  samples.ffmpeg(...before, '-i', base(), '-c', 'copy', ...after, samples.path(name));
  return samples.path(name);
};
const joinFiles = (name: string, video: readonly string[], audio: readonly string[]): string => {
  const path = base();
  samples.ffmpeg(
    ...[...video, '-i', path, ...audio, '-i', path, '-map', '0:v', '-map', '1:a', '-c', 'copy'],
    samples.path(name),
  );
  return samples.path(name);
};
/**
 * Creates a copy with these edit lists. Edit durations have 1,000 ticks per second; media times have 12,800 for
 * video, which starts at 1,024, and 48,000 for audio.
 */
const withEditList = (name: string, edits: Parameters<typeof withEdits>[1]): string => {
  writeFileSync(samples.path(name), withEdits(readFileSync(base()), edits));
  return samples.path(name);
};

/** A source file, and what its HLS must contain. */
interface SourceFile {
  readonly make: () => string;
  readonly seconds: number;
  readonly frameCount: number;
  /** Number of frames that are those of the file, not encoded again. */
  readonly copiedFrameCount: number;
}

const sourceFiles: Record<string, SourceFile> = {
  'B-frames': { make: base, seconds: 14, frameCount: 350, copiedFrameCount: 350 },
  fragments: {
    make: () => copyOf('f.mp4', [], ['-movflags', 'frag_keyframe+empty_moov']),
    seconds: 14,
    frameCount: 350,
    copiedFrameCount: 350,
  },
  'open GOPs': {
    make: () => {
      const output = ['-g', '50', '-x264-params', 'open-gop=1:scenecut=0:bframes=2'];
      return samples.make('open.mp4', { seconds: 14, fps: '25', output });
    },
    seconds: 14,
    frameCount: 350,
    copiedFrameCount: 350,
  },
  'a start between keyframes': {
    make: () => copyOf('trimmed.mp4', ['-ss', '3.32'], []),
    seconds: 10.68,
    frameCount: 267,
    copiedFrameCount: 250,
  },
  'an end between frames that refer to each other': {
    make: () => withEditList('end.mp4', { vide: [[5_000, 1_024]], soun: [[5_000, 1_024]] }),
    seconds: 5,
    frameCount: 125,
    copiedFrameCount: 100,
  },
  'a middle cut out, and a wait in front': {
    make: () =>
      withEditList('middle.mp4', {
        vide: [[1_000, -1], [2_000, 1_024], [4_000, 1_024 + 6 * 12_800]], // prettier-ignore
        soun: [[1_000, -1], [2_000, 1_024], [4_000, 1_024 + 6 * 48_000]], // prettier-ignore
      }),
    // No track is delayed, so playback starts immediately.
    seconds: 6,
    frameCount: 150,
    copiedFrameCount: 150,
  },
  'a long frame that is decoded last and not shown last': {
    make: () => {
      samples.ffmpeg(
        ...['-f', 'lavfi', '-i', 'testsrc2=size=160x90:rate=25:duration=3.96'],
        ...['-f', 'lavfi', '-i', 'sine=frequency=440:sample_rate=48000:duration=4.88', '-c:v', 'libx264'],
        ...['-preset', 'veryfast', '-g', '20', '-x264-params', 'b-adapt=0:bframes=2:scenecut=0'],
        ...['-c:a', 'aac', samples.path('reordered.mp4')],
      );
      const long = withDurations(readFileSync(samples.path('reordered.mp4')), [[98, 512], [1, 12_800]]); // prettier-ignore
      const edits = { vide: [[4_880, 1_024]], soun: [[4_880, 1_024]] } as const;
      writeFileSync(samples.path('long-last.mp4'), withEdits(long, edits));
      return samples.path('long-last.mp4');
    },
    // The frame that is shown last is held.
    seconds: 4.88,
    frameCount: 100,
    copiedFrameCount: 99,
  },
  'frames that are shown before they are decoded': {
    make: () => copyOf('negative.mp4', [], ['-movflags', 'negative_cts_offsets']),
    seconds: 14,
    frameCount: 350,
    copiedFrameCount: 350,
  },
  'a held frame': {
    make: () =>
      withEditList('held.mp4', {
        vide: [[2_000, 1_024], [14_000, 1_024 + 3 * 12_800, 0]], // prettier-ignore
        soun: [[2_000, 1_024]],
      }),
    seconds: 16,
    frameCount: 53,
    copiedFrameCount: 50,
  },
  'late audio': {
    make: () => joinFiles('late-audio.mp4', [], ['-itsoffset', '0.7']),
    seconds: 14.7,
    frameCount: 350,
    copiedFrameCount: 350,
  },
  'late video': {
    make: () => joinFiles('late-video.mp4', ['-itsoffset', '3'], []),
    // The first frame is held while there is only audio.
    seconds: 17,
    frameCount: 351,
    copiedFrameCount: 351,
  },
  'video that is a little late': {
    make: () => joinFiles('little-late.mp4', ['-itsoffset', '0.36'], []),
    seconds: 14.36,
    frameCount: 351,
    copiedFrameCount: 351,
  },
  'audio that ends early': {
    make: () => joinFiles('short-audio.mp4', [], ['-t', '4']),
    seconds: 14,
    frameCount: 350,
    copiedFrameCount: 350,
  },
  'a gap in its audio': {
    make: () => copyOf('hole.mp4', [], ['-bsf:a', String.raw`noise=drop=between(pts*tb\,3\,5)`]),
    seconds: 14,
    frameCount: 350,
    copiedFrameCount: 350,
  },
  'video of a second with audio': {
    make: () => joinFiles('still.mp4', ['-t', '1'], []),
    // The last frame is encoded again and repeated every six seconds.
    seconds: 14,
    frameCount: 30,
    copiedFrameCount: 27,
  },
};

describe.each(Object.entries(sourceFiles))('%s', (_, film) => {
  test('the playlist has the start times of segments, and the frames are those of the file', async () => {
    const path = film.make();
    const folder = await writeHlsFolder(path, samples.folder);
    const joinedFile = joinSegments(folder);
    expect(readDecodingErrors(joinedFile)).toBe('');

    const segments = readSegmentTimes(folder);
    const [first] = segments;
    const zero = Math.min(first?.earliestVideoPts ?? Infinity, first?.earliestAudioPts ?? Infinity);
    let segmentStart = zero;
    for (const [index, { earliestVideoPts, earliestAudioPts, playlistDuration }] of segments.entries()) {
      // The first segment starts with the earlier track.
      const shownAt =
        index === 0
          ? Math.min(earliestVideoPts ?? NaN, earliestAudioPts ?? Infinity)
          : (earliestVideoPts ?? NaN);
      expect(Math.abs(shownAt - segmentStart)).toBeLessThan(0.001);
      expect(playlistDuration).toBeGreaterThan(0.5);
      segmentStart += playlistDuration;
    }
    // Audio begins with a priming frame, at most 0.1 s before the video, and ends with a whole frame.
    const end = segmentStart;
    expect(end - zero).toBeGreaterThan(film.seconds - 0.011);
    expect(end - zero).toBeLessThan(film.seconds + 0.122);
    const { audioEnd: lastAudioEnd = 0, videoEnd = 0 } = segments.at(-1) ?? {};
    expect(Math.abs(Math.max(lastAudioEnd, videoEnd || 0) - end)).toBeLessThan(0.001);
    for (const [index, { earliestAudioPts, audioEnd }] of segments.entries()) {
      if (index > 0) expect(earliestAudioPts).toBeCloseTo(segments[index - 1]?.audioEnd ?? NaN, 4);
      expect(audioEnd).toBeDefined();
    }

    const [madeFrames, expectedFrames] = [decodeFrames(joinedFile), decodeFrames(base())];
    expect(madeFrames).toHaveLength(film.frameCount);
    const hashes = new Set([...expectedFrames, ...decodeFrames(path)].map(({ hash }) => hash));
    expect(madeFrames.filter(({ hash }) => hashes.has(hash))).toHaveLength(film.copiedFrameCount);
  });
});

test('decode times of segments follow the playlist, because Shaka Player moves a segment by their difference', async () => {
  const segments = readSegmentTimes(await writeHlsFolder(copyOf('follows.mp4', [], []), samples.folder));
  expect(segments.length).toBeGreaterThan(1);
  let segmentStart = 0;
  for (const { firstVideoDts, playlistDuration } of segments) {
    expect(firstVideoDts).toBeCloseTo(segmentStart, 3);
    segmentStart += playlistDuration;
  }
});

test('video without edits keeps the time of each frame', async () => {
  const path = copyOf('plain.mp4', [], []);
  expect(decodeFrames(joinSegments(await writeHlsFolder(path, samples.folder)))).toEqual(decodeFrames(path));
});

const x265 = ['-c:v', 'libx265', '-preset', 'ultrafast', '-tag:v', 'hvc1', '-g', '50'];
test.each([
  [
    'HEVC',
    [...x265, '-x265-params', 'log-level=none:bframes=2:open-gop=0'],
    /CODECS="hvc1\.1\.6\.L\d+\.90,mp4a/,
  ],
  ['AV1', ['-c:v', 'libsvtav1', '-preset', '12', '-g', '50'], /CODECS="av01\.0\.00M\.08,mp4a/],
])('%s of a recording keeps the time of each frame', async (name, video, codecs) => {
  const path = samples.make(`${name}.mp4`, { seconds: 8, fps: '25', video });
  const folder = await writeHlsFolder(path, samples.folder);
  expect(readFileSync(join(folder, 'index.m3u8'), 'utf8')).toMatch(codecs);
  expect(readSegmentTimes(folder)).toHaveLength(2);
  expect(decodeFrames(joinSegments(folder))).toEqual(decodeFrames(path));
});

test('video and audio stay in sync if frames are shown before their decode time', async () => {
  const path = copyOf('apart.mp4', [], ['-movflags', 'negative_cts_offsets']);
  const [first] = readSegmentTimes(await writeHlsFolder(path, samples.folder));
  // One audio frame precedes the video, so that the first audible frame is complete.
  expect((first?.earliestVideoPts ?? 0) - (first?.earliestAudioPts ?? 0)).toBeCloseTo(1_024 / 48_000, 3);
});

test('video whose frames are reordered around a pause lasts as long as its audio, to 250 ms', async () => {
  const output = ['-vf', "select='lt(t,8)+gt(t,13.65)'", '-fps_mode', 'vfr', '-bf', '3', '-b_strategy', '0'];
  const path = samples.make('pause.mp4', { seconds: 14, output });
  const folder = await writeHlsFolder(path, samples.folder);
  const { video, audio } = readTrackDurations(joinSegments(folder));
  // Reordered frames are decoded two frames before they are shown.
  expect(Math.abs(video - audio)).toBeLessThan(0.25);
});

test.each([
  ['one keyframe', ['-bf', '3', '-b_strategy', '0']],
  ['no reordered frames', ['-bf', '0']],
  ['several keyframes', ['-bf', '3', '-b_strategy', '0', '-g', '6']],
])('a slide show with %s has a keyframe at each slide, at the times of the file', async (name, coding) => {
  const output = ['-vf', "select='not(mod(n,30))'", '-fps_mode', 'vfr', '-sc_threshold', '0', ...coding];
  const path = samples.make(`slides, ${name}.mp4`, { seconds: 30, output, audio: null });
  const folder = await writeHlsFolder(path, samples.folder);
  const segments = readSegmentTimes(folder);
  expect(segments.map(({ playlistDuration }) => Math.round(playlistDuration))).toEqual([6, 6, 6, 6, 3]);
  // Players with one buffer take the decode time of a segment for the time at which it is shown.
  for (const { firstVideoDts = NaN, earliestVideoPts = NaN } of segments)
    expect(earliestVideoPts - firstVideoDts).toBeLessThan(0.11);
  expect(readFileSync(join(folder, 'source', 'index.m3u8'), 'utf8')).toContain('#EXT-X-INDEPENDENT-SEGMENTS');
  const shownFrames = decodeFrames(joinSegments(folder));
  expect(shownFrames.map(({ timeMs }) => timeMs)).toEqual(decodeFrames(path).map(({ timeMs }) => timeMs));
  const [shown, expected] = [decodeGrayFrames(joinSegments(folder)), decodeGrayFrames(path)];
  for (const [pixel, gray] of expected.entries())
    // Slides are encoded again, which changes gray levels a little.
    expect(Math.abs((shown[pixel] ?? 0) - gray)).toBeLessThan(12);
});

test.each([
  { fps: '5', gop: 50, seconds: 100, starts: [50, 50] },
  { fps: '25', gop: 14, seconds: 28, starts: [14, 14] },
])('a GOP of $gop s at $fps fps is one segment', async ({ fps, gop, seconds, starts }) => {
  const output = ['-g', String(gop * Number(fps)), '-sc_threshold', '0', '-bf', '2'];
  const path = samples.make(`gop-${gop}.mp4`, { seconds, fps, output });
  const folder = await writeHlsFolder(path, samples.folder);
  expect(readSegmentTimes(folder).map((segment) => Math.round(segment.playlistDuration))).toEqual(starts);
  expect(decodeFrames(joinSegments(folder))).toEqual(decodeFrames(path));
});

test('a segment of 14 s has more than four parts', async () => {
  const path = samples.make('gop.mp4', { seconds: 14, fps: '25', output: ['-g', '1000'] });
  const folder = await writeHlsFolder(path, samples.folder);
  const segment = readFileSync(join(folder, 'source', '000000.m4s'));
  const parts = [...readBoxes(segment)].filter(({ type }) => type === 'moof');
  expect(parts.length).toBeGreaterThan(4);
});

test('frames without a duration are shown one after the other', async () => {
  const path = samples.path('timeless.mp4');
  writeFileSync(path, withDurations(readFileSync(base()), [[100, 512], [5, 0], [245, 512]])); // prettier-ignore
  const times = readPacketTimes(joinSegments(await writeHlsFolder(path, samples.folder)), 'v', 'pts');
  expect(times).toHaveLength(350);
  expect(new Set(times).size).toBe(350);
});

test('frames that an edit list hides are not sent', async () => {
  const path = copyOf('hidden.mp4', ['-ss', '3.32'], []);
  const sentHashes = new Set(
    decodeFrames(joinSegments(await writeHlsFolder(path, samples.folder))).map(({ hash }) => hash),
  );
  for (const { hash, timeMs } of decodeFrames(base()))
    if (timeMs < 3_300) expect(sentHashes.has(hash)).toBe(false);
});

test('the master playlist has the displayed size of video with non-square pixels and a rotation', async () => {
  const anamorphic = samples.make('wide.mp4', { output: ['-vf', 'setsar=64/45'] });
  const rotatedFile = samples.path('turned.mp4');
  samples.ffmpeg('-i', anamorphic, '-c', 'copy', '-metadata:s:v', 'rotate=90', rotatedFile);
  const masterPlaylist = readFileSync(
    join(await writeHlsFolder(rotatedFile, samples.folder), 'index.m3u8'),
    'utf8',
  );
  expect(masterPlaylist).toContain('RESOLUTION=90x228');
  expect(masterPlaylist).toMatch(/CODECS="avc1\.[0-9a-f]{6},mp4a\.40\.2"/);
});
