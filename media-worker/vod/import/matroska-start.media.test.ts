import { copyFileSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { probedPackets } from '@/media-worker/vod/index/testing/probed-packets';
import { createSampleFiles } from '@/media-worker/vod/testing/sample-files';
import { shiftStartToZero } from './matroska-start';

const samples = createSampleFiles();
afterAll(() => samples.remove());

const makeVideo = () => samples.make('film.mkv', { seconds: 8, output: ['-bf', '0'] });

/** A copy of the film whose times begin at `seconds`. */
function makeVideoStartingAt(seconds: number, name: string, ...options: readonly string[]): string {
  const times = ['-output_ts_offset', String(seconds), '-avoid_negative_ts', 'disabled'];
  samples.ffmpeg('-i', makeVideo(), '-c', 'copy', ...times, ...options, samples.path(name));
  return samples.path(name);
}
const packetsOf = (path: string) =>
  [...probedPackets(path)].map(([track, packets]) => [
    track,
    packets.map(({ size, pts, key }) => [size, pts, key]),
  ]);

test.each([
  ['clusters of known size', 'known.mkv', []],
  ['clusters of unknown size', 'unknown.mkv', ['-live', '1']],
])('a file with negative times and %s starts at zero and keeps its length', async (_, name, options) => {
  const output = samples.path(`shifted-${name}`);
  expect(await shiftStartToZero(makeVideoStartingAt(-3, name, ...options), output)).toBe(output);
  expect(packetsOf(output)).toEqual(packetsOf(makeVideo()));
});

test('a file without negative times, or that is not Matroska, is not copied', async () => {
  const output = samples.path('none.mkv');
  expect(await shiftStartToZero(makeVideoStartingAt(3, 'late.mkv'), output)).toBeNull();
  expect(await shiftStartToZero(makeVideo(), output)).toBeNull();
  copyFileSync(samples.make('film.mp4'), samples.path('other.mkv'));
  expect(await shiftStartToZero(samples.path('other.mkv'), output)).toBeNull();
});
