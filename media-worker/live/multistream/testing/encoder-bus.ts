import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runFfmpeg } from '@/media-worker/media/ffmpeg/run';
import type { MediaPacket } from '@/media-worker/media/packets/media-packet';
import { PacketBus } from '@/media-worker/media/packets/packet-bus';
import { demuxFlv } from '@/media-worker/media/packaging/testing/flv-file';

/** Encodes four seconds of H.264 and AAC with ffmpeg, with a keyframe each second. */
export async function encodeClip(): Promise<MediaPacket[]> {
  const folder = await mkdtemp(join(tmpdir(), 'push-clip-'));
  const path = join(folder, 'clip.flv');
  const video = [
    '-pix_fmt',
    'yuv420p',
    '-c:v',
    'libx264',
    '-preset',
    'ultrafast',
    '-g',
    '25',
    '-sc_threshold',
    '0',
  ];
  const { whenDone } = runFfmpeg({
    inputs: [
      { options: ['-f', 'lavfi'], url: 'testsrc2=size=320x180:rate=25' },
      { options: ['-f', 'lavfi'], url: 'sine=sample_rate=48000' },
    ],
    outputs: [{ options: ['-t', '4', ...video, '-c:a', 'aac', '-f', 'flv'], url: path }],
  });
  const result = await whenDone;
  if (!result.ok) throw new Error(result.reason);
  const packets = demuxFlv(await readFile(path));
  await rm(folder, { recursive: true });
  return packets;
}

/** A publish that repeats a clip in real time. */
export class EncoderBus {
  readonly bus = new PacketBus({
    onSubscriberError: (error) => {
      throw error;
    },
  });
  readonly #timer: NodeJS.Timeout;

  constructor(packets: readonly MediaPacket[], lengthMs = 4_000) {
    const configs = packets.filter(({ role }) => role === 'config');
    const frames = packets.filter(({ role }) => role === 'frame').sort((a, b) => a.dts - b.dts);
    for (const config of configs) this.bus.push(config);
    const startedAtMs = performance.now();
    let sentCount = 0;
    this.#timer = setInterval(() => {
      for (;;) {
        const frame = frames[sentCount % frames.length];
        const shiftMs = Math.floor(sentCount / frames.length) * lengthMs;
        if (!frame || frame.dts + shiftMs > performance.now() - startedAtMs) return;
        this.bus.push({ ...frame, dts: frame.dts + shiftMs, pts: frame.pts + shiftMs });
        sentCount += 1;
      }
    }, 20);
  }

  end(): void {
    clearInterval(this.#timer);
    this.bus.end('finished');
  }
}
