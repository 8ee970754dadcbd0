import { request as httpRequest } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { PublicStatus } from '@/lib/core/streams/public-status';
import { systemClock } from '@/lib/infra/clock';
import { createLogger } from '@/lib/infra/logger';
import { endingHeader } from '@/media-worker/kit/http/hls-request';
import type { HttpServer } from '@/media-worker/kit/http/listen';
import { NodeFinder } from './live/find-node';
import { LiveProxy, createUpstream } from './live/live-proxy';
import { LiveSource } from './live/live-source';
import { startOrigin } from './server';
import { startFakeLiveNode, type FakeLiveNode } from './testing/fake-live-node';
import { noRecordings } from './testing/no-recordings';
import { admitAllViewers } from './testing/admit-all-viewers';
import { ignoreViewers } from './testing/ignore-viewers';

const playbackId = 'abcd1234efgh5678';
const log = createLogger('test', 'silent');
const rejectUpload = () => Promise.reject(new Error('no upload here'));
const upstream = createUpstream(() => ({}), { timeoutMs: 1_500 });
let live: FakeLiveNode;
let origin: HttpServer;
let servingAsset: () => Promise<never>;
let locate: (playbackId: string) => Promise<string | null>;
let broadcast: PublicStatus | null;

beforeAll(async () => {
  live = await startFakeLiveNode();
});
afterAll(async () => {
  upstream.close();
  await live.close();
});

beforeEach(async () => {
  live.requests.length = 0;
  live.answer = (path, response) => response.end(`body of ${path}`);
  broadcast = null;
  locate = (id) => Promise.resolve(id === playbackId ? live.url : null);
  origin = await startOrigin({
    watch: ignoreViewers,
    guard: admitAllViewers,
    onDelivery: () => undefined,
    host: '127.0.0.1',
    port: 0,
    log,
    live: new LiveSource({
      nodes: new NodeFinder((playbackId) => locate(playbackId), systemClock),
      proxy: new LiveProxy({ fetch: upstream.fetch }),
    }),
    publicStatuses: { find: () => Promise.resolve(broadcast) },
    serveAsset: () => servingAsset(),
    serveIpfs: rejectUpload,
    serveUploadedPicture: () => Promise.reject(new Error('no picture here')),
    uploads: {
      put: rejectUpload,
      logo: rejectUpload,
      slate: rejectUpload,
      poster: rejectUpload,
      tus: { handle: rejectUpload },
    },
    recordings: noRecordings,
  });
});
afterEach(() => origin.close());

const get = (path: string, init: RequestInit = {}) => fetch(`http://127.0.0.1:${origin.port}${path}`, init);
const playlistPath = `/hls/${playbackId}/source/index.m3u8`;
const segmentPath = `/hls/${playbackId}/source/878.m4s`;

