import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { demuxFlv } from '@/media-worker/media/packaging/testing/flv-file';
import { Packaging, SteppedClock } from '@/media-worker/media/packaging/testing/packaging';
import { fillSilence } from './fill-silence';
import type { MediaPacket } from './media-packet';

/** The silence of each audio format, decoded by ffmpeg. */

const execFileAsync = promisify(execFile);
const SAMPLE_RATE = 48_000;
const GAP = { fromMs: 2_000, untilMs: 5_000 };
let dir = '';
beforeAll(async () => void (dir = await mkdtemp(join(tmpdir(), 'silence-'))));
afterAll(() => rm(dir, { recursive: true, force: true }));

async function encodeAudio(layout: string): Promise<MediaPacket[]> {
  const file = join(dir, `${layout}.flv`);
  const sources = [
    '-f',
    'lavfi',
    '-i',
    'color=s=64x64:r=25',
    '-f',
    'lavfi',
    '-i',
    `sine=r=${SAMPLE_RATE}:f=997`,
  ];
  const video = ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '50', '-pix_fmt', 'yuv420p'];
  const audio = ['-c:a', 'aac', '-channel_layout', layout];
  await execFileAsync('ffmpeg', [
    '-v',
    'error',
    ...sources,
    ...video,
    ...audio,
    '-t',
    '8',
    '-f',
    'flv',
    file,
  ]);
  return demuxFlv(await readFile(file));
}

/** Writes one fragmented MP4 of a publish with a gap in its audio, which is filled with silence. */
async function packageWithGap(packets: readonly MediaPacket[], file: string): Promise<void> {
  const clock = new SteppedClock();
  const emittedPackets: MediaPacket[] = [];
  const sink = fillSilence({ push: (packet) => emittedPackets.push(packet), end: () => undefined }, clock);
  for (const packet of packets) {
    const isMissing =
      packet.kind === 'audio' &&
      packet.role === 'frame' &&
      packet.dts >= GAP.fromMs &&
      packet.dts < GAP.untilMs;
    clock.ms = Math.max(clock.ms, packet.dts);
    if (!isMissing) sink.push(packet);
  }
  const packaging = new Packaging({ minListedCount: 100 });
  packaging.run(emittedPackets);
  expect(new Set(packaging.segments.map(({ init }) => init)).size).toBe(1);
  const parts = packaging.segments.flatMap((segment) => segment.parts.flatMap((part) => part.data));
  await writeFile(file, Buffer.concat([packaging.segments[0]?.period.initData ?? Buffer.alloc(0), ...parts]));
}

it.each([
  ['mono', 1],
  ['stereo', 2],
  ['3.0', 3],
  ['4.0', 4],
  ['5.0', 5],
  ['5.1', 6],
  ['7.1', 8],
] as const)(
  'a gap in %s audio decodes to zeros, with audio before and after it',
  async (layout, channels) => {
    const file = join(dir, `${layout}.mp4`);
    await packageWithGap(await encodeAudio(layout), file);
    const pcm = join(dir, `${layout}.pcm`);
    const { stderr } = await execFileAsync('ffmpeg', [
      '-v',
      'warning',
      '-i',
      file,
      '-vn',
      '-f',
      's16le',
      pcm,
    ]);
    expect(stderr).toBe('');
    const samples = new Int16Array(new Uint8Array(await readFile(pcm)).buffer);
    /** The peak amplitude in a span of time, of 32,767. */
    const peak = (fromMs: number, untilMs: number) =>
      samples
        .subarray((fromMs * SAMPLE_RATE * channels) / 1_000, (untilMs * SAMPLE_RATE * channels) / 1_000)
        .reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
    expect(samples.length / channels / SAMPLE_RATE).toBeCloseTo(8, 0);
    // Near the edges of the gap, AAC frames overlap with their neighbours.
    expect(peak(GAP.fromMs + 100, GAP.untilMs - 200)).toBe(0);
    expect(peak(1_000, 1_900)).toBeGreaterThan(1_000);
    expect(peak(GAP.untilMs + 200, 7_800)).toBeGreaterThan(1_000);
  },
);
