import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { recordingKey } from '@/lib/core/storage-keys';
import { systemClock } from '@/lib/infra/clock';
import { createLogger } from '@/lib/infra/logger';
import { openStorage } from '@/lib/infra/storage';
import { send } from '@/media-worker/kit/http/answer';
import { listen, type HttpServer } from '@/media-worker/kit/http/listen';
import { readUnfinishedPlaylists } from '@/media-worker/recording/make-recording';
import { LookupCache } from '@/media-worker/delivery/origin/lookup-cache';
import { serveRecording } from './serve-recording';

const sessionId = '2b0d6c9e-8f57-4a1c-b7c4-0f4f8e1d3a92';
const hiddenId = 'f3a1c7de-93b8-4d26-9a55-2f5c2d4a7b10';
const unfinishedId = '5c1e7a90-4b62-4f0e-8d3b-6a2f9c8b7d10';
const unavailableId = '00000000-0000-4000-8000-000000000000';
const folder = await mkdtemp(join(tmpdir(), 'serve-recording-'));
const storage = openStorage({ dataDir: folder });
const longPlaylist = '#EXTM3U\n'.repeat(100);
const video = Buffer.from('0123456789');
let server: HttpServer;
let recording: 'recording' | 'waiting' | 'ready' = 'waiting';
let nowMs = 0;

