import { expect, test } from '@playwright/test';
import type { TargetStatus } from '@/lib/contract/targets/multistream';
import { startIngest, type Ingest } from '@/media-worker/rtmp/testing/ingest-harness';
import { blackHole, resetting, startRawTarget } from '@/media-worker/push/testing/raw-target';
import { Encoder, sourceFile } from './testing/encoder';
import {
  childrenOf,
  eventsOf,
  Owner,
  processOf,
  promptMs,
  rtmpUrl,
  scratchOf,
  toldAfter,
  until,
} from './testing/service';

let owner: Owner;
let source: string;
const encoders: Encoder[] = [];
const closing: (() => Promise<unknown>)[] = [];

test.beforeAll(async () => {
  [owner, source] = await Promise.all([Owner.create(), sourceFile()]);
});
test.afterEach(async () => {
  await Promise.all(encoders.splice(0).map((encoder) => encoder.kill()));
  await Promise.all(closing.splice(0).map((close) => close()));
});

/** A real RTMP server that remembers what it got. */
async function sink(): Promise<Ingest> {
  // Our ffmpeg starts once the connection is there: on a busy machine it says hello seconds later.
  const ingest = await startIngest({ limits: { handshakeMs: 30_000, publishMs: 60_000 } });
  closing.push(() => ingest.server.close());
  return ingest;
}

const urlOf = (port: number, key = 'good-key') => `rtmp://127.0.0.1:${port}/live/${key}`;

async function newTarget(url: string): Promise<string> {
  const response = await owner.request('POST', '/api/multistream/target', { url });
  expect(response.status).toBe(201);
  return ((await response.json()) as { id: string }).id;
}

/** A stream that is published to, and refers to targets at these addresses. */
const live = (...urls: string[]) => liveWith({}, urls);

/** @param renditions that the targets get, in their order; the source where there is none */
async function liveWith(fields: object, urls: readonly string[], renditions: readonly string[] = []) {
  const ids = await Promise.all(urls.map(newTarget));
  const targets = ids.map((id, index) => ({ id, profile: renditions[index] ?? 'source' }));
  const stream = await owner.newStream({ ...fields, multistream: { targets } });
  const encoder = new Encoder(source, rtmpUrl(stream.streamKey));
  encoders.push(encoder);
  const statuses = async () => {
    const response = await owner.request('GET', `/api/stream/${stream.id}/multistream`);
    return (await response.json()) as TargetStatus[];
  };
  const untilStates = (...wanted: readonly string[]) =>
    until(async () => (await statuses()).map(({ state }) => state).join() === wanted.join());
  const refer = async (wanted: readonly string[]) => {
    const list = wanted.map((id) => ({ id, profile: 'source' }));
    const response = await owner.request('PATCH', `/api/stream/${stream.id}`, {
      multistream: { targets: list },
    });
    expect(response.status).toBe(204);
  };
  return { stream, encoder, ids, statuses, untilStates, refer };
}

/** Longest pause between two frames of a publish, by their own clock, in milliseconds. */
function longestGap({ admitted }: Ingest): number {
  const times = (admitted[0]?.sink.packets ?? []).flatMap((packet) =>
    packet.kind === 'video' && packet.role === 'frame' ? [packet.dts] : [],
  );
  expect(times.length).toBeGreaterThan(100);
  return Math.max(...times.slice(1).map((time, index) => time - (times[index] ?? 0)));
}

test('targets that hang and that break leave the good one and the stream alone', async () => {
  const good = await sink();
  const [hole, breaking] = [await startRawTarget(blackHole), await startRawTarget(resetting(1_000))];
  closing.push(
    () => hole.close(),
    () => breaking.close(),
  );
  const { stream, statuses, encoder } = await live(urlOf(hole.port), urlOf(good.port), urlOf(breaking.port));
  await until(async () => {
    const [first, second, third] = await statuses();
    return first?.lastError !== null && second?.state === 'connected' && third?.lastError !== null;
  }, 60_000);
  await until(() => Promise.resolve(breaking.connections >= 3), 60_000);
  await until(async () => ((await statuses())[1]?.uptime ?? 0) > 3);

  const [first, second, third] = await statuses();
  expect(first?.lastError?.message).toContain('no media');
  expect(second).toMatchObject({ lastError: null, state: 'connected' });
  expect(second?.bitrate).toBeGreaterThan(50_000);
  expect(third?.lastError?.message).toContain('was lost');
  const names = (await eventsOf(stream.id)).filter((name) => name !== 'stream.started').sort();
  expect(names).toEqual(['multistream.connected', 'multistream.error', 'multistream.error']);

  // One publish from beginning to end, every frame 33 ms after the one before.
  expect(good.admitted).toHaveLength(1);
  expect(longestGap(good)).toBeLessThanOrEqual(67);

  await encoder.stop();
  await owner.untilActive(stream.id, false);
  // Only what was connected is disconnected.
  await until(async () => (await eventsOf(stream.id)).includes('multistream.disconnected'));
  expect((await eventsOf(stream.id)).filter((name) => name.endsWith('disconnected'))).toHaveLength(1);
  expect(await good.admitted[0]?.sink.ended()).toBe('finished');
});

