import { expect, test } from '@playwright/test';
import { Encoder, sourceFile } from './testing/encoder';
import {
  eventsOf,
  hlsUrl,
  Owner,
  processOf,
  immediateMs,
  rtmpUrl,
  sessionsOf,
  statusOf,
  eventDelayMs,
  until,
} from './testing/service';

let owner: Owner;
let source: string;
const encoders: Encoder[] = [];

test.beforeAll(async () => {
  [owner, source] = await Promise.all([Owner.create(), sourceFile()]);
});
test.afterEach(() => Promise.all(encoders.splice(0).map((encoder) => encoder.kill())));

function publish(streamKey: string): Encoder {
  const encoder = new Encoder(source, rtmpUrl(streamKey));
  encoders.push(encoder);
  return encoder;
}

async function live() {
  const stream = await owner.newStream();
  const encoder = publish(stream.streamKey);
  await owner.untilActive(stream.id, true);
  return { stream, encoder };
}

const pair = ['stream.started', 'stream.idle'];

test('a stream is idle within 15 s after its encoder was killed', async () => {
  const { stream, encoder } = await live();
  const begin = Date.now();
  await encoder.kill();
  await until(async () => (await statusOf(hlsUrl(stream.playbackId))) === 200, 3_000);
  await owner.untilActive(stream.id, false, 60_000);
  const notifiedMs = await eventDelayMs(begin, stream.id, 'stream.idle');
  expect(notifiedMs).toBeGreaterThan(4_000);
  expect(notifiedMs).toBeLessThan(15_000);
  expect(await statusOf(hlsUrl(stream.playbackId))).toBe(404);
  expect(await eventsOf(stream.id)).toEqual(pair);
});

test('a stream is idle immediately after its encoder stopped', async () => {
  const { stream, encoder } = await live();
  await encoder.stop();
  const stoppedAt = Date.now();
  await owner.untilActive(stream.id, false);
  expect(await eventDelayMs(stoppedAt, stream.id, 'stream.idle')).toBeLessThan(immediateMs);
  expect(await eventsOf(stream.id)).toEqual(pair);
});

test('a stream is idle within 15 s after its encoder froze with an open connection', async () => {
  const { stream, encoder } = await live();
  const begin = Date.now();
  encoder.freeze();
  await owner.untilActive(stream.id, false, 60_000);
  expect(await eventDelayMs(begin, stream.id, 'stream.idle')).toBeLessThan(15_000);
  expect(await eventsOf(stream.id)).toEqual(pair);
});

for (const [name, act] of [
  ['suspended', (id: string) => owner.request('PATCH', `/api/stream/${id}`, { suspended: true })],
  ['terminated', (id: string) => owner.request('DELETE', `/api/stream/${id}/terminate`)],
] as const) {
  test(`a stream that is ${name} is disconnected immediately`, async () => {
    const { stream, encoder } = await live();
    const begin = Date.now();
    expect((await act(stream.id)).ok).toBe(true);
    await owner.untilActive(stream.id, false);
    expect(await eventDelayMs(begin, stream.id, 'stream.idle')).toBeLessThan(immediateMs);
    expect(await statusOf(hlsUrl(stream.playbackId))).toBe(404);
    await encoder.whenEnded();
    expect(await eventsOf(stream.id)).toEqual(pair);
  });
}

test('a stream that is deleted is disconnected immediately', async () => {
  const { stream, encoder } = await live();
  const begin = Date.now();
  expect((await owner.request('DELETE', `/api/stream/${stream.id}`)).ok).toBe(true);
  await until(async () => (await eventsOf(stream.id)).length === 2);
  expect(await eventsOf(stream.id)).toEqual(pair);
  expect(await eventDelayMs(begin, stream.id, 'stream.idle')).toBeLessThan(immediateMs);
  expect(await statusOf(hlsUrl(stream.playbackId))).toBe(404);
  await encoder.whenEnded();
});

test(
  'a killed live process restarts, and its encoder continues the same session',
  { tag: '@alone' },
  async () => {
    const { stream, encoder } = await live();
    const abandonedStream = await live();
    process.kill(processOf('live'), 'SIGKILL');
    await encoder.whenEnded();
    await abandonedStream.encoder.whenEnded();

    // The encoder retries until a server accepts the connection.
    let again = publish(stream.streamKey);
    await until(async () => {
      if (!again.running) again = publish(stream.streamKey);
      return (await eventsOf(stream.id)).length === 3;
    }, 240_000);
    expect(await eventsOf(stream.id)).toEqual([...pair, 'stream.started']);
    expect(await owner.stream(stream.id)).toMatchObject({ isActive: true });
    expect(await sessionsOf(stream.id)).toHaveLength(1);
    expect(await statusOf(hlsUrl(stream.playbackId))).toBe(200);

    expect(await owner.stream(abandonedStream.stream.id)).toMatchObject({ isActive: false });
    expect(await eventsOf(abandonedStream.stream.id)).toEqual(pair);
  },
);

test('a killed origin restarts, and the stream continues', { tag: '@alone' }, async () => {
  const { stream, encoder } = await live();
  process.kill(processOf('origin'), 'SIGKILL');
  await until(async () => {
    return (await statusOf(hlsUrl(stream.playbackId)).catch(() => 0)) === 200;
  });
  expect(encoder.running).toBe(true);
  expect(await eventsOf(stream.id)).toEqual(['stream.started']);
});
