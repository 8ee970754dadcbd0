import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { sampleFiles } from '@/media-worker/vod/testing/sample-files';
import { boxesIn } from '@/media-worker/media/cmaf/read-boxes';
import { decodingErrors } from '@/media-worker/vod/testing/rendition-fixtures';
import { decodedFrames, indexedFilm, trackSeconds, segmentTimes, wholeFilm } from './testing/indexed-film';
import { withEdits } from './testing/with-edits';

const samples = sampleFiles();
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
/** Ticks: the movie has 1,000 a second, video 12,800 and starts at 1,024, sound 48,000. */
const withEditList = (name: string, edits: Parameters<typeof withEdits>[1]): string => {
  writeFileSync(samples.path(name), withEdits(readFileSync(base()), edits));
  return samples.path(name);
};

/** Frames in the HLS, and how many of them are the file's own. */
interface Film {
  readonly make: () => string;
  readonly seconds: number;
  readonly frames: number;
  readonly copiedBytes: number;
}

const films: Record<string, Film> = {
  'B-frames': { make: base, seconds: 14, frames: 350, copiedBytes: 350 },
  fragments: {
    make: () => copyOf('f.mp4', [], ['-movflags', 'frag_keyframe+empty_moov']),
    ...{ seconds: 14, frames: 350, copiedBytes: 350 },
  },
  'open GOPs': {
    make: () => {
      const output = ['-g', '50', '-x264-params', 'open-gop=1:scenecut=0:bframes=2'];
      return samples.make('open.mp4', { seconds: 14, fps: '25', output });
    },
    ...{ seconds: 14, frames: 350, copiedBytes: 350 },
  },
  'a start between keyframes': {
    make: () => copyOf('trimmed.mp4', ['-ss', '3.32'], []),
    ...{ seconds: 10.68, frames: 267, copiedBytes: 250 },
  },
  'an end between frames that refer to each other': {
    make: () => withEditList('end.mp4', { vide: [[5_000, 1_024]], soun: [[5_000, 1_024]] }),
    ...{ seconds: 5, frames: 125, copiedBytes: 100 },
  },
  'a middle cut out, and a wait in front': {
    make: () =>
      withEditList('middle.mp4', {
        vide: [[1_000, -1], [2_000, 1_024], [4_000, 1_024 + 6 * 12_800]], // prettier-ignore
        soun: [[1_000, -1], [2_000, 1_024], [4_000, 1_024 + 6 * 48_000]], // prettier-ignore
      }),
    // Without a delayed track, nothing waits.
    ...{ seconds: 6, frames: 150, copiedBytes: 150 },
  },
  'frames that are shown before they are decoded': {
    make: () => copyOf('negative.mp4', [], ['-movflags', 'negative_cts_offsets']),
    ...{ seconds: 14, frames: 350, copiedBytes: 350 },
  },
  'a held frame': {
    make: () =>
      withEditList('held.mp4', {
        vide: [[2_000, 1_024], [14_000, 1_024 + 3 * 12_800, 0]], // prettier-ignore
        soun: [[2_000, 1_024]],
      }),
    ...{ seconds: 16, frames: 53, copiedBytes: 50 },
  },
  'late sound': {
    make: () => joinFiles('late-sound.mp4', [], ['-itsoffset', '0.7']),
    ...{ seconds: 14.7, frames: 350, copiedBytes: 350 },
  },
  'a late picture': {
    make: () => joinFiles('late-picture.mp4', ['-itsoffset', '3'], []),
    // The first frame stays while there is only sound.
    ...{ seconds: 17, frames: 351, copiedBytes: 351 },
  },
  'a picture that is a little late': {
    make: () => joinFiles('little-late.mp4', ['-itsoffset', '0.36'], []),
    ...{ seconds: 14.36, frames: 351, copiedBytes: 351 },
  },
  'sound that ends early': {
    make: () => joinFiles('short-sound.mp4', [], ['-t', '4']),
    ...{ seconds: 14, frames: 350, copiedBytes: 350 },
  },
  'a hole in its sound': {
    make: () => copyOf('hole.mp4', [], ['-bsf:a', String.raw`noise=drop=between(pts*tb\,3\,5)`]),
    ...{ seconds: 14, frames: 350, copiedBytes: 350 },
  },
  'a picture of a second with sound': {
    make: () => joinFiles('still.mp4', ['-t', '1'], []),
    // The last frame is encoded again and repeated every six seconds.
    ...{ seconds: 14, frames: 30, copiedBytes: 27 },
  },
};