describe('answers', () => {
  test.each([
    [`/hls/${playbackId}/index.m3u8`, 'application/vnd.apple.mpegurl', 'no-store'],
    [playlistPath, 'application/vnd.apple.mpegurl', 'public, max-age=0, s-maxage=1'],
    [`/hls/${playbackId}/source/init-1.mp4`, 'video/mp4', 'public, max-age=31536000, immutable'],
    [segmentPath, 'video/iso.segment', 'public, max-age=31536000, immutable'],
    [`/hls/${playbackId}/thumbnail.jpg`, 'image/jpeg', 'public, max-age=5'],
    [`/hls/${playbackId}/source/878.2.m4s`, 'video/iso.segment', 'public, max-age=31536000, immutable'],
  ])('%s has the type %s and the Cache-Control %s', async (path, type, cache) => {
    const response = await get(`${path}?some=query`);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe(type);
    expect(response.headers.get('cache-control')).toBe(cache);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(await response.text()).toBe(`body of ${path.slice('/hls'.length)}`);
  });

  test('caches may store a playlist without parts for a second', async () => {
    for (const path of [`/hls/${playbackId}/index.m3u8?ll=0`, `${playlistPath}?ll=0`]) {
      const response = await get(path);
      expect(response.headers.get('cache-control')).toBe('public, max-age=1');
      expect(response.headers.get('vary')).toBe('Accept-Encoding');
    }
  });

  test('caches may not store a playlist of a stream that is about to end', async () => {
    live.answer = (_path, response) => response.setHeader(endingHeader, '1').end('#EXTM3U\n');
    for (const path of [`/hls/${playbackId}/index.m3u8?ll=0`, playlistPath, `${playlistPath}?ll=0`])
      expect((await get(path)).headers.get('cache-control')).toBe('no-store');
  });

  test('a media playlist is compressed for clients that accept gzip, and a segment is not', async () => {
    const text = '#EXTINF:2.000,\n'.repeat(50);
    live.answer = (_path, response) => response.end(text);
    const encodingOf = async (path: string, acceptEncoding: string) => {
      const response = await get(path, { headers: { 'Accept-Encoding': acceptEncoding } });
      expect(await response.text()).toBe(text);
      return response.headers.get('content-encoding');
    };
    expect(await encodingOf(playlistPath, 'gzip, deflate, br')).toBe('gzip');
    expect(await encodingOf(playlistPath, 'identity')).toBeNull();
    expect(await encodingOf(segmentPath, 'gzip')).toBeNull();
    const headResponse = await get(playlistPath, { method: 'HEAD', headers: { 'Accept-Encoding': 'gzip' } });
    expect(headResponse.headers.get('vary')).toBe('Accept-Encoding');
  });

  test('HEAD has the Content-Length of GET and no body', async () => {
    const response = await get(segmentPath, { method: 'HEAD' });
    expect(response.status).toBe(200);
    expect(Number(response.headers.get('content-length'))).toBe(`body of ${segmentPath.slice(4)}`.length);
    expect(await response.text()).toBe('');
  });

  test('a preflight is answered for every site', async () => {
    const response = await get(segmentPath, { method: 'OPTIONS', headers: { Origin: 'https://a.example' } });
    expect(response.status).toBe(204);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(response.headers.get('access-control-allow-headers')).toBe(
      'Range, If-Range, If-None-Match, Livepeer-Jwt, Livepeer-Access-Key, CMCD-Request, CMCD-Object, CMCD-Status, CMCD-Session',
    );
    expect(response.headers.get('access-control-allow-credentials')).toBeNull();
  });

  test.each(['POST', 'PUT', 'DELETE', 'PATCH'])('%s is not allowed', async (method) => {
    const response = await get(segmentPath, { method });
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
    expect(live.requests).toEqual([]);
  });

  test('the health checks report that the origin is healthy', async () => {
    for (const path of ['/healthz', '/livez', '/readyz']) {
      expect(await (await get(path)).json()).toEqual({ ok: true });
    }
  });
});

describe('ranges of a segment', () => {
  const segmentBody = `body of ${segmentPath.slice(4)}`;

  test.each([
    ['bytes=0-3', 206, segmentBody.slice(0, 4), `bytes 0-3/${segmentBody.length}`],
    ['bytes=5-', 206, segmentBody.slice(5), `bytes 5-${segmentBody.length - 1}/${segmentBody.length}`],
    [
      'bytes=-3',
      206,
      segmentBody.slice(-3),
      `bytes ${segmentBody.length - 3}-${segmentBody.length - 1}/${segmentBody.length}`,
    ],
    ['bytes=0-1,4-5', 200, segmentBody, null],
  ])('Range: %s is answered with %d', async (range, status, body, contentRange) => {
    const response = await get(segmentPath, { headers: { Range: range } });
    expect(response.status).toBe(status);
    expect(response.headers.get('content-range')).toBe(contentRange);
    expect(await response.text()).toBe(body);
  });

  test('a range beyond the end is answered with 416', async () => {
    const response = await get(segmentPath, { headers: { Range: 'bytes=9999-' } });
    expect(response.status).toBe(416);
    expect(response.headers.get('content-range')).toBe(`bytes */${segmentBody.length}`);
  });

  test('a playlist is sent whole despite a Range header', async () => {
    const response = await get(playlistPath, { headers: { Range: 'bytes=0-1' } });
    expect(response.status).toBe(200);
  });
});

