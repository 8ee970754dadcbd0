import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { sampleFiles } from '@/media-worker/vod/testing/sample-files';
import { withFile } from './byte-source';
import { readMovie } from './read-movie';
import { probedPackets } from './testing/probed-packets';

const samples = sampleFiles();
afterAll(() => samples.remove());

const base = () => samples.make('base.mp4', { seconds: 10, output: ['-bf', '2', '-g', '20'] });

/** A copy of the base file that ffmpeg wrote otherwise. */
function copied(name: string, before: readonly string[], after: readonly string[]): string {
  samples.ffmpeg(...before, '-i', base(), '-c', 'copy', ...after, samples.path(name));
  return samples.path(name);
}

/** The media may go on to the end of the file, and anything may follow it. */
function patched(name: string, patch: (file: Buffer) => Buffer): string {
  const file = readFileSync(copied(name, [], ['-movflags', '+faststart']));
  writeFileSync(samples.path(name), patch(file));
  return samples.path(name);
}

const mdatToTheEnd = (file: Buffer): Buffer => {
  file.writeUInt32BE(0, file.indexOf('mdat') - 4);
  return file;
};

const files: Record<string, () => string> = {
  'B-frames': base,
  'index first': () => copied('first.mp4', [], ['-movflags', '+faststart']),
  'fragments without an index': () => copied('f.mp4', [], ['-movflags', 'frag_keyframe+empty_moov']),
  'a sample table and fragments': () => copied('joined.mp4', [], ['-movflags', 'frag_keyframe']),
  'fragments of DASH': () => copied('dash.mp4', [], ['-movflags', 'dash+global_sidx+frag_keyframe']),
  'a fragment for each frame': () =>
    copied('each.mp4', [], ['-movflags', 'frag_every_frame+empty_moov+default_base_moof']),
  'negative composition offsets': () => copied('n.mp4', [], ['-movflags', 'negative_cts_offsets']),
  'a start between keyframes': () => copied('trimmed.mp4', ['-ss', '3.3'], []),
  'QuickTime with a time code': () => copied('code.mov', [], ['-timecode', '01:00:00:00']),
  'parameter sets in its frames': () =>
    copied('avc3.mp4', [], ['-bsf:v', 'h264_mp4toannexb,dump_extra', '-tag:v', 'avc3']),
  'a hole in its sound': () =>
    copied('hole.mp4', [], ['-bsf:a', String.raw`noise=drop=between(pts*tb\,3\,5)`]),
  'media to the end of the file': () => patched('mdat0.mp4', mdatToTheEnd),
  'a trailer of a camera': () =>
    patched('trailer.mp4', (file) =>
      Buffer.concat([file, Buffer.from('00000a01', 'hex'), Buffer.from('SEFT')]),
    ),
  'padding behind it': () => patched('padding.mp4', (file) => Buffer.concat([file, Buffer.alloc(4096)])),
};

test.each(Object.entries(files))('%s: the packets are those that ffprobe reads', async (_, make) => {
  const path = make();
  const movie = await withFile(path, readMovie);
  const probed = probedPackets(path);
  const played = [...movie.tracks.entries()].filter(([, { handler }]) => /vide|soun/.test(handler));
  let tracks = 0;
  for (const [index, { samples: list, handler }] of played) {
    const packets = probed.get(index) ?? [];
    // ffprobe moves all decode times so that none is after its presentation.
    const moved = (list.dts[0] ?? 0) - (packets[0]?.dts ?? 0);
    const read = Array.from({ length: list.count }, (_sample, sample) => ({
      offset: list.offset[sample],
      size: list.size[sample],
      dts: (list.dts[sample] ?? 0) - moved,
      pts: list.pts(sample),
      key: list.key[sample] === 1,
    }));
    expect(read, handler).toEqual(packets);
    tracks += 1;
  }
  expect(tracks).toBe(2);
});

test('the configuration of its codecs is that in the file', async () => {
  const movie = await withFile(copied('config.mov', [], []), readMovie);
  const [video, audio] = movie.tracks;
  expect(video?.entries[0]?.record?.subarray(0, 2)).toEqual(Buffer.from([1, 0x4d]));
  // AAC-LC, 48 kHz, mono, and what ffmpeg appends to it.
  expect(audio?.entries[0]?.record?.toString('hex')).toMatch(/^1188/);
});