describe.each(Object.entries(films))('%s', (_, film) => {
  test('the playlist says when segments start, and the frames are those of the file', async () => {
    const path = film.make();
    const folder = await indexedFilm(path, samples.folder);
    const whole = wholeFilm(folder);
    expect(decodingErrors(whole)).toBe('');

    const segments = segmentTimes(folder);
    const zero = segments[0]?.video ?? 0;
    let at = zero;
    for (const { video, seconds } of segments) {
      expect(Math.abs((video ?? NaN) - at)).toBeLessThan(0.001);
      expect(seconds).toBeGreaterThan(0.5);
      at += seconds;
    }
    // Sound ends with a whole frame.
    expect(at - zero).toBeGreaterThan(film.seconds - 0.011);
    expect(at - zero).toBeLessThan(film.seconds + 0.022);
    for (const [index, { audio, audioEnd }] of segments.entries()) {
      if (index > 0) expect(audio).toBeCloseTo(segments[index - 1]?.audioEnd ?? NaN, 4);
      expect(audioEnd).toBeDefined();
    }

    const [madeFrames, expectedFrames] = [decodedFrames(whole), decodedFrames(base())];
    expect(madeFrames).toHaveLength(film.frames);
    const hashes = new Set([...expectedFrames, ...decodedFrames(path)].map(({ hash }) => hash));
    expect(madeFrames.filter(({ hash }) => hashes.has(hash))).toHaveLength(film.copiedBytes);
  });
});

test('an unchanged film has each frame at its time', async () => {
  const path = copyOf('plain.mp4', [], []);
  expect(decodedFrames(wholeFilm(await indexedFilm(path, samples.folder)))).toEqual(decodedFrames(path));
});

const x265 = ['-c:v', 'libx265', '-preset', 'ultrafast', '-tag:v', 'hvc1', '-g', '50'];
test.each([
  [
    'HEVC',
    [...x265, '-x265-params', 'log-level=none:bframes=2:open-gop=0'],
    /CODECS="hvc1\.1\.6\.L\d+\.90,mp4a/,
  ],
  ['AV1', ['-c:v', 'libsvtav1', '-preset', '12', '-g', '50'], /CODECS="av01\.0\.00M\.08,mp4a/],
])('%s of a recording has each frame at its time', async (name, video, codecs) => {
  const path = samples.make(`${name}.mp4`, { seconds: 8, fps: '25', video });
  const folder = await indexedFilm(path, samples.folder);
  expect(readFileSync(join(folder, 'index.m3u8'), 'utf8')).toMatch(codecs);
  expect(segmentTimes(folder)).toHaveLength(2);
  expect(decodedFrames(wholeFilm(folder))).toEqual(decodedFrames(path));
});

test('picture and sound keep their distance where frames are shown before they are decoded', async () => {
  const path = copyOf('apart.mp4', [], ['-movflags', 'negative_cts_offsets']);
  const [first] = segmentTimes(await indexedFilm(path, samples.folder));
  // One frame of sound comes before the picture, so that the first audible one is complete.
  expect((first?.video ?? 0) - (first?.audio ?? 0)).toBeCloseTo(1_024 / 48_000, 3);
});

test('no frame lasts longer than the presentation, in whichever order frames are decoded', async () => {
  const output = ['-vf', "select='lt(t,8)+gt(t,13.65)'", '-fps_mode', 'vfr', '-bf', '3', '-b_strategy', '0'];
  const path = samples.make('pause.mp4', { seconds: 14, output });
  const folder = await indexedFilm(path, samples.folder);
  const { video, audio } = trackSeconds(wholeFilm(folder));
  // Reordered frames are decoded two frames before they are shown.
  expect(Math.abs(video - audio)).toBeLessThan(0.25);
});

test('a slide show starts with its first picture', async () => {
  const output = ['-vf', "select='not(mod(n,30))'", '-fps_mode', 'vfr', '-bf', '3', '-b_strategy', '0'];
  const path = samples.make('slides.mp4', { seconds: 30, output, audio: null });
  const folder = await indexedFilm(path, samples.folder);
  const [first] = segmentTimes(folder);
  expect(first?.video).toBeLessThan(0.11);
  expect(decodedFrames(wholeFilm(folder))).toEqual(decodedFrames(path));
});

test('a segment has both tracks of the same seconds one after the other', async () => {
  const path = samples.make('gop.mp4', { seconds: 14, fps: '25', output: ['-g', '1000'] });
  const folder = await indexedFilm(path, samples.folder);
  const segment = readFileSync(join(folder, 'source', '000000.m4s'));
  const parts = [...boxesIn(segment)].filter(({ type }) => type === 'moof');
  expect(parts.length).toBeGreaterThan(4);
});

test('frames that an edit list cuts off are not sent', async () => {
  const path = copyOf('hidden.mp4', ['-ss', '3.32'], []);
  const sentHashes = new Set(
    decodedFrames(wholeFilm(await indexedFilm(path, samples.folder))).map(({ hash }) => hash),
  );
  for (const { hash, at } of decodedFrames(base())) if (at < 3_300) expect(sentHashes.has(hash)).toBe(false);
});

test('pictures are as wide and as upright as in the file', async () => {
  const anamorphic = samples.make('wide.mp4', { output: ['-vf', 'setsar=64/45'] });
  const turnedFile = samples.path('turned.mp4');
  samples.ffmpeg('-i', anamorphic, '-c', 'copy', '-metadata:s:v', 'rotate=90', turnedFile);
  const master = readFileSync(join(await indexedFilm(turnedFile, samples.folder), 'index.m3u8'), 'utf8');
  expect(master).toContain('RESOLUTION=90x228');
  expect(master).toMatch(/CODECS="avc1\.[0-9a-f]{6},mp4a\.40\.2"/);
});