describe('unknown paths', () => {
  test('a playback id without a publisher is 404 JSON, without a request to a live node', async () => {
    const response = await get('/hls/zzzzzzzzzzzzzzzz/index.m3u8');
    expect(response.status).toBe(404);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(response.headers.get('cache-control')).toBe('public, max-age=0, s-maxage=1');
    expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(await response.json()).toMatchObject({ errors: ['No live stream at this URL.'] });
    expect(live.requests).toEqual([]);
  });

  test('a file that the live node does not have is 404, and requested again', async () => {
    live.answer = (_, response) => response.writeHead(404).end('internal words');
    expect(await (await get(playlistPath)).json()).toMatchObject({ errors: ['No live stream at this URL.'] });
    live.answer = (_, response) => response.end('now');
    expect(await (await get(playlistPath)).text()).toBe('now');
  });

  test('a stream that is not live is answered with 404 and its state, or with 200 for a probe of its master playlist', async () => {
    const path = '/hls/zzzzzzzzzzzzzzzz/index.m3u8';
    expect((await get(`${path}?probe`)).status).toBe(404);
    broadcast = { state: 'ended', endedAt: 1_767_225_600_000 };
    const response = await get(path);
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({
      errors: ['No live stream at this URL.'],
      broadcast,
    });
    const probeResponse = await get(`${path}?ll=0&probe`);
    expect(probeResponse.status).toBe(200);
    expect(probeResponse.headers.get('cache-control')).toBe('public, max-age=0, s-maxage=1');
    expect(await probeResponse.json()).toEqual({ broadcast });
    const mediaPath = '/hls/zzzzzzzzzzzzzzzz/source/index.m3u8?probe';
    expect((await get(mediaPath)).status).toBe(404);
  });

  /** Sends the path unchanged; `fetch` would normalize it. */
  const raw = (path: string) =>
    new Promise<number>((resolve, reject) => {
      httpRequest({ port: origin.port, host: '127.0.0.1', path }, (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      })
        .on('error', reject)
        .end();
    });

  test.each([
    '/',
    '/hls',
    '/hls/',
    `/hls/${playbackId}`,
    `/hls/${playbackId}/../../etc/passwd`,
    `/hls/..%2f..%2fetc%2fpasswd/index.m3u8`,
    `/hls/${playbackId}/..%2f..%2fsource/index.m3u8`,
    `/hls/${playbackId}/%252e%252e/index.m3u8`,
    `/hls/${playbackId}/source/index.m3u8%00.mp4`,
    `/hls/${playbackId}/source/....//index.m3u8`,
    `/hls/${playbackId}\\source\\index.m3u8`,
    `/hls/${playbackId}/source/${'a'.repeat(4_000)}`,
    `//127.0.0.1/hls/${playbackId}/index.m3u8`,
    `http://127.0.0.1:1/hls/${playbackId}/index.m3u8`,
  ])('%s is not found', async (path) => {
    expect(await raw(path)).toBe(404);
    expect(live.requests).toEqual([]);
  });
});