beforeAll(async () => {
  for (const session of [sessionId, hiddenId]) {
    await storage.put(recordingKey(session, 'source.mp4'), video);
    await storage.put(recordingKey(session, 'hls/index.m3u8'), Buffer.from('#EXTM3U'));
    await storage.put(recordingKey(session, 'hls/source/index.m3u8'), Buffer.from('#EXTM3U 2'));
    await storage.put(recordingKey(session, 'hls/240p/index.m3u8'), Buffer.from(longPlaylist));
    await storage.put(recordingKey(session, 'hls/source/init-7-1.mp4'), Buffer.from('init'));
    await storage.put(recordingKey(session, 'hls/source/7-1_2_0_2000000_5_i.m4s'), Buffer.from('segment'));
    await storage.put(recordingKey(session, 'stretch/source/7.json'), Buffer.from('{}'));
  }
  const find = (session: string) => {
    if (session === unavailableId) return Promise.reject(new Error('away'));
    if (session === unfinishedId) return Promise.resolve({ name: 'Just over', recording });
    return Promise.resolve(session === sessionId ? { name: 'Fête: 1/2' } : null);
  };
  // Each lookup is ten seconds later, so the cached ones have expired.
  const sessions = new LookupCache(find, { ...systemClock, monotonic: () => (nowMs += 10_000) });
  const unfinished = (session: string, ended: boolean) => readUnfinishedPlaylists(storage, session, ended);
  server = await listen(
    (request, response) => {
      const [path = '', query] = (request.url ?? '').split('?');
      const recordingRequest = { path, download: query === 'download', headers: request.headers };
      void serveRecording(recordingRequest, { storage, sessions, unfinished }).then((answer) =>
        send(response, answer),
      );
    },
    { host: '127.0.0.1', port: 0, maxConnections: 10, log: createLogger('test', 'silent') },
  );
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

const get = (path: string, init: RequestInit = {}) => fetch(`http://127.0.0.1:${server.port}${path}`, init);

describe('files of a recording', () => {
  const immutableCache = 'public, max-age=31536000, immutable';

  test.each([
    ['index.m3u8', 'application/vnd.apple.mpegurl', 'public, max-age=60, stale-if-error=300', '#EXTM3U'],
    [
      'source/index.m3u8',
      'application/vnd.apple.mpegurl',
      'public, max-age=60, stale-if-error=300',
      '#EXTM3U 2',
    ],
    ['source/init-7-1.mp4', 'video/mp4', immutableCache, 'init'],
    ['source/7-1_2_0_2000000_5_i.m4s', 'video/iso.segment', immutableCache, 'segment'],
    ['source.mp4', 'video/mp4', immutableCache, '0123456789'],
  ])('%s has the type %s and the Cache-Control %s', async (name, type, cache, body) => {
    const response = await get(`/${sessionId}/${name}`);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe(type);
    expect(response.headers.get('cache-control')).toBe(cache);
    expect(Number(response.headers.get('content-length'))).toBe(body.length);
    expect(await response.text()).toBe(body);
  });

  test('playlists are compressed for clients that accept it, under a separate validator', async () => {
    const getPlaylist = (headers: Record<string, string>) =>
      get(`/${sessionId}/240p/index.m3u8`, { headers });
    const [compressed, uncompressed] = [
      await getPlaylist({}),
      await getPlaylist({ 'Accept-Encoding': 'identity' }),
    ];
    for (const response of [compressed, uncompressed]) {
      expect(response.headers.get('vary')).toBe('Accept-Encoding');
      expect(await response.text()).toBe(longPlaylist);
    }
    expect([compressed, uncompressed].map(({ headers }) => headers.get('content-encoding'))).toEqual([
      'gzip',
      null,
    ]);
    const validator = compressed.headers.get('etag') ?? '';
    expect(validator).not.toBe(uncompressed.headers.get('etag'));
    expect((await getPlaylist({ 'If-None-Match': validator })).status).toBe(304);
    expect((await getPlaylist({ 'If-None-Match': validator, 'Accept-Encoding': 'identity' })).status).toBe(
      200,
    );
    const range = await getPlaylist({ Range: 'bytes=0-6' });
    expect([range.status, range.headers.get('content-encoding'), await range.text()]).toEqual([
      206,
      null,
      '#EXTM3U',
    ]);
    const media = await get(`/${sessionId}/source.mp4`);
    expect([media.headers.get('content-encoding'), media.headers.get('vary')]).toEqual([null, null]);
    await media.body?.cancel();
  });

  test.each([
    ['bytes=2-4', 206, '234', 'bytes 2-4/10'],
    ['bytes=7-', 206, '789', 'bytes 7-9/10'],
    ['bytes=-2', 206, '89', 'bytes 8-9/10'],
    ['bytes=0-99', 206, '0123456789', 'bytes 0-9/10'],
    ['lines=1-2', 200, '0123456789', null],
  ])('a request with Range: %s gets these bytes', async (range, status, body, contentRange) => {
    const response = await get(`/${sessionId}/source.mp4`, { headers: { Range: range } });
    expect(response.status).toBe(status);
    expect(response.headers.get('content-range')).toBe(contentRange);
    expect(await response.text()).toBe(body);
  });

  test('the MP4 has the name of its session, and is downloaded on request, in ranges as well', async () => {
    const name = `filename="F?te: 1 2.mp4"; filename*=UTF-8''F%C3%AAte%3A%201%202.mp4`;
    const dispositionOf = async (query: string, headers = {}) =>
      (await get(`/${sessionId}/source.mp4${query}`, { headers })).headers.get('content-disposition');
    expect(await dispositionOf('')).toBe(`inline; ${name}`);
    expect(await dispositionOf('?download')).toBe(`attachment; ${name}`);
    expect(await dispositionOf('?download', { Range: 'bytes=5-' })).toBe(`attachment; ${name}`);
  });

  test('a range beyond the end of the file is unsatisfiable', async () => {
    const response = await get(`/${sessionId}/source.mp4`, { headers: { Range: 'bytes=10-' } });
    expect(response.status).toBe(416);
    expect(response.headers.get('content-range')).toBe('bytes */10');
  });

  test('HEAD has no body, an unchanged file is 304, and If-Range of another version gets the whole file', async () => {
    const head = await get(`/${sessionId}/source.mp4`, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '10', '']);
    const etag = head.headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[0-9a-z-]+"$/);
    const notModified = await get(`/${sessionId}/source.mp4`, { headers: { 'If-None-Match': etag } });
    expect([notModified.status, await notModified.text()]).toEqual([304, '']);
    const rangeOf = (version: string) =>
      get(`/${sessionId}/source.mp4`, { headers: { Range: 'bytes=0-1', 'If-Range': version } });
    expect((await rangeOf(etag)).status).toBe(206);
    expect((await rangeOf('"other"')).status).toBe(200);
  });
});

describe('a recording that is not finished', () => {
  const segmentName = (msn: number) =>
    `7_${msn}_${msn * 2_000_000}_2000000_${1_900_000_000_000 + msn * 2_000}_i.m4s`;
  const store = (file: string, body: string) =>
    storage.put(recordingKey(unfinishedId, file), Buffer.from(body));
  beforeAll(async () => {
    await store('stretch/source/7.json', JSON.stringify({ rendition: 'source', codecs: ['avc1.42c01e'] }));
    await store('hls/source/init-7.mp4', 'init');
    for (const msn of [3, 4]) await store(`hls/source/${segmentName(msn)}`, 'segment');
  });

  test('plays from its segments as soon as the stream is over', async () => {
    recording = 'waiting';
    const master = await get(`/${unfinishedId}/index.m3u8`);
    expect([master.status, master.headers.get('cache-control')]).toEqual([200, 'public, max-age=2']);
    expect(await master.text()).toContain('\nsource/index.m3u8\n');
    const text = await (await get(`/${unfinishedId}/source/index.m3u8`)).text();
    const uris = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    expect(uris).toEqual([segmentName(3), segmentName(4)]);
    expect(text.trim().split('\n').at(-1)).toBe('#EXT-X-ENDLIST');
    for (const uri of [...uris, 'init-7.mp4']) {
      expect((await get(`/${unfinishedId}/source/${uri}`)).status).toBe(200);
    }
  });

  test('has no end tag and no MP4 while it is live', async () => {
    recording = 'recording';
    const text = await (await get(`/${unfinishedId}/source/index.m3u8`)).text();
    expect(text).toContain('#EXT-X-PLAYLIST-TYPE:EVENT');
    expect(text).not.toContain('ENDLIST');
    expect((await get(`/${unfinishedId}/source.mp4`)).status).toBe(404);
    expect((await get(`/${unfinishedId}/other/index.m3u8`)).status).toBe(404);
  });
});

test.each([
  [`/${hiddenId}/index.m3u8`, 404],
  [`/${hiddenId}/source.mp4`, 404],
  [`/${sessionId}/other.mp4`, 404],
  [`/${sessionId}/stretch/source/7.json`, 404],
  [`/${sessionId}/source/..%2f..%2fsource.mp4`, 404],
  [`/${sessionId}/source/init-9.mp4`, 404],
  [`/${sessionId}/`, 404],
  [`/${sessionId.toUpperCase()}/index.m3u8`, 404],
  ['/x/index.m3u8', 404],
  [`/${unavailableId}/index.m3u8`, 503],
])('a request for %s is answered with %i', async (path, status) => {
  const response = await get(path);
  expect(response.status).toBe(status);
  expect(((await response.json()) as { errors: string[] }).errors).toHaveLength(1);
});
