import { expect, it } from 'vitest';
import { audioFrame } from '@/media-worker/media/packaging/testing/synthetic-packets';
import { guessAudioConfig } from './guess-audio-config';
import type { MediaPacket } from './media-packet';

function guessConfig(packets: readonly MediaPacket[]): MediaPacket[] {
  const emittedPackets: MediaPacket[] = [];
  const sink = guessAudioConfig({ push: (packet) => emittedPackets.push(packet), end: () => undefined });
  for (const packet of packets) sink.push(packet);
  sink.end('finished');
  return emittedPackets;
}
const recordsOf = (packets: readonly MediaPacket[]) =>
  packets.flatMap(({ role, payload }) => (role === 'config' ? [payload.toString('hex')] : []));

/** Frames at a sample rate. The first bits of the payload are the id of its first element: a channel pair, or one channel. */
const framesAt = (rate: number, payload: string) =>
  Array.from({ length: 60 }, (_, n) => ({
    ...audioFrame(Math.round((n * 1_024_000) / rate)),
    payload: Buffer.from(payload, 'hex'),
  }));

it.each([
  ['48 kHz, stereo', 48_000, '210049', '1190'],
  ['44.1 kHz, mono', 44_100, '00c800', '1208'],
  ['22.05 kHz, stereo', 22_050, '210049', '1390'],
])('audio without a configuration gets one from its frames: %s', (_name, rate, payload, record) => {
  const frames = framesAt(rate, payload);
  const emittedPackets = guessConfig(frames);
  expect(recordsOf(emittedPackets)).toEqual([record]);
  expect(emittedPackets.slice(1)).toEqual(frames);
});

it('audio without a configuration or clear frame distances has the announced format', () => {
  const emittedPackets: MediaPacket[] = [];
  const sink = guessAudioConfig({ push: (packet) => emittedPackets.push(packet), end: () => undefined });
  sink.announce?.({ video: false, audio: { sampleRate: 44_100, channels: 1 } });
  for (const [n, frame] of framesAt(48_000, 'de0200').entries()) sink.push({ ...frame, dts: n - (n % 7) });
  expect(recordsOf(emittedPackets)).toEqual(['1208']);
});

it('a configuration of the encoder ends the wait, and frames before it are dropped', () => {
  const frames = framesAt(48_000, '210049');
  const config = { ...audioFrame(0), role: 'config', payload: Buffer.from('1208', 'hex') } as const;
  expect(guessConfig([...frames.slice(0, 3), config, ...frames.slice(3)])).toEqual([
    config,
    ...frames.slice(3),
  ]);
});