test(
  'targets are added, moved, switched and removed while the stream runs, each at once',
  { tag: '@alone' },
  async () => {
    const [one, two, three] = [await sink(), await sink(), await sink()];
    const { stream, ids, refer, untilStates } = await live(urlOf(one.port));
    /** Does something, and waits for what is told of it. */
    const soon = async (name: string, act: () => Promise<void>) => {
      const before = (await eventsOf(stream.id)).length;
      const begin = Date.now();
      await act();
      await until(async () => (await eventsOf(stream.id)).slice(before).includes(`multistream.${name}`));
      expect(await toldAfter(begin, stream.id, `multistream.${name}`)).toBeLessThan(promptMs);
    };
    const [first = ''] = ids;
    await untilStates('connected');
    const second = await newTarget(urlOf(two.port));
    const change = async (body: object) => {
      expect((await owner.request('PATCH', `/api/multistream/target/${second}`, body)).status).toBe(204);
    };

    await soon('connected', () => refer([first, second]));
    await untilStates('connected', 'connected');
    await soon('connected', () => change({ url: urlOf(three.port) }));
    expect(await two.admitted[0]?.sink.ended()).toBe('finished');
    expect(three.admitted).toHaveLength(1);
    await untilStates('connected', 'connected');
    await soon('disconnected', () => change({ disabled: true }));
    await untilStates('connected', 'disconnected');
    expect(await three.admitted[0]?.sink.ended()).toBe('finished');
    await soon('connected', () => change({ disabled: false }));
    await untilStates('connected', 'connected');
    await soon('disconnected', () => refer([second]));
    await untilStates('connected');
    expect(await one.admitted[0]?.sink.ended()).toBe('finished');

    expect([one.admitted.length, two.admitted.length, three.admitted.length]).toEqual([1, 1, 2]);
    expect(longestGap(one)).toBeLessThanOrEqual(67);
    const pair = ['multistream.disconnected', 'multistream.connected'];
    const names = () => eventsOf(stream.id);
    const wanted = [
      ...['stream.started', 'multistream.connected', 'multistream.connected'],
      ...[...pair, ...pair, 'multistream.disconnected'],
    ];
    expect(await names()).toEqual(wanted);
  },
);

test('no secret of a target is in the words of a process', async () => {
  const { encoder, untilStates } = await live(urlOf((await sink()).port, 'good-secret-key'));
  await untilStates('connected');
  const commands = childrenOf(processOf('live')).filter((command) => command.includes('ffmpeg'));
  expect(commands.length).toBeGreaterThan(0);
  expect(commands.join('\n')).not.toContain('secret');
  await encoder.stop();
});

for (const [name, act] of [
  ['suspended', (id: string) => owner.request('PATCH', `/api/stream/${id}`, { suspended: true })],
  ['terminated', (id: string) => owner.request('DELETE', `/api/stream/${id}/terminate`)],
  ['deleted', (id: string) => owner.request('DELETE', `/api/stream/${id}`)],
  ['given a new key', (id: string) => owner.request('POST', `/api/stream/${id}/rotate-key`)],
] as const) {
  test(`a stream that is ${name} is cut at once; renditions, recording and targets end with it`, async () => {
    const [good, small, hole] = [await sink(), await sink(), await startRawTarget(blackHole)];
    closing.push(() => hole.close());
    const profiles = [{ name: '180p', width: 320, height: 180, bitrate: 200_000, fps: 15 }];
    const { stream, encoder } = await liveWith(
      { record: true, profiles },
      [urlOf(good.port), urlOf(hole.port), urlOf(small.port)],
      ['source', 'source', '180p'],
    );
    const names = async () => (await eventsOf(stream.id)).filter((event) => !event.endsWith('error'));
    const connected = ['multistream.connected', 'multistream.connected'];
    await until(async () => (await names()).length >= 4, 20_000);
    // Whatever was connected first: receivers hear of the stream before.
    expect(await names()).toEqual(['stream.started', 'recording.started', ...connected]);
    const begin = Date.now();
    expect((await act(stream.id)).ok).toBe(true);
    await encoder.ended();
    expect(await good.admitted[0]?.sink.ended()).toBe('finished');
    expect(await small.admitted[0]?.sink.ended()).toBe('finished');
    await until(() => Promise.resolve(childrenOf(processOf('live')).length === 0));
    await until(() => Promise.resolve(scratchOf('live').length === 0));
    const ended = ['stream.idle', 'recording.waiting', 'multistream.disconnected'];
    await until(async () => (await names()).length >= 8);
    expect((await names()).slice(4, 7)).toEqual(ended);
    expect(await toldAfter(begin, stream.id, 'stream.idle')).toBeLessThan(promptMs);

    const again = new Encoder(source, rtmpUrl(stream.streamKey));
    encoders.push(again);
    if (name === 'terminated') await owner.untilActive(stream.id, true);
    else await again.ended();
  });
}
