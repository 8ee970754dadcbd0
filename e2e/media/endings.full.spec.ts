import { expect, test } from '@playwright/test';
import { createSourceFile, type Encoder, setUpEncoders } from './testing/encoder';
import {
  fetchEventNames,
  hlsUrl,
  ApiAccount,
  findRolePid,
  MAX_IMMEDIATE_DELAY_MS,
  rtmpUrl,
  fetchSessionRows,
  fetchStatus,
  measureEventDelayMs,
  waitUntil,
} from './testing/service';

let owner: ApiAccount;
let source: string;
const startEncoder = setUpEncoders();

test.beforeAll(async () => {
  [owner, source] = await Promise.all([ApiAccount.create(), createSourceFile()]);
});

function publish(streamKey: string): Encoder {
  return startEncoder(source, rtmpUrl(streamKey));
}

async function startLiveStream() {
  const stream = await owner.createStream();
  const encoder = publish(stream.streamKey);
  await owner.waitUntilActive(stream.id);
  return { stream, encoder };
}

const startAndIdle = ['stream.started', 'stream.idle'];

test('a stream becomes idle between 4 and 15 s after its encoder was killed, and plays until then', async () => {
  const { stream, encoder } = await startLiveStream();
  const killedAt = Date.now();
  await encoder.kill();
  await waitUntil(async () => (await fetchStatus(hlsUrl(stream.playbackId))) === 200, 3_000);
  await owner.waitUntilIdle(stream.id, 60_000);
  const eventDelayMs = await measureEventDelayMs(killedAt, stream.id, 'stream.idle');
  expect(eventDelayMs).toBeGreaterThan(4_000);
  expect(eventDelayMs).toBeLessThan(15_000);
  expect(await fetchStatus(hlsUrl(stream.playbackId))).toBe(404);
  expect(await fetchEventNames(stream.id)).toEqual(startAndIdle);
});

test('a stream becomes idle immediately after its encoder stopped', async () => {
  const { stream, encoder } = await startLiveStream();
  await encoder.stop();
  const stoppedAt = Date.now();
  await owner.waitUntilIdle(stream.id);
  expect(await measureEventDelayMs(stoppedAt, stream.id, 'stream.idle')).toBeLessThan(MAX_IMMEDIATE_DELAY_MS);
  expect(await fetchEventNames(stream.id)).toEqual(startAndIdle);
});

test('a stream becomes idle within 15 s after its encoder froze with an open connection', async () => {
  const { stream, encoder } = await startLiveStream();
  const frozenAt = Date.now();
  encoder.freeze();
  await owner.waitUntilIdle(stream.id, 60_000);
  expect(await measureEventDelayMs(frozenAt, stream.id, 'stream.idle')).toBeLessThan(15_000);
  expect(await fetchEventNames(stream.id)).toEqual(startAndIdle);
});

for (const [name, act] of [
  ['suspended', (id: string) => owner.request('PATCH', `/api/stream/${id}`, { suspended: true })],
  ['terminated', (id: string) => owner.request('DELETE', `/api/stream/${id}/terminate`)],
] as const) {
  test(`a stream that is ${name} is disconnected immediately`, async () => {
    const { stream, encoder } = await startLiveStream();
    const startedAt = Date.now();
    expect((await act(stream.id)).ok).toBe(true);
    await owner.waitUntilIdle(stream.id);
    expect(await measureEventDelayMs(startedAt, stream.id, 'stream.idle')).toBeLessThan(
      MAX_IMMEDIATE_DELAY_MS,
    );
    expect(await fetchStatus(hlsUrl(stream.playbackId))).toBe(404);
    await encoder.whenEnded();
    expect(await fetchEventNames(stream.id)).toEqual(startAndIdle);
  });
}

test('a stream that is deleted is disconnected immediately', async () => {
  const { stream, encoder } = await startLiveStream();
  const startedAt = Date.now();
  expect((await owner.request('DELETE', `/api/stream/${stream.id}`)).ok).toBe(true);
  await waitUntil(async () => (await fetchEventNames(stream.id)).length === 2);
  expect(await fetchEventNames(stream.id)).toEqual(startAndIdle);
  expect(await measureEventDelayMs(startedAt, stream.id, 'stream.idle')).toBeLessThan(MAX_IMMEDIATE_DELAY_MS);
  expect(await fetchStatus(hlsUrl(stream.playbackId))).toBe(404);
  await encoder.whenEnded();
});

test(
  'after a killed live process restarts, an encoder continues its session, and a stream without an encoder becomes idle',
  { tag: '@alone' },
  async () => {
    const { stream, encoder } = await startLiveStream();
    const abandonedStream = await startLiveStream();
    process.kill(findRolePid('live'), 'SIGKILL');
    await encoder.whenEnded();
    await abandonedStream.encoder.whenEnded();

    // The encoder retries until a server accepts the connection.
    let nextEncoder = publish(stream.streamKey);
    await waitUntil(async () => {
      if (!nextEncoder.isRunning) nextEncoder = publish(stream.streamKey);
      return (await fetchEventNames(stream.id)).length === 3;
    }, 240_000);
    expect(await fetchEventNames(stream.id)).toEqual([...startAndIdle, 'stream.started']);
    expect(await owner.readStream(stream.id)).toMatchObject({ isActive: true });
    expect(await fetchSessionRows(stream.id)).toHaveLength(1);
    expect(await fetchStatus(hlsUrl(stream.playbackId))).toBe(200);

    expect(await owner.readStream(abandonedStream.stream.id)).toMatchObject({ isActive: false });
    expect(await fetchEventNames(abandonedStream.stream.id)).toEqual(startAndIdle);
  },
);

test(
  'a killed origin restarts and serves the stream, whose publish is not affected',
  { tag: '@alone' },
  async () => {
    const { stream, encoder } = await startLiveStream();
    process.kill(findRolePid('origin'), 'SIGKILL');
    await waitUntil(async () => {
      return (await fetchStatus(hlsUrl(stream.playbackId)).catch(() => 0)) === 200;
    });
    expect(encoder.isRunning).toBe(true);
    expect(await fetchEventNames(stream.id)).toEqual(['stream.started']);
  },
);
