import { expect, test } from 'vitest';
import { createLogger } from '@/lib/infra/logger';
import type { AuthorizedPublish, HealthRecord } from '@/lib/domain/streams';
import type { MediaPacket } from '@/media-worker/media/packets/media-packet';
import { PacketBus } from '@/media-worker/media/packets/packet-bus';
import { HealthLog } from './health-log';
import { PeriodFeed } from '@/media-worker/media/packaging/period-feed';
import { Packaging, SteppedClock } from '@/media-worker/media/packaging/testing/packaging';
import { CONFIG_RECORDS } from '@/media-worker/media/cmaf/testing/codec-records';
import { parseAacConfig, parseAvcConfig } from '@/media-worker/media/cmaf/codec-config';
import { audioConfig, steadyFrames } from '@/media-worker/media/packaging/testing/synthetic-packets';

const fail = (error: unknown) => {
  throw error;
};

/** Opens a health log whose batches are collected. */
function openLog() {
  const clock = new SteppedClock();
  const batches: HealthRecord[][] = [];
  let isBroken = false;
  const log = new HealthLog(clock, (records) => {
    if (isBroken) return Promise.reject(new Error('away'));
    batches.push([...records]);
    return Promise.resolve();
  });
  const startStream = (streamId: string) => {
    const { renditions } = new Packaging();
    const reports: (readonly string[])[] = [];
    const report = (issues: readonly string[]) => void reports.push(issues);
    const feature = log.start({ streamId, renditions, log: createLogger('test', 'silent'), report });
    let publishNumber = 0;
    const publish = (): PacketBus => {
      const bus = new PacketBus({ onSubscriberError: fail });
      renditions.source.startEncoder(bus);
      const settings = { version: 0, profiles: [], record: false };
      const ids = { streamId, playbackId: 'abcd1234efgh5678', sessionId: `session of ${streamId}` };
      feature.follow({
        ...ids,
        publishNumber: ++publishNumber,
        publishedAt: new Date(0),
        settings,
      } satisfies AuthorizedPublish);
      const feed = new PeriodFeed(renditions.source, fail);
      feed.begin({
        video: parseAvcConfig(CONFIG_RECORDS.high320),
        audio: parseAacConfig(CONFIG_RECORDS.aacStereo48),
      });
      return bus;
    };
    return { feature, publish, reports };
  };
  /** Sends five seconds of media on all buses at the same time, and then takes a sample. */
  const play = (buses: readonly PacketBus[], fromMs: number, gopMs = 2_000) => {
    for (const packet of steadyFrames({ fromMs, untilMs: fromMs + 5_000, gopMs })) {
      clock.ms = packet.dts;
      for (const bus of buses) bus.push(packet);
    }
    clock.ms = fromMs + 5_000;
    log.sample();
  };
  return { clock, log, batches, startStream, play, setBroken: (value: boolean) => (isBroken = value) };
}

test('silence added by the service does not count as audio of the encoder', async () => {
  const { log, batches, startStream, play, clock } = openLog();
  const { publish, reports } = startStream('one');
  const bus = publish();
  const filledPacket = (packet: MediaPacket) =>
    bus.push(packet.kind === 'audio' ? { ...packet, isFilled: true } : packet);
  filledPacket(audioConfig());
  for (let fromMs = 0; fromMs < 15_000; fromMs += 5_000) {
    for (const packet of steadyFrames({ fromMs, untilMs: fromMs + 5_000 })) {
      clock.ms = packet.dts;
      filledPacket(packet);
    }
    log.sample();
  }
  await log.flush();
  expect(batches[0]?.map(({ audio }) => audio)).toEqual([null, null, null]);
  expect(reports.at(-1)?.join()).toContain('the encoder sends no audio');
  play([bus], 15_000);
  play([bus], 20_000);
  expect(reports.at(-1)).toEqual([]);
});

test('all streams are written in one batch, with their tracks', async () => {
  const { log, batches, startStream, play } = openLog();
  const buses = [startStream('a').publish(), startStream('b').publish()];
  play(buses, 0);
  await log.flush();
  expect(batches).toHaveLength(1);
  expect(batches[0]?.map(({ streamId }) => streamId)).toEqual(['a', 'b']);
  expect(batches[0]?.[0]).toMatchObject({
    sessionId: 'session of a',
    ageMs: 0,
    video: { codec: 'h264', width: 429, height: 182 },
    audio: { codec: 'aac', sampleRate: 48_000, channels: 2 },
    transcodeSpeed: null,
  });
  await log.flush();
  expect(batches).toHaveLength(1);
});

test('one sample per minute and session is marked for long-term storage', async () => {
  const { log, batches, startStream, play } = openLog();
  const bus = startStream('a').publish();
  for (let fromMs = 0; fromMs < 120_000; fromMs += 5_000) play([bus], fromMs);
  await log.flush();
  expect(batches[0]).toHaveLength(24);
  // The last sample is taken at 120 s, in the third minute.
  expect(batches[0]?.filter(({ minute }) => minute)).toHaveLength(3);
});

test('a sample whose write failed is written later, with its correct age', async () => {
  const { log, batches, startStream, play, setBroken } = openLog();
  const bus = startStream('a').publish();
  play([bus], 0);
  setBroken(true);
  await expect(log.flush()).rejects.toThrow('away');
  play([bus], 5_000);
  setBroken(false);
  await log.flush();
  expect(batches[0]?.map(({ ageMs }) => ageMs)).toEqual([5_000, 0]);
});

test('at most the newest 9,000 samples wait to be written', async () => {
  const { log, batches, startStream, clock } = openLog();
  const streams = Array.from({ length: 100 }, (_, n) => startStream(`s${n}`).publish());
  expect(streams).toHaveLength(100);
  for (let round = 0; round < 100; round++) {
    clock.ms += 5_000;
    log.sample();
  }
  await log.flush();
  // A hundred rounds of a hundred streams are 10,000 samples, of which the newest 9,000 are kept.
  expect(batches[0]).toHaveLength(9_000);
  expect(batches[0]?.at(-1)?.ageMs).toBe(0);
});

test('issues are reported when they change, and the next publish starts without them', () => {
  const { startStream, play } = openLog();
  const { publish, reports } = startStream('a');
  const bus = publish();
  for (let fromMs = 0; fromMs < 30_000; fromMs += 5_000) play([bus], fromMs, 100_000);
  const issues = reports.flat().join(' | ');
  expect(issues).toContain('Keyframes every');
  const countBefore = reports.length;
  bus.end('finished');
  publish();
  expect(reports.slice(countBefore)).toEqual([[]]);
});

test('the issues of a stream end when its session closes', async () => {
  const { startStream, play } = openLog();
  const { feature, publish, reports } = startStream('a');
  const bus = publish();
  for (let fromMs = 0; fromMs < 30_000; fromMs += 5_000) play([bus], fromMs, 100_000);
  expect(reports.at(-1)?.join()).toContain('Keyframes every');
  bus.end('finished');
  await feature.close();
  expect(reports.at(-1)).toEqual([]);
});

test('a stream without a publisher, or one that is closed, is not sampled', async () => {
  const { log, batches, startStream, play } = openLog();
  const [endedStream, closedStream] = [startStream('a'), startStream('b')];
  const buses = [endedStream.publish(), closedStream.publish()];
  play(buses, 0);
  await log.flush();
  buses[0]?.end('lost');
  await closedStream.feature.close();
  play(buses, 5_000);
  await log.flush();
  expect(batches).toHaveLength(1);
});
