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
  return { verdict: decisions.at(-1), heldPackets: wait.drain().map(({ packet }) => packet), wait };
}

describe('TrackWait', () => {
  it.each([
    ['both configurations', 'start', [videoConfig(), audioConfig()]],
    ['one configuration', 'wait', [videoConfig(), videoFrame(0)]],
    [
      'one configuration and one second of media',
      'start',
      [videoConfig(), videoFrame(7000), videoFrame(8000)],
    ],
    ['one configuration and an unsupported codec', 'start', [videoConfig(), audioFrame(0, 'mp3')]],
    ['a frame of an unsupported codec', 'wait', [audioFrame(0, 'mp3')]],
    ['a second of an unsupported codec', 'rejected', [0, 1000].map((ms) => audioFrame(ms, 'mp3'))],
    ['two unsupported tracks', 'rejected', [videoConfig(Buffer.from([1])), audioFrame(0, 'mp3')]],
    ['a second without a configuration', 'wait', [videoFrame(0), videoFrame(1000)]],
    ['five seconds without a configuration', 'rejected', [videoFrame(0), videoFrame(5000)]],
  ] as const)('after %s, the verdict is "%s"', (_name, verdict, packets) => {
    expect(waitWith(packets).verdict).toBe(verdict);
  });

  it('does not use the timestamp of a configuration as media time', () => {
    expect(waitWith([videoConfig(undefined, 0), videoFrame(90_000)]).verdict).toBe('wait');
  });

  it('keeps only decodable frames, each once', () => {
    const { heldPackets, wait } = waitWith([
      videoFrame(0),
      videoConfig(),
      videoFrame(40),
      audioFrame(40),
      videoFrame(80),
    ]);
    expect(heldPackets.map(({ dts }) => dts)).toEqual([40, 80]);
    expect(wait.drain()).toEqual([]);
  });

  it('drops frames of a replaced configuration', () => {
    const packets = [videoConfig(), videoFrame(0), videoConfig(CONFIG_RECORDS.baseline360), videoFrame(40)];
    expect(waitWith(packets).heldPackets.map(({ dts }) => dts)).toEqual([40]);
  });

  it.each([
    // Frames without a configuration are not held, but count as packets.
    ['bytes', 'wait', { maxWaitingBytes: 100 }, videoFrame(0, { bytes: 101 })],
    ['packets', 'rejected', { maxWaitingPackets: 1 }, videoFrame(0)],
  ] as const)(
    'with too many %s, starts if it has a configuration; the verdict without one is "%s"',
    (_name, verdictWithoutConfig, limits, packet) => {
      expect(waitWith([videoConfig(), packet], limits).verdict).toBe('start');
      expect(waitWith([packet, packet], limits).verdict).toBe(verdictWithoutConfig);
    },
  );
});

it('reports video without a configuration once, and resolves the issue when one arrives', () => {
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
