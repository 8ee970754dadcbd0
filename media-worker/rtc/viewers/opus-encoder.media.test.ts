import { spawnSync } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { FlvReader } from '@/media-worker/media/packets/flv-reader';
import type { AudioPacket } from '@/media-worker/media/packets/media-packet';
import { OpusEncoder } from './opus-encoder';

const encoders: OpusEncoder[] = [];
afterEach(() => Promise.all(encoders.splice(0).map((encoder) => encoder.stop())));

/** Encodes a tone of this many seconds as the AAC packets of a publisher. */
function encodeTone(seconds: number): AudioPacket[] {
  const args = `-v error -f lavfi -i sine=frequency=440:sample_rate=48000 -t ${seconds} -c:a aac -ac 2 -f flv pipe:1`;
  const { stdout } = spawnSync('ffmpeg', args.split(' '), { maxBuffer: 2 ** 26 });
  const packets: AudioPacket[] = [];
  new FlvReader((packet) => packet.kind === 'audio' && packets.push(packet)).push(stdout);
  return packets;
}

function openEncoder() {
  const packets: { bytes: number; ptsMs: number }[] = [];
  const stateChanges: (string | null)[] = [];
  const encoder = new OpusEncoder({
    now: () => performance.now(),
    onPacket: ({ length: bytes }, ptsMs) => packets.push({ bytes, ptsMs }),
    onStateChange: (reason) => stateChanges.push(reason),
  });
  encoders.push(encoder);
  return { encoder, packets, stateChanges };
}

/**
 * Pushes packets at the pace of a publisher: frames of 21.3 ms every 20 ms.
 * @param shiftMs added to the timestamps
 */
async function pushAtPublisherPace(
  encoder: OpusEncoder,
  packets: readonly AudioPacket[],
  shiftMs = 0,
): Promise<void> {
  for (const packet of packets) {
    encoder.push(packet.role === 'config' ? packet : { ...packet, dts: packet.dts + shiftMs });
    if (packet.role === 'frame') await delay(20);
  }
}

test('Opus packets follow each other every 20 ms, with the times of the stream', async () => {
  const { encoder, packets, stateChanges } = openEncoder();
  encoder.start();
  await pushAtPublisherPace(encoder, encodeTone(4), 100_000);
  await expect.poll(() => packets.length).toBeGreaterThan(60);
  const [firstPacket, lastPacket] = [packets[0], packets.at(-1)];
  expect(firstPacket?.ptsMs).toBeGreaterThan(99_900);
  expect(lastPacket?.ptsMs).toBeLessThan(104_100);
  const steps = packets.slice(1).map(({ ptsMs }, index) => Math.round(ptsMs - (packets[index]?.ptsMs ?? 0)));
  expect(new Set(steps)).toEqual(new Set([20]));
  expect(packets.every(({ bytes }) => bytes > 10 && bytes < 1_000)).toBe(true);
  expect(stateChanges).toEqual([]);
});

test('encoding continues after undecodable audio, and no failure remains reported', async () => {
  const { encoder, packets, stateChanges } = openEncoder();
  encoder.start();
  const tonePackets = encodeTone(6);
  const [config] = tonePackets;
  if (!config) throw new Error('no audio');
  encoder.push(config);
  for (let index = 0; index < 40; index++)
    encoder.push({ ...config, role: 'frame', dts: index * 21, payload: Buffer.alloc(200, 0xff) });
  // An AudioSpecificConfig of AAC-LC, 48 kHz, stereo.
  encoder.push({ ...config, payload: Buffer.from('1190', 'hex') });
  expect(packets).toEqual([]);
  await pushAtPublisherPace(encoder, tonePackets);
  await expect.poll(() => packets.length, { timeout: 60_000 }).toBeGreaterThan(20);
  expect(stateChanges.at(-1) ?? null).toBeNull();
});

test('after stop, nothing is encoded', async () => {
  const { encoder, packets } = openEncoder();
  encoder.start();
  const tonePackets = encodeTone(2);
  await pushAtPublisherPace(encoder, tonePackets.slice(0, 40));
  await encoder.stop();
  packets.length = 0;
  await pushAtPublisherPace(encoder, tonePackets.slice(40, 60));
  expect(packets).toEqual([]);
});
