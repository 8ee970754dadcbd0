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
  const packetsOf = (kind: string) =>
    packets
      .filter((packet) => packet.kind === kind && packet.role === 'frame')
      .map((packet) => [packet.dts, packet.pts, packet.kind === 'audio' || packet.key]);
  expect(packetsOf('video')).toEqual(probedTimes('video'));
  expect(packetsOf('video').filter(([, , key]) => key)).toHaveLength(4);
  expect(packetsOf('audio')).toHaveLength(probedTimes('audio').length);
  for (const [index, [dts = 0]] of (packetsOf('audio') as number[][]).entries())
    expect(Math.abs(dts - Number(probedTimes('audio')[index]?.[0]))).toBeLessThanOrEqual(1);
});
