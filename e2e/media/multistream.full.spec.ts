import { expect, test } from '@playwright/test';
import { blackHole, startRawTarget } from '@/media-worker/live/push/testing/raw-target';
import {
  childrenOf,
  eventsOf,
  processOf,
  immediateMs,
  scratchOf,
  eventDelayMs,
  until,
} from './testing/service';
import { longestGap, streamsWithTargets, urlOf } from './testing/targets';

const { closing, sink, newTarget, live, liveWith, publish, request, untilActive } = streamsWithTargets();

test(
  'targets are added, moved, enabled, disabled and removed immediately while the stream is live',
  { tag: '@alone' },
  async () => {
    const [firstIngest, two, three] = [await sink(), await sink(), await sink()];
    const { stream, ids, refer, untilStates } = await live(urlOf(firstIngest.port));
    /** Runs an action, and waits until its event is written. */
    const soon = async (name: string, act: () => Promise<void>) => {
      const before = (await eventsOf(stream.id)).length;
      const begin = Date.now();
      await act();
      await until(async () => (await eventsOf(stream.id)).slice(before).includes(`multistream.${name}`));
      expect(await eventDelayMs(begin, stream.id, `multistream.${name}`)).toBeLessThan(immediateMs);
    };
    const [first = ''] = ids;
    await untilStates('connected');
    const second = await newTarget(urlOf(two.port));
    const change = async (body: object) => {
      expect((await request('PATCH', `/api/multistream/target/${second}`, body)).status).toBe(204);
    };

    await soon('connected', () => refer([first, second]));
    await untilStates('connected', 'connected');
    await soon('connected', () => change({ url: urlOf(three.port) }));
    expect(await two.publishes[0]?.sink.whenEnded()).toBe('finished');
    expect(three.publishes).toHaveLength(1);
    await untilStates('connected', 'connected');
    await soon('disconnected', () => change({ disabled: true }));
    await untilStates('connected', 'disconnected');
    expect(await three.publishes[0]?.sink.whenEnded()).toBe('finished');
    await soon('connected', () => change({ disabled: false }));
    await untilStates('connected', 'connected');
    await soon('disconnected', () => refer([second]));
    await untilStates('connected');
    expect(await firstIngest.publishes[0]?.sink.whenEnded()).toBe('finished');

    expect([firstIngest.publishes.length, two.publishes.length, three.publishes.length]).toEqual([1, 1, 2]);
    expect(longestGap(firstIngest)).toBeLessThanOrEqual(67);
    const pair = ['multistream.disconnected', 'multistream.connected'];
    const names = () => eventsOf(stream.id);
    const expectedEvents = [
      ...['stream.started', 'multistream.connected', 'multistream.connected'],
      ...[...pair, ...pair, 'multistream.disconnected'],
    ];
    expect(await names()).toEqual(expectedEvents);
  },
);

for (const [name, act] of [
  ['suspended', (id: string) => request('PATCH', `/api/stream/${id}`, { suspended: true })],
  ['terminated', (id: string) => request('DELETE', `/api/stream/${id}/terminate`)],
  ['deleted', (id: string) => request('DELETE', `/api/stream/${id}`)],
  ['given a new key', (id: string) => request('POST', `/api/stream/${id}/rotate-key`)],
] as const) {
  test(`a stream that is ${name} is disconnected immediately, together with its renditions, recording and targets`, async () => {
    const [good, small, hole] = [await sink(), await sink(), await startRawTarget(blackHole)];
    closing.push(() => hole.close());
    const profiles = [{ name: '180p', width: 320, height: 180, bitrate: 200_000, fps: 15 }];
    const { stream, encoder } = await liveWith(
      { record: true, profiles },
      [urlOf(good.port), urlOf(hole.port), urlOf(small.port)],
      ['source', 'source', '180p'],
    );
    const names = async () => (await eventsOf(stream.id)).filter((event) => !event.endsWith('error'));
    const connectEvents = ['multistream.connected', 'multistream.connected'];
    await until(async () => (await names()).length >= 4, 20_000);
    // Receivers get the stream events before the events of targets.
    expect(await names()).toEqual(['stream.started', 'recording.started', ...connectEvents]);
    const begin = Date.now();
    expect((await act(stream.id)).ok).toBe(true);
    await encoder.whenEnded();
    expect(await good.publishes[0]?.sink.whenEnded()).toBe('finished');
    expect(await small.publishes[0]?.sink.whenEnded()).toBe('finished');
    await until(() => Promise.resolve(childrenOf(processOf('live')).length === 0));
    await until(() => Promise.resolve(scratchOf('live').length === 0));
    const endEvents = ['stream.idle', 'recording.waiting', 'multistream.disconnected'];
    await until(async () => (await names()).length >= 8);
    expect((await names()).slice(4, 7)).toEqual(endEvents);
    expect(await eventDelayMs(begin, stream.id, 'stream.idle')).toBeLessThan(immediateMs);

    const again = publish(stream.streamKey);
    if (name === 'terminated') await untilActive(stream.id, true);
    else await again.whenEnded();
  });
}
