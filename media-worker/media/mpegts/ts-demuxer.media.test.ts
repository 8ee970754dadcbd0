import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { MediaPacket } from '@/media-worker/media/packets/media-packet';
import { TsDemuxer } from './ts-demuxer';

const run = promisify(execFile);

interface ProbedPacket {
  readonly codec_type: 'video' | 'audio';
  readonly pts_time: string;
  readonly dts_time: string;
  readonly flags: string;
}

let folder = '';
let clip = '';
/** Creates a video with B-frames, whose GOPs do not begin with an IDR frame. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mpegts-'));
  clip = join(folder, 'clip.ts');
  const input = '-f lavfi -i testsrc2=s=160x90:r=25:d=4 -f lavfi -i sine=r=44100:d=4';
  const video = '-c:v libx264 -preset ultrafast -bf 2 -g 25 -x264-params open-gop=1 -pix_fmt yuv420p';
  await run('ffmpeg', [...`-v error ${input} ${video} -c:a aac -f mpegts`.split(' '), clip]);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test('times and keyframes match those of ffprobe', async () => {
  const { stdout } = await run('ffprobe', ['-v', 'error', '-show_packets', '-of', 'json', clip]);
  const probedPackets = (JSON.parse(stdout) as { packets: ProbedPacket[] }).packets;
  const packets: MediaPacket[] = [];
  const demuxer = new TsDemuxer({ onPacket: (packet) => packets.push(packet), onTracks: () => undefined });
  demuxer.push(await readFile(clip));
  demuxer.end();

  const ms = (seconds: string) => Math.round(Number(seconds) * 1_000);
  const probedTimes = (kind: string) =>
    probedPackets
      .filter(({ codec_type }) => codec_type === kind)
      .map(({ dts_time, pts_time, flags }) => [
        ms(dts_time),
        ms(pts_time),
        kind === 'audio' || flags.startsWith('K'),
      ]);
  const demuxedFrames = (kind: string) =>
    packets
      .filter((packet) => packet.kind === kind && packet.role === 'frame')
      .map((packet) => [packet.dts, packet.pts, packet.kind === 'audio' || packet.key]);
  expect(demuxedFrames('video')).toEqual(probedTimes('video'));
  expect(demuxedFrames('video').filter(([, , key]) => key)).toHaveLength(4);
  expect(demuxedFrames('audio')).toHaveLength(probedTimes('audio').length);
  for (const [index, [dts = 0]] of (demuxedFrames('audio') as number[][]).entries())
    expect(Math.abs(dts - Number(probedTimes('audio')[index]?.[0]))).toBeLessThanOrEqual(1);
});

/** The AAC access units of a file, with their times and their configuration in hex. */
async function readAacUnits(
  path: string,
): Promise<{ readonly packets: readonly MediaPacket[]; readonly record: string }> {
  const packets: MediaPacket[] = [];
  const demuxer = new TsDemuxer({ onPacket: (packet) => packets.push(packet), onTracks: () => undefined });
  const bytes = await readFile(path);
  for (let offset = 0; offset < bytes.length; offset += 1_316)
    demuxer.push(bytes.subarray(offset, offset + 1_316));
  demuxer.end();
  const audio = packets.filter(({ kind }) => kind === 'audio');
  const record = audio.find(({ role }) => role === 'config')?.payload.toString('hex') ?? '';
  return { packets: audio.filter(({ role }) => role === 'frame'), record };
}

test.each(['-ar 48000 -ac 2', '-ar 44100 -ac 1'])(
  'AAC in LATM has the units of AAC in ADTS: %s',
  async (format) => {
    const [adts, latm] = ['adts.ts', 'latm.ts'].map((name) => join(folder, name));
    const encode = `-y -v error -f lavfi -i sine=r=44100:d=4 ${format} -c:a aac -bitexact -f mpegts`.split(
      ' ',
    );
    await run('ffmpeg', [...encode, adts ?? '']);
    await run('ffmpeg', [...encode, '-mpegts_flags', 'latm', latm ?? '']);
    const [expected, latmUnits] = [await readAacUnits(adts ?? ''), await readAacUnits(latm ?? '')];
    expect(latmUnits.record.slice(0, 4)).toBe(expected.record);
    expect(latmUnits.packets.length).toBeGreaterThan(170);
    expect(latmUnits.packets.map(({ payload }) => payload)).toEqual(
      expected.packets.map(({ payload }) => payload),
    );
    for (const [index, { dts }] of latmUnits.packets.entries())
      expect(Math.abs(dts - (expected.packets[index]?.dts ?? 0))).toBeLessThanOrEqual(1);
  },
);
