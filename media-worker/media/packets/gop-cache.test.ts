import { expect, it } from 'vitest';
import { GopCache } from './gop-cache';
import type { MediaPacket } from './media-packet';
import { audio, audioConfig, label, video, videoConfig } from './testing/packets';

function snapshotOf(packets: MediaPacket[], maxBytes = 1_000_000): string {
  const cache = new GopCache(maxBytes);
  for (const packet of packets) cache.add(packet);
  return cache.snapshot().map(label).join(' ');
}

it('keeps the configurations and everything since the last keyframe', () => {
  const first = [videoConfig(), audioConfig(), video(0, true), audio(10), video(40)];
  expect(snapshotOf(first)).toBe('VC AC K0 A10 V40');
  expect(snapshotOf([...first, video(80, true), audio(90)])).toBe('VC AC K80 A90');
});

it('keeps no frame that cannot be decoded', () => {
  expect(snapshotOf([videoConfig(), video(0), audio(10)])).toBe('VC');
});

it('drops a GOP that is too large, and keeps no frame until the next keyframe', () => {
  // Each frame counts as 356 bytes: 100 of payload, and an overhead of 256.
  const large = [videoConfig(), video(0, true), video(40), video(80)];
  expect(snapshotOf(large, 800)).toBe('VC');
  expect(snapshotOf([...large, video(120)], 800)).toBe('VC');
  expect(snapshotOf([...large, video(160, true)], 800)).toBe('VC K160');
});

it('counts an overhead of each packet, so that a flood of empty ones is dropped', () => {
  const flood = Array.from({ length: 100 }, (_, n) => audio(n, 0));
  expect(snapshotOf([video(0, true), ...flood], 10_000)).toBe('');
});

it('drops frames of a replaced configuration, but not for a repeated one', () => {
  const frames = [videoConfig(1), video(0, true), video(40)];
  expect(snapshotOf([...frames, videoConfig(1)])).toBe('VC K0 V40');
  expect(snapshotOf([...frames, videoConfig(2)])).toBe('VC');
});

it('keeps no audio of a stream without video, because a reader can start at any packet', () => {
  expect(snapshotOf([audioConfig(), audio(0), audio(23)])).toBe('AC');
});
