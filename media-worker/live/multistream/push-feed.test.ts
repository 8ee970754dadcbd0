import { buffer } from 'node:stream/consumers';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { MediaPacket } from '@/media-worker/media/packets/media-packet';
import { PacketBus } from '@/media-worker/media/packets/packet-bus';
import {
  audioConfig,
  audioFrame,
  steadyFrames,
  videoConfig,
  videoFrame,
} from '@/media-worker/media/packaging/testing/synthetic-packets';
import { demuxFlv } from '@/media-worker/media/packaging/testing/flv-file';
import { PushFeed } from './push-feed';

const newBus = () =>
  new PacketBus({
    onSubscriberError: (error) => {
      throw error;
    },
  });

/** `flags`: the tracks that the header names, 4 for audio and 1 for video. */
const parseFlv = (bytes: Buffer) => ({ flags: bytes.readUInt8(4), packets: demuxFlv(bytes) });

/** Feeds packets, and parses the FLV stream that results. */
async function feedPackets(packets: readonly MediaPacket[], { videoOnly = false } = {}) {
  const bus = newBus();
  const feed = new PushFeed({ bus, videoOnly, now: () => 0 });
  const bytes = buffer(feed.stream);
  for (const packet of packets) {
    bus.push(packet);
    await nextTurn();
  }
  bus.end('finished');
  return { feed, ...parseFlv(await bytes) };
}

const configPackets = [videoConfig(), audioConfig()];
const frames = steadyFrames({ untilMs: 3_000 });
const timesOf = (packets: readonly MediaPacket[]) =>
  packets.filter(({ role }) => role === 'frame').map(({ dts }) => dts);

describe('the FLV stream', () => {
  test('names its tracks in its header, has every frame, and ends with the bus', async () => {
    const { flags, packets, feed } = await feedPackets([...configPackets, ...frames]);
    expect(flags).toBe(5);
    expect(packets.filter(({ role }) => role === 'config').map(({ kind }) => kind)).toEqual([
      'video',
      'audio',
    ]);
    expect(timesOf(packets)).toEqual(frames.map(({ dts }) => dts + 1_000));
    expect(feed.tracksChanged).toBe(false);
    expect(feed.bytes).toBeGreaterThan(1_000);
  });

  test('leaves the audio out if only video is configured', async () => {
    const { flags, packets } = await feedPackets([...configPackets, ...frames], { videoOnly: true });
    expect(flags).toBe(1);
    expect(packets.every(({ kind }) => kind === 'video')).toBe(true);
  });

  test('names one track if the other does not arrive within a second', async () => {
    const videoOnly = await feedPackets([videoConfig(), ...steadyFrames({ untilMs: 3_000, audio: false })]);
    expect(videoOnly.flags).toBe(1);
    const audioOnly = await feedPackets([audioConfig(), ...steadyFrames({ untilMs: 3_000, video: false })]);
    expect(audioOnly.flags).toBe(4);
  });

  test('ends when a track arrives that its header does not name', async () => {
    const withLateAudio = [
      videoConfig(),
      ...steadyFrames({ untilMs: 3_000, audio: false }),
      audioConfig(),
      audioFrame(3_000),
    ];
    const { feed, packets } = await feedPackets(withLateAudio);
    expect(feed.tracksChanged).toBe(true);
    expect(packets.every(({ kind }) => kind === 'video')).toBe(true);
  });

  test('drops packets that FLV cannot carry', async () => {
    const { packets, flags } = await feedPackets([
      videoConfig(),
      audioFrame(0, 'mp3'),
      ...steadyFrames({ untilMs: 3_000, audio: false }),
    ]);
    expect([flags, packets.some(({ kind }) => kind === 'audio')]).toEqual([1, false]);
  });

  test('is empty without packets of its tracks', async () => {
    const bus = newBus();
    const feed = new PushFeed({ bus, videoOnly: true, now: () => 0 });
    bus.push(audioConfig());
    bus.end('lost');
    expect(await buffer(feed.stream)).toHaveLength(0);
  });
});

describe('timestamps', () => {
  test.each([
    ['far ahead', 2 ** 32 + 5_000],
    ['back', 0],
    ['behind 0', -500_000],
  ])('that jump %s continue where they were', async (_, jumpToMs) => {
    const framesBefore = steadyFrames({ fromMs: 500_000, untilMs: 502_000 });
    const framesAfter = steadyFrames({ fromMs: jumpToMs, untilMs: jumpToMs + 2_000 });
    const { packets } = await feedPackets([...configPackets, ...framesBefore, ...framesAfter]);
    const times = timesOf(packets);
    expect(times).toHaveLength(framesBefore.length + framesAfter.length);
    expect(times[0]).toBe(1_000);
    for (const [index, time] of times.entries()) {
      expect(Math.abs(time - (times[index - 1] ?? 1_000))).toBeLessThan(100);
    }
    expect(times.at(-1)).toBeGreaterThan(4_800);
  });

  test('of audio that is slightly earlier than the video stay unchanged', async () => {
    const { packets } = await feedPackets([
      ...configPackets,
      videoFrame(5_000, { key: true }),
      audioFrame(4_900),
      videoFrame(5_040),
    ]);
    expect(timesOf(packets)).toEqual([1_000, 900, 1_040]);
  });

  test('of a configuration between frames are those of the frame before it', async () => {
    const { packets } = await feedPackets([
      ...configPackets,
      videoFrame(90_000, { key: true }),
      videoConfig(),
      videoFrame(90_040),
    ]);
    expect(packets.map(({ dts }) => dts)).toEqual([1_000, 1_000, 1_000, 1_000, 1_040]);
  });
});

test('a receiver may lag behind by 15 s of media before packets are dropped', () => {
  const bus = newBus();
  const feed = new PushFeed({ bus, videoOnly: false, now: () => 0 });
  for (const packet of [...configPackets, ...steadyFrames({ untilMs: 14_000 })]) bus.push(packet);
  expect(feed.dropped).toBe(0);
  for (const packet of steadyFrames({ fromMs: 14_000, untilMs: 17_000 })) bus.push(packet);
  expect(feed.dropped).toBeGreaterThan(0);
  feed.close();
});

test('the feed measures how long the receiver has taken no data, and drops packets meanwhile', async () => {
  let now = 0;
  const bus = newBus();
  const feed = new PushFeed({ bus, videoOnly: false, now: () => now });
  for (const packet of configPackets) bus.push(packet);
  for (const packet of steadyFrames({ untilMs: 20_000 }))
    bus.push({ ...packet, payload: Buffer.alloc(40_000) });
  await nextTurn();
  expect(feed.blockedMs).toBe(0);
  feed.stream.read(1);
  for (let count = 0; count < 20; count++) await nextTurn();
  now = 7_000;
  expect(feed.blockedMs).toBe(7_000);
  expect(feed.dropped).toBeGreaterThan(100);
  feed.stream.on('data', () => undefined);
  for (let count = 0; count < 2_000; count++) await nextTurn();
  expect(feed.blockedMs).toBe(0);
  feed.close();
  feed.close();
});