describe('many viewers', () => {
  test('that share an answer get all of it, each with a separate request id', async () => {
    live.answer = (path, response) => setTimeout(() => response.end(path), 50);
    const answers = await Promise.all(Array.from({ length: 20 }, () => get(`${playlistPath}?_HLS_msn=7`)));
    const bodies = await Promise.all(answers.map((answer) => answer.text()));
    expect(new Set(bodies)).toEqual(new Set([`${playlistPath.slice('/hls'.length)}?_HLS_msn=7`]));
    const valuesOf = (name: string) => new Set(answers.map(({ headers }) => headers.get(name)));
    expect(valuesOf('x-request-id').size).toBe(20);
    expect(valuesOf('content-length')).toEqual(new Set([String(bodies[0]?.length)]));
    expect(valuesOf('cache-control')).toEqual(new Set(['public, max-age=0, s-maxage=1']));
  });

  test('100 concurrent identical requests are one request to the live node', async () => {
    live.answer = (path, response) => setTimeout(() => response.end(path), 50);
    const bodies = await Promise.all(
      Array.from({ length: 100 }, async () => (await get(segmentPath)).text()),
    );
    expect(new Set(bodies).size).toBe(1);
    expect(live.requests).toEqual([segmentPath.slice(4)]);
  });

  test('segments are cached, playlists only briefly', async () => {
    for (let i = 0; i < 3; i++) await (await get(segmentPath)).text();
    for (let i = 0; i < 3; i++) await (await get(playlistPath)).text();
    expect(live.requests).toEqual([segmentPath.slice(4), playlistPath.slice(4)]);
    // Longer than the 250 ms for which a playlist is cached.
    await delay(300);
    await get(segmentPath);
    await get(playlistPath);
    expect(live.requests).toEqual([segmentPath.slice(4), playlistPath.slice(4), playlistPath.slice(4)]);
  });

  test('requests for the same part are one request to the live node, in any order of their parameters', async () => {
    live.answer = (path, response) => setTimeout(() => response.end(path), 1_600);
    const spellings = ['?_HLS_msn=7&_HLS_part=2', '?_HLS_part=2&_HLS_msn=7', '?x=1&_HLS_msn=7&_HLS_part=2'];
    const bodies = await Promise.all(
      Array.from({ length: 60 }, async (_, viewer) =>
        (await get(`${playlistPath}${spellings[viewer % 3] ?? ''}`)).text(),
      ),
    );
    // The response takes longer than the 1.5 s after which other requests time out in this test.
    expect(new Set(bodies)).toEqual(new Set([`${playlistPath.slice(4)}?_HLS_msn=7&_HLS_part=2`]));
    expect(live.requests).toHaveLength(1);
  });

  test('playlists with and without parts are separate', async () => {
    await get(playlistPath);
    await get(`${playlistPath}?ll=0`);
    expect(live.requests).toEqual([playlistPath.slice(4), `${playlistPath.slice(4)}?ll=0`]);
  });

  test.each(['?_HLS_msn=x', '?_HLS_part=1', '?_HLS_msn=-1', '?_HLS_msn=1e3', '?_HLS_msn='])(
    '%s is rejected without a request to a live node',
    async (query) => {
      expect((await get(playlistPath + query)).status).toBe(400);
      expect(live.requests).toEqual([]);
    },
  );

  test('the oldest answers leave a cache that has reached its size', async () => {
    const proxy = new LiveProxy({
      fetch: (url) => {
        live.requests.push(url);
        return Promise.resolve({ status: 200, body: Buffer.alloc(10_000) });
      },
      maxBytes: 50_000,
    });
    const file = (msn: number) =>
      ({ playbackId, rendition: 'source', file: `${msn}.m4s`, kind: 'media' }) as const;
    for (let msn = 1; msn <= 10; msn++) await proxy.get('http://node', file(msn), '');
    await proxy.get('http://node', file(10), '');
    expect(live.requests).toHaveLength(10);
    await proxy.get('http://node', file(1), '');
    expect(live.requests).toHaveLength(11);
  });
});

describe('failures', () => {
  test('a live node that does not respond in time is answered with 504, and the next request succeeds', async () => {
    live.answer = () => undefined;
    const response = await get(playlistPath);
    expect(response.status).toBe(504);
    expect(response.headers.get('retry-after')).toBe('1');
    live.answer = (_, answer) => answer.end('again');
    expect(await (await get(playlistPath)).text()).toBe('again');
  });

  test('a live node that disconnects in the middle of a response is answered with 503', async () => {
    live.answer = (_, response) => {
      response.writeHead(200, { 'Content-Length': 1_000 });
      response.write('half');
      setTimeout(() => response.destroy(), 10);
    };
    expect((await get(segmentPath)).status).toBe(503);
  });

  test('a live node that accepts no connection is answered with 503', async () => {
    locate = () => Promise.resolve('http://127.0.0.1:1');
    expect((await get(playlistPath)).status).toBe(503);
  });

  test('an error of a live node is answered with 503, which is not cached', async () => {
    live.answer = (_, response) => response.writeHead(500).end('stack trace');
    const response = await get(segmentPath);
    expect(response.status).toBe(503);
    expect(await response.text()).not.toContain('stack');
    live.answer = (_, answer) => answer.end('well');
    expect(await (await get(segmentPath)).text()).toBe('well');
  });

  test('an unavailable database is answered with 503 for an unknown stream', async () => {
    locate = () => Promise.reject(new Error('no database'));
    const response = await get(playlistPath);
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({
      errors: ['The stream is temporarily unavailable. Try again.'],
    });
  });

  test('an unavailable database is answered with 503 for an unknown asset', async () => {
    servingAsset = () =>
      Promise.reject(Object.assign(new Error('connection refused'), { code: 'ECONNREFUSED' }));
    expect(await get(`/asset/${playbackId}/video`)).toMatchObject({ status: 503 });
  });
});
