import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { parseMasterPlaylist, parseStoredPlaylist } from '@/lib/core/hls/read-playlist';
import { Packaging } from '@/media-worker/media/packaging/testing/packaging';
import { makeRecording } from '@/media-worker/recording/make-recording';
import { createRecordedSessions } from '@/media-worker/recording/testing/recorded-session';
import { readDecodingErrors, readPacketTimes } from '@/media-worker/vod/testing/rendition-fixtures';
import { withFile } from './byte-source';
import { readIndexHead } from './stored-index';
import { writeIndexedHls } from './testing/write-hls';
import { writeRange } from './write-range';

const sessions = await createRecordedSessions();
const { storage, folder } = sessions;
afterAll(() => sessions.remove());

const x264 =
  '-c:v libx264 -preset veryfast -bf 2 -pix_fmt yuv420p -threads 1 -g 50 -keyint_min 50 -sc_threshold 0';
const encodePublish = (seconds: number, size: string, audio: readonly string[]) =>
  sessions.encodePackets(
    seconds,
    ...['-f', 'lavfi', '-i', `testsrc2=size=${size}:rate=25`, '-f', 'lavfi', '-i', 'sine=frequency=440'],
    ...[...x264.split(' '), '-c:a', 'aac', ...audio],
  );

/** Number of packets of a track, and the times of its first and last packet in seconds, read by ffprobe. */
function timesIn(path: string, track: 'v' | 'a') {
  const times = readPacketTimes(path, track, 'pts_time').map((line) => Number.parseFloat(line));
  return { count: times.length, from: Math.min(...times), last: Math.max(...times) };
}

test('a file whose video and audio change plays with an init segment for each configuration', async () => {
  const packaging = new Packaging();
  const publishes = [
    await encodePublish(8, '320x180', ['-ar', '48000', '-ac', '1']),
    await encodePublish(6, '180x320', ['-ar', '48000', '-ac', '1']),
    await encodePublish(8, '320x180', ['-ar', '44100', '-ac', '2']),
    // This publish repeats the previous configuration.
    await encodePublish(4, '320x180', ['-ar', '44100', '-ac', '2']),
  ];
  for (const { packets } of publishes) packaging.run(packets);
  await sessions.store('session-1', packaging);
  await makeRecording('session-1', { storage, signal: new AbortController().signal });
  const input = await sessions.path('session-1', 'source.mp4');
  const hls = join(folder, 'changed');
  const index = await writeIndexedHls(input, hls, { frameRate: 25, dataDir: folder });

  const mediaPath = (name: string) => join(hls, 'source', name);
  const text = readFileSync(mediaPath('index.m3u8'), 'utf8');
  const playlist = parseStoredPlaylist(text) ?? expect.unreachable();
  expect(playlist.inits).toEqual(['init.mp4', 'init-1.mp4', 'init-2.mp4']);
  expect(text.match(/#EXT-X-DISCONTINUITY/g)).toHaveLength(2);
  const [masterEntry] = parseMasterPlaylist(readFileSync(join(hls, 'index.m3u8'), 'utf8'));
  expect(masterEntry?.codecs.at(-1)).toBe('mp4a.40.2');
  let [frames, periodEnd] = [0, 0];
  for (const [index, name] of playlist.inits.entries()) {
    const segments = playlist.segments.filter(({ init }) => init === name);
    const path = join(folder, `${index}.mp4`);
    const files = [name, ...segments.map(({ uri }) => uri)].map((file) => readFileSync(mediaPath(file)));
    writeFileSync(path, Buffer.concat(files));
    expect([name, readDecodingErrors(path)]).toEqual([name, '']);
    const [video, audio] = [timesIn(path, 'v'), timesIn(path, 'a')];
    frames += video.count;
    const seconds = segments.reduce((sum, segment) => sum + segment.seconds, 0);
    // Times are continuous, so that players without a buffer for each period find them.
    if (index > 0) expect(Math.abs(video.from - periodEnd)).toBeLessThan(0.002);
    // The first segment starts with the audio frame that is decoded before the video.
    periodEnd = (index === 0 ? Math.min(video.from, audio.from) : video.from) + seconds;
    // A publish begins when both tracks of the previous one have ended.
    for (const { last } of [video, audio]) expect(Math.abs(periodEnd - last)).toBeLessThan(0.15);
    const size = execFileSync('ffprobe', [
      ...['-v', 'error', '-show_entries', 'stream=width,height,channels', '-of', 'csv=p=0', path],
    ]);
    expect(size.toString().trim().split('\n')).toEqual(
      index === 1 ? ['180,320', '1'] : ['320,180', `${index === 0 ? 1 : 2}`],
    );
  }
  // 26 s at 25 frames per second.
  expect(frames).toBe(26 * 25);

  // A range is written within one configuration; media before 8 s and after 14 s has others.
  const range = join(folder, 'range.mp4');
  const write = (from: number, to: number) =>
    withFile(input, (file) =>
      withFile(index, async (indexSource) => {
        const head = await readIndexHead(indexSource);
        const { signal } = new AbortController();
        return writeRange(
          { file, index: indexSource, head },
          { startSeconds: from, endSeconds: to },
          { path: range, signal },
        );
      }),
    );
  expect(await write(6, 10)).toBeNull();
  expect(await write(9, 13)).not.toBeNull();
  expect(readDecodingErrors(range)).toBe('');
  const size = [
    '-v',
    'error',
    '-select_streams',
    'v',
    '-show_entries',
    'stream=width,height',
    '-of',
    'csv=p=0',
  ];
  expect(
    execFileSync('ffprobe', [...size, range])
      .toString()
      .trim(),
  ).toBe('180,320');
});
