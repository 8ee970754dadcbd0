import { expect, test } from 'vitest';
import type { Stream } from '@/lib/contract/streams/stream';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { openTestApi } from '@/app/api/testing/test-api';
import { createLivepeerClient } from '@/app/api/testing/livepeer-client';

const api = openTestApi(await createTestDatabase());
const { db } = api.services;
const ada = await api.createPerson('ada');
const eve = await api.createPerson('eve');

const source = 'rtmp://live.example.com/app/a-secret-key';
let sourceCount = 0;
const newSource = () => `https://live.example.com/${(sourceCount += 1)}/index.m3u8`;

const request = (method: string, path: string, body?: object, key = ada.key) =>
  api.request(method, `/api/stream${path}`, { key, ...(body ? { body } : {}) });
const readJson = async (response: Response) => (await response.json()) as Stream & { errors?: string[] };
const readStream = async (id: string) => readJson(await request('GET', `/${id}`));
const readRow = (id: string) => db.stream.findUniqueOrThrow({ where: { id } });

async function createStream(body: object): Promise<Stream> {
  const response = await request('POST', '', { name: 'x', ...body });
  expect(response.status).toBe(201);
  return readJson(response);
}

test('a pull starts with its stream, its source is sealed, and read-only API keys do not see the whole source URL', async () => {
  const pull = { source, isMobile: 1, location: { lat: 52.5, lon: 13.4 } };
  const { id, streamKey, pullStatus } = await createStream({ pull });
  expect(streamKey).toBeDefined();
  expect(pullStatus).toMatchObject({ state: 'waiting' });
  expect(await readStream(id)).toMatchObject({ pull });
  const row = await readRow(id);
  expect(Buffer.from(row.pullSealed ?? []).includes('a-secret-key')).toBe(false);
  const { secret } = await ada.newKey({ scopes: ['read'] });
  const visibleStream = await readJson(await request('GET', `/${id}`, undefined, secret));
  expect(visibleStream.streamKey).toBeUndefined();
  expect(visibleStream.pull).toEqual({ ...pull, source: 'rtmp://live.example.com/***' });
});

test('headers are hidden from read-only API keys, and not in the unsealed options', async () => {
  const headers = { Authorization: 'Bearer secret' };
  const { id, pull } = await createStream({ pull: { source: newSource(), headers } });
  expect(pull?.headers).toEqual(headers);
  expect((await readRow(id)).pullOptions).toEqual({});
  const { secret } = await ada.newKey({ scopes: ['read'] });
  const visibleStream = await readJson(await request('GET', `/${id}`, undefined, secret));
  expect(JSON.stringify(visibleStream.pull)).not.toContain('Bearer secret');
});

test('a pull stops when its stream is terminated or its source removed, start-pull restarts it, and a suspended stream rejects it', async () => {
  const { id } = await createStream({ pull: { source: newSource() } });
  expect((await request('DELETE', `/${id}/terminate`)).status).toBe(204);
  expect((await readStream(id)).pullStatus).toEqual({ state: 'stopped', since: null });
  expect((await request('POST', `/${id}/start-pull`)).status).toBe(204);
  expect((await readStream(id)).pullStatus?.state).toBe('waiting');
  expect((await request('PATCH', `/${id}`, { suspended: true })).status).toBe(204);
  expect((await request('POST', `/${id}/start-pull`)).status).toBe(409);
  expect((await request('PATCH', `/${id}`, { suspended: false, pull: null })).status).toBe(204);
  const { pull, pullStatus } = await readStream(id);
  expect([pull, pullStatus]).toEqual([undefined, undefined]);
  expect((await request('POST', `/${id}/start-pull`)).status).toBe(400);
});

test('PUT creates a stream once, and finds it by its source', async () => {
  const pull = { source: newSource() };
  const responses = await Promise.all([1, 2].map(() => request('PUT', '/pull', { name: 'one', pull })));
  expect(responses.map(({ status }) => status).sort()).toEqual([200, 201]);
  const [firstStream, secondStream] = await Promise.all(responses.map(readJson));
  expect(firstStream?.id).toBe(secondStream?.id);
  const id = firstStream?.id ?? '';
  await request('PATCH', `/${id}`, { suspended: true });
  const again = await request('PUT', '/pull', { name: 'two', pull, record: true });
  expect(again.status).toBe(200);
  expect(await readJson(again)).toMatchObject({ id, name: 'two', record: true, suspended: false, pull });
  // The same source in another team creates another stream.
  expect((await request('PUT', '/pull', { name: 'x', pull }, eve.key)).status).toBe(201);
});

test('PUT finds a stream by its creator, and rejects a value that is missing or ambiguous', async () => {
  const creatorId = 'user-1';
  const put = (body: object, query = '?key=creatorId') =>
    request('PUT', `/pull${query}`, { name: 'x', ...body });
  const first = await readJson(await put({ creatorId, pull: { source: newSource() } }));
  const movedPull = { source: newSource() };
  const second = await put({ creatorId, pull: movedPull }, '?key=creatorId.value');
  expect(second.status).toBe(200);
  expect(await readJson(second)).toMatchObject({ id: first.id, pull: movedPull });
  const missing = await put({ pull: movedPull });
  expect([missing.status, (await readJson(missing)).errors]).toEqual([
    400,
    ['creatorId must be present in the body'],
  ]);
  await createStream({ pull: movedPull });
  const twice = await put({ pull: movedPull }, '');
  expect([twice.status, (await readJson(twice)).errors]).toEqual([
    400,
    ['pull.source is not unique: several streams have this value'],
  ]);
  expect((await put({ pull: movedPull }, '?key=name')).status).toBe(422);
  expect((await put({}, '')).status).toBe(422);
});

test.each([
  [{ source: 'file:///etc/passwd' }, 'must be an http(s)'],
  [{ source: 'https://u:p@live.example.com/x' }, 'header Authorization'],
  [{ source: 'srt://live.example.com' }, 'must name a port'],
  [{ source: 'rtsp://live.example.com/x', headers: { a: 'b' } }, 'are for http:// and https:// sources only'],
  [{ source: 'https://live.example.com/x', headers: { Host: 'b' } }, 'must not contain host'],
  [{ source: 'https://live.example.com/x', location: { lat: 100, lon: 0 } }, 'pull.location.lat'],
])('%j is not a valid pull', async (pull, message) => {
  const response = await request('POST', '', { name: 'x', pull });
  expect(response.status).toBe(422);
  expect(JSON.stringify(await response.json())).toContain(message);
});

test('the Livepeer SDK creates a pull stream, terminates it and starts its pull again', async () => {
  const livepeer = createLivepeerClient(ada.key);
  const pull = {
    source: newSource(),
    headers: { Authorization: 'x' },
    isMobile: 0,
    location: { lat: 1, lon: 2 },
  };
  const { stream } = await livepeer.stream.create({ name: 'x', pull });
  const id = stream?.id ?? '';
  expect((await livepeer.stream.get(id)).stream?.pull).toEqual(pull);
  expect((await livepeer.stream.terminate(id)).statusCode).toBe(204);
  expect((await livepeer.stream.startPull(id)).statusCode).toBe(204);
  expect((await readStream(id)).pullStatus?.state).toBe('waiting');
});
