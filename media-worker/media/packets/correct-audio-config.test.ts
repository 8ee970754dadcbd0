import { expect, it } from 'vitest';
import {
  audioConfig,
  audioFrame,
  steadyFrames,
  videoConfig,
} from '@/media-worker/media/packaging/testing/synthetic-packets';
import { correctAudioConfig } from './correct-audio-config';
import type { MediaPacket } from './media-packet';

/** AudioSpecificConfig of HE-AAC, 24 kHz with SBR to 48 kHz, stereo. */
const HE_AAC_RECORD = Buffer.from('2b118800', 'hex');
/** AudioSpecificConfig of AAC-LC, 48 kHz, stereo: the format of the frames. */
const AAC_LC_RECORD = '1190';

function correct(packets: readonly MediaPacket[]): MediaPacket[] {
  const emittedPackets: MediaPacket[] = [];
  const sink = correctAudioConfig({ push: (packet) => emittedPackets.push(packet), end: () => undefined });
  for (const packet of packets) sink.push(packet);
  sink.end('finished');
  return emittedPackets;
}
const recordsOf = (packets: readonly MediaPacket[]) =>
  packets.flatMap(({ kind, role, payload }) =>
    kind === 'audio' && role === 'config' ? [payload.toString('hex')] : [],
  );

it('audio with a correct configuration passes unchanged', () => {
  const packets = [videoConfig(), audioConfig(), ...steadyFrames({ untilMs: 2_000 })];
  const emittedPackets = correct(packets);
  expect(emittedPackets).toHaveLength(packets.length);
  expect(emittedPackets.filter(({ kind }) => kind === 'audio')).toEqual(
    packets.filter(({ kind }) => kind === 'audio'),
  );
});

it('AAC-LC that is announced as HE-AAC is corrected before its first frame and stays corrected', () => {
  const frames = steadyFrames({ untilMs: 2_000, video: false });
  const emittedPackets = correct([
    audioConfig(HE_AAC_RECORD),
    ...frames.slice(0, 40),
    audioConfig(HE_AAC_RECORD),
    ...frames.slice(40),
  ]);
  expect(recordsOf(emittedPackets)).toEqual([AAC_LC_RECORD]);
  expect(emittedPackets[0]?.role).toBe('config');
  expect(emittedPackets.filter(({ role }) => role === 'frame')).toEqual(frames);
});

it('a configuration without frames is passed on after a wait and corrected when frames arrive', () => {
  const video = steadyFrames({ untilMs: 3_000, audio: false });
  const audio = steadyFrames({ fromMs: 3_000, untilMs: 4_000, video: false });
  const emittedPackets = correct([audioConfig(HE_AAC_RECORD), ...video, ...audio]);
  // 500 ms are 13 video frames.
  expect(emittedPackets.findIndex(({ kind }) => kind === 'audio')).toBeLessThan(20);
  expect(recordsOf(emittedPackets)).toEqual([HE_AAC_RECORD.toString('hex'), AAC_LC_RECORD]);
});

it('held packets are passed on when the publish ends', () => {
  expect(correct([audioConfig(), audioFrame(0)])).toHaveLength(2);
});
