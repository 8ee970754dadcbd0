import { describe, expect, it } from 'vitest';
import { CONFIG_RECORDS } from '@/media-worker/media/cmaf/testing/codec-records';
import type { MediaPacket } from '@/media-worker/media/packets/media-packet';
import { PACKAGER_LIMITS, type PackagerLimits } from './packager-limits';
import type { PackagerEvent } from './packager-events';
import { TrackConfigs, TrackWait } from './packager-tracks';
import { audioConfig, audioFrame, videoConfig, videoFrame } from './testing/synthetic-packets';

function waitWith(packets: readonly MediaPacket[], limits: Partial<PackagerLimits> = {}) {
  const configs = new TrackConfigs(() => undefined);
  const wait = new TrackWait({ ...PACKAGER_LIMITS, ...limits });
  const decisions = packets.map((packet) =>
    wait.add({ packet, wallClockMs: 0 }, configs.addPacket(packet), configs),
  );
  return { last: decisions.at(-1), keptPackets: wait.drain().map(({ packet }) => packet), wait };
}

describe('TrackWait', () => {
  it.each([
    ['both configurations', [videoConfig(), audioConfig()], 'start'],
    ['one configuration', [videoConfig(), videoFrame(0)], 'wait'],
    [
      'one configuration, after one second of media',
      [videoConfig(), videoFrame(7000), videoFrame(8000)],
      'start',
    ],
    ['one configuration and an unsupported codec', [videoConfig(), audioFrame(0, 'mp3')], 'start'],
    ['only an unsupported codec', [audioFrame(0, 'mp3')], 'wait'],
    ['only an unsupported codec, for a second', [0, 1000].map((ms) => audioFrame(ms, 'mp3')), 'rejected'],
    ['only unsupported tracks', [videoConfig(Buffer.from([1])), audioFrame(0, 'mp3')], 'rejected'],
    ['no configuration for a second', [videoFrame(0), videoFrame(1000)], 'wait'],
    ['no configuration for five seconds', [videoFrame(0), videoFrame(5000)], 'rejected'],
  ] as const)('decides after %s', (_name, packets, verdict) => {
    expect(waitWith(packets).last).toBe(verdict);
  });

  it('does not use the timestamp of a configuration as media time', () => {
    expect(waitWith([videoConfig(undefined, 0), videoFrame(90_000)]).last).toBe('wait');
  });

  it('keeps only decodable frames, each once', () => {
    const { keptPackets, wait } = waitWith([
      videoFrame(0),
      videoConfig(),
      videoFrame(40),
      audioFrame(40),
      videoFrame(80),
    ]);
    expect(keptPackets.map(({ dts }) => dts)).toEqual([40, 80]);
    expect(wait.drain()).toEqual([]);
  });

  it('drops frames of a replaced configuration', () => {
    const packets = [videoConfig(), videoFrame(0), videoConfig(CONFIG_RECORDS.baseline360), videoFrame(40)];
    expect(waitWith(packets).keptPackets.map(({ dts }) => dts)).toEqual([40]);
  });

  it.each([
    ['bytes', { maxWaitingBytes: 100 }, videoFrame(0, { bytes: 101 })],
    ['packets', { maxWaitingPackets: 1 }, videoFrame(0)],
  ] as const)('ends early when too many %s are held', (_name, limits, packet) => {
    expect(waitWith([videoConfig(), packet], limits).last).toBe('start');
    expect(waitWith([packet, packet], limits).last).toBe(_name === 'packets' ? 'rejected' : 'wait');
  });
});

it('reports video that comes without a configuration, until one arrives', () => {
  const events: PackagerEvent[] = [];
  const configs = new TrackConfigs((event) => events.push(event));
  for (let n = 0; n < 100; n++) configs.addPacket(videoFrame(n * 40, { key: n % 50 === 0 }));
  expect(events).toMatchObject([{ type: 'issue', code: 'bad_config' }]);
  const [issue] = events;
  configs.addPacket(videoConfig());
  expect(events.slice(1)).toEqual([
    { type: 'resolved', message: issue?.type === 'issue' ? issue.message : undefined },
  ]);
});
