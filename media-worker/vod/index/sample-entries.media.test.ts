import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { fullBox, u32 } from '@/media-worker/media/cmaf/boxes';
import { findBox } from '@/media-worker/media/cmaf/read-boxes';
import { decodingErrors } from '@/media-worker/vod/testing/rendition-fixtures';
import { sampleFiles } from '@/media-worker/vod/testing/sample-files';
import { decodedFrames, joinSegments, writeVideoIndex } from './testing/indexed-video';
import { withVideoBox } from './testing/with-edits';

const samples = sampleFiles();
afterAll(() => samples.remove());

const film = () =>
  samples.make('film.mp4', { seconds: 8, fps: '25', output: ['-g', '50', '-preset', 'veryfast'] });
/** A sample entry of another picture size and profile. */
const otherEntry = () => {
  const file = readFileSync(
    samples.make('other.mp4', { size: '320x180', output: ['-profile:v', 'baseline'] }),
  );
  const stsd = findBox(file, ['moov', 'trak', 'mdia', 'minf', 'stbl', 'stsd']);
  return file.subarray(stsd.start + 8, stsd.end);
};

/** Indexes a copy of the film whose video has these sample entries. */
async function indexedFilm(name: string, entriesOf: (own: Buffer) => readonly Buffer[], used: number) {
  const withEntries = withVideoBox(readFileSync(film()), 'stsd', (stsd) => {
    const entries = entriesOf(stsd.subarray(16));
    return fullBox('stsd', 0, 0, u32(entries.length), ...entries);
  });
  const patched = withVideoBox(withEntries, 'stsc', (stsc) => {
    const changed = Buffer.from(stsc);
    for (let entry = 0; entry < changed.readUInt32BE(12); entry++)
      changed.writeUInt32BE(used, 16 + entry * 12 + 8);
    return changed;
  });
  writeFileSync(samples.path(name), patched);
  return writeVideoIndex(samples.path(name), samples.folder);
}

test.each([
  ['first', 1, (own: Buffer) => [own, otherEntry()]],
  ['second', 2, (own: Buffer) => [otherEntry(), own]],
] as const)('all frames use the %s of two sample entries', async (name, used, entriesOf) => {
  const hls = joinSegments(await indexedFilm(`${name}.mp4`, entriesOf, used));
  expect(decodingErrors(hls)).toBe('');
  expect(decodedFrames(hls).map(({ hash }) => hash)).toEqual(decodedFrames(film()).map(({ hash }) => hash));
});
