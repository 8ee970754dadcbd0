import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { createSampleFiles } from '@/media-worker/vod/testing/sample-files';
import { withFile } from './byte-source';
import { readMovie } from './read-movie';
import { probedPackets } from './testing/probed-packets';

const samples = createSampleFiles();
afterAll(() => samples.remove());

const base = () => samples.make('base.mp4', { seconds: 10, output: ['-bf', '2', '-g', '20'] });

/** A copy of the base file with other ffmpeg options. */
function copyOf(name: string, before: readonly string[], after: readonly string[]): string {
  samples.ffmpeg(...before, '-i', base(), '-c', 'copy', ...after, samples.path(name));
  return samples.path(name);
}

/** A patched copy: the media may extend to the end of the file, and any data may follow it. */
function withPatch(name: string, patch: (file: Buffer) => Buffer): string {
  const file = readFileSync(copyOf(name, [], ['-movflags', '+faststart']));
  writeFileSync(samples.path(name), patch(file));
  return samples.path(name);
}

const mdatToTheEnd = (file: Buffer): Buffer => {
  file.writeUInt32BE(0, file.indexOf('mdat') - 4);
  return file;
};

const files: Record<string, () => string> = {
  'B-frames': base,
  'index first': () => copyOf('first.mp4', [], ['-movflags', '+faststart']),
  'fragments without an index': () => copyOf('f.mp4', [], ['-movflags', 'frag_keyframe+empty_moov']),
  'a sample table and fragments': () => copyOf('joined.mp4', [], ['-movflags', 'frag_keyframe']),
  'fragments of DASH': () => copyOf('dash.mp4', [], ['-movflags', 'dash+global_sidx+frag_keyframe']),
  'a fragment for each frame': () =>
    copyOf('each.mp4', [], ['-movflags', 'frag_every_frame+empty_moov+default_base_moof']),
  'negative composition offsets': () => copyOf('n.mp4', [], ['-movflags', 'negative_cts_offsets']),
  'a start between keyframes': () => copyOf('trimmed.mp4', ['-ss', '3.3'], []),
  'QuickTime with a time code': () => copyOf('code.mov', [], ['-timecode', '01:00:00:00']),
  'parameter sets in its frames': () =>
    copyOf('avc3.mp4', [], ['-bsf:v', 'h264_mp4toannexb,dump_extra', '-tag:v', 'avc3']),
  'a gap in its audio': () =>
    copyOf('hole.mp4', [], ['-bsf:a', String.raw`noise=drop=between(pts*tb\,3\,5)`]),
  'media to the end of the file': () => withPatch('mdat0.mp4', mdatToTheEnd),
  'a trailer of a camera': () =>
    withPatch('trailer.mp4', (file) =>
      Buffer.concat([file, Buffer.from('00000a01', 'hex'), Buffer.from('SEFT')]),
    ),
  'padding behind it': () => withPatch('padding.mp4', (file) => Buffer.concat([file, Buffer.alloc(4096)])),
};

test.each(Object.entries(files))('%s: packets match those of ffprobe', async (_, make) => {
  const path = make();
  const movie = await withFile(path, readMovie);
  const packetsByTrack = probedPackets(path);
  const playedTracks = [...movie.tracks.entries()].filter(([, { handler }]) => /vide|soun/.test(handler));
  let tracks = 0;
  for (const [index, { samples: list, handler }] of playedTracks) {
    const packets = packetsByTrack.get(index) ?? [];
    // ffprobe shifts decode times so that none is after its presentation time.
    const shiftTicks = (list.dts[0] ?? 0) - (packets[0]?.dts ?? 0);
    const samples = Array.from({ length: list.count }, (_sample, sample) => ({
      offset: list.offset[sample],
      size: list.size[sample],
      dts: (list.dts[sample] ?? 0) - shiftTicks,
      pts: list.pts(sample),
      key: list.key[sample] === 1,
    }));
    expect(samples, handler).toEqual(packets);
    tracks += 1;
  }
  expect(tracks).toBe(2);
});

test('the codec configuration is that of the file', async () => {
  const movie = await withFile(copyOf('config.mov', [], []), readMovie);
  const [video, audio] = movie.tracks;
  expect(video?.entries[0]?.record?.subarray(0, 2)).toEqual(Buffer.from([1, 0x4d]));
  // AAC-LC, 48 kHz, mono, followed by an extension of ffmpeg.
  expect(audio?.entries[0]?.record?.toString('hex')).toMatch(/^1188/);
});
