import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { mp4 } from '@/lib/core/media/container';
import { fullBox, u32 } from '@/media-worker/media/cmaf/boxes';
import { findBox } from '@/media-worker/media/cmaf/read-boxes';
import { readDecodingErrors } from '@/media-worker/vod/testing/rendition-fixtures';
import { createSampleFiles } from '@/media-worker/vod/testing/sample-files';
import { checkCopiedTracks } from '@/media-worker/vod/import/check-copied-tracks';
import { NeedsConversion } from './needs-conversion';
import { decodeFrames, joinSegments, writeHlsFolder } from './testing/indexed-video';
import { withVideoBox } from './testing/with-edits';

const samples = createSampleFiles();
afterAll(() => samples.remove());

const makeVideo = () =>
  samples.make('film.mp4', { seconds: 8, fps: '25', output: ['-g', '50', '-preset', 'veryfast'] });
/** A sample entry of another picture size and profile. */
const otherEntry = () => {
  const file = readFileSync(
    samples.make('other.mp4', { size: '320x180', output: ['-profile:v', 'baseline'] }),
  );
  const stsd = findBox(file, ['moov', 'trak', 'mdia', 'minf', 'stbl', 'stsd']);
  return file.subarray(stsd.start + 8, stsd.end);
};

/**
 * Writes the HLS of a copy of the film whose video has these sample entries.
 * @param entriesOf returns the entries for that of the film
 * @param usedNumber number of the entry that all frames use, from 1
 */
async function writeHlsWithEntries(
  name: string,
  entriesOf: (own: Buffer) => readonly Buffer[],
  usedNumber: number,
) {
  const withEntries = withVideoBox(readFileSync(makeVideo()), 'stsd', (stsd) => {
    const entries = entriesOf(stsd.subarray(16));
    return fullBox('stsd', 0, 0, u32(entries.length), ...entries);
  });
  const patched = withVideoBox(withEntries, 'stsc', (stsc) => {
    const changed = Buffer.from(stsc);
    for (let entry = 0; entry < changed.readUInt32BE(12); entry++)
      changed.writeUInt32BE(usedNumber, 16 + entry * 12 + 8);
    return changed;
  });
  writeFileSync(samples.path(name), patched);
  return writeHlsFolder(samples.path(name), samples.folder);
}

test.each([
  ['first', 1, (own: Buffer) => [own, otherEntry()]],
  ['second', 2, (own: Buffer) => [otherEntry(), own]],
] as const)('all frames use the %s of two sample entries', async (name, used, entriesOf) => {
  const hls = joinSegments(await writeHlsWithEntries(`${name}.mp4`, entriesOf, used));
  expect(readDecodingErrors(hls)).toBe('');
  expect(decodeFrames(hls).map(({ hash }) => hash)).toEqual(
    decodeFrames(makeVideo()).map(({ hash }) => hash),
  );
});

/** An MP4 of two halves with different configurations; parameter sets are only in its sample entries. */
function makeChangingFilm(): string {
  const halves = [
    ['half-1.mp4', 'testsrc2', ['-profile:v', 'high']],
    ['half-2.mp4', 'smptebars', ['-profile:v', 'main', '-x264-params', 'cabac=0']],
  ] as const;
  for (const [name, pattern, options] of halves)
    samples.ffmpeg(
      ...['-f', 'lavfi', '-i', `${pattern}=size=160x90:rate=25:duration=4`, '-c:v', 'libx264'],
      ...['-pix_fmt', 'yuv420p', '-preset', 'veryfast', '-g', '50', ...options, samples.path(name)],
    );
  writeFileSync(samples.path('list.ffconcat'), 'ffconcat version 1.0\nfile half-1.mp4\nfile half-2.mp4\n');
  const concat = ['-f', 'concat', '-auto_convert', '0', '-i', samples.path('list.ffconcat')];
  samples.ffmpeg(...concat, '-c', 'copy', samples.path('joined.mp4'));
  const entryOf = (name: string) => {
    const file = readFileSync(samples.path(name));
    const stsd = findBox(file, ['moov', 'trak', 'mdia', 'minf', 'stbl', 'stsd']);
    return file.subarray(stsd.start + 8, stsd.end);
  };
  let joined: Buffer = readFileSync(samples.path('joined.mp4'));
  const stsz = findBox(joined, ['moov', 'trak', 'mdia', 'minf', 'stbl', 'stsz']).start;
  const count = joined.readUInt32BE(stsz + 8);
  const firstOffset = findBox(joined, ['mdat']).start;
  let secondOffset = firstOffset;
  for (let sample = 0; sample < count / 2; sample++)
    secondOffset += joined.readUInt32BE(stsz + 12 + sample * 4);
  const boxes: Record<string, Buffer> = {
    stsd: fullBox('stsd', 0, 0, u32(2), entryOf('half-1.mp4'), entryOf('half-2.mp4')),
    stsc: fullBox('stsc', 0, 0, u32(2, 1, count / 2, 1, 2, count / 2, 2)),
    stco: fullBox('stco', 0, 0, u32(2, firstOffset, secondOffset)),
  };
  for (const [type, changed] of Object.entries(boxes)) joined = withVideoBox(joined, type, () => changed);
  writeFileSync(samples.path('changing.mp4'), joined);
  return samples.path('changing.mp4');
}

test('frames that change to the second sample entry are decoded with it', async () => {
  const film = makeChangingFilm();
  const playlist = `${await writeHlsFolder(film, samples.folder)}/index.m3u8`;
  expect(decodeFrames(playlist).map(({ hash }) => hash)).toEqual(decodeFrames(film).map(({ hash }) => hash));
});

test.each([
  ['a film with one configuration', () => makeVideo(), 'remux', false],
  ['a film that changes and is not copied', () => makeChangingFilm(), 'play', false],
  ['a film that changes and is copied', () => makeChangingFilm(), 'remux', true],
] as const)(
  '%s needs a conversion only if ffmpeg would copy the change',
  async (_, make, kind, needsConversion) => {
    const check = checkCopiedTracks(make(), { handling: { kind }, container: mp4 });
    if (needsConversion) await expect(check).rejects.toThrow(NeedsConversion);
    else await expect(check).resolves.toBeUndefined();
  },
);
