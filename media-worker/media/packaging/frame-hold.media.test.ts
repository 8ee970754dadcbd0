import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { MediaPacket } from '@/media-worker/media/packets/media-packet';
import { demuxFlv } from './testing/flv-file';
import { Packaging } from './testing/packaging';

/** Video that pauses while audio continues, decoded by ffmpeg: no frame after the pause may differ. */

const run = promisify(execFile);
const PAUSE_MS = 7_000;
let dir = '';
beforeAll(async () => void (dir = await mkdtemp(join(tmpdir(), 'hold-'))));
afterAll(() => rm(dir, { recursive: true, force: true }));

/** Hashes of the frames of a file in display order. */
async function decodedFrames(file: string): Promise<string[]> {
  const args = ['-v', 'error', '-i', file, '-map', '0:v', '-fps_mode', 'passthrough', '-f', 'framemd5', '-'];
  const { stdout, stderr } = await run('ffmpeg', args, { maxBuffer: 1e8 });
  expect(stderr).toBe('');
  const lines = stdout.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return lines.map((line) => line.split(',').at(-1)?.trim() ?? '');
}

/** Encodes 12 s of audio and video with these options of x264. Returns the path of the FLV file. */
async function encodeFlv(name: string, videoArgs: readonly string[]): Promise<string> {
  const file = join(dir, `${name}.flv`);
  const sources = ['-f', 'lavfi', '-i', 'testsrc2=s=320x180:r=25', '-f', 'lavfi', '-i', 'sine=r=48000'];
  const codecArgs = [
    '-c:v',
    'libx264',
    '-preset',
    'veryfast',
    '-pix_fmt',
    'yuv420p',
    ...videoArgs,
    '-c:a',
    'aac',
  ];
  await run('ffmpeg', ['-v', 'error', ...sources, ...codecArgs, '-t', '12', '-f', 'flv', file]);
  return file;
}

/** Packages a publish whose video pauses for 7 s from `fromMs` on, and writes it as one MP4. */
async function packageWithPause(
  packets: readonly MediaPacket[],
  fromMs: number,
  file: string,
): Promise<Packaging> {
  const delayVideo = (packet: MediaPacket): MediaPacket =>
    packet.kind === 'video' && packet.dts >= fromMs
      ? { ...packet, dts: packet.dts + PAUSE_MS, pts: packet.pts + PAUSE_MS }
      : packet;
  const frames = packets.filter(({ role }) => role === 'frame').map(delayVideo);
  const endMs = Math.max(...frames.map(({ dts }) => dts));
  const audio = packets.filter(({ kind, role }) => kind === 'audio' && role === 'frame');
  const continuedAudio = audio.map((packet) => ({
    ...packet,
    dts: packet.dts + 12_000,
    pts: packet.pts + 12_000,
  }));
  const sentPackets = [...frames, ...continuedAudio.filter(({ dts }) => dts < endMs)].toSorted(
    (a, b) => a.dts - b.dts,
  );
  const packaging = new Packaging({ minListedCount: 100 });
  packaging.run([...packets.filter(({ role }) => role === 'config'), ...sentPackets]);
  const parts = packaging.segments.flatMap((segment) => segment.parts.flatMap((part) => part.data));
  await writeFile(file, Buffer.concat([packaging.segments[0]?.period.initData ?? Buffer.alloc(0), ...parts]));
  return packaging;
}

it.each([
  ['B-frames', ['-bf', '2', '-g', '50']],
  ['several reference frames', ['-bf', '3', '-refs', '4', '-g', '100']],
  ['a GOP of ten seconds', ['-bf', '0', '-g', '250']],
] as const)(
  '%s: the last frame is shown again, and every later frame is bit-exact',
  async (name, options) => {
    const source = await encodeFlv(name.replaceAll(' ', '-'), options);
    const packets = demuxFlv(await readFile(source));
    const frames = packets.filter(({ kind, role }) => kind === 'video' && role === 'frame');
    const file = join(dir, 'held.mp4');
    const packaging = await packageWithPause(packets, frames[130]?.dts ?? 0, file);
    expect(Math.max(...packaging.segments.map(({ durationMs }) => durationMs))).toBeLessThan(10_400);

    const [before, after] = [await decodedFrames(source), await decodedFrames(file)];
    // The pause begins at frame 130 of 300.
    const lastFrames = before.slice(-160);
    expect(after.slice(-160)).toEqual(lastFrames);
    expect(after.length).toBeGreaterThan(before.length);
    expect(new Set(after)).toEqual(new Set(before));
  },
);
