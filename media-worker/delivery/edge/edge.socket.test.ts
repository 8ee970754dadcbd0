import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createEdgeName, formatVia } from '@/media-worker/kit/http/via';
import { type OpenEdge, openEdge } from './testing/open-edge';
import { createEdgeId, playbackId, startTestOrigin, type EdgeUpstream } from './testing/test-origin';

const masterPath = `/hls/${playbackId}/index.m3u8`;
const mediaPath = `/hls/${playbackId}/source/index.m3u8`;
const segmentPath = `/hls/${playbackId}/source/878.m4s`;
const videoBytes = Buffer.from(Array.from({ length: 10_000 }, (_, index) => index % 251));
let origin: EdgeUpstream;
let folder: string;
const servers: { close(): Promise<void> }[] = [];

beforeEach(async () => {
  // The test decides when answers become stale.
  vi.useFakeTimers({ toFake: ['Date'] });
  origin = await startTestOrigin();
  folder = await mkdtemp(join(tmpdir(), 'edge-'));
});
afterEach(async () => {
  for (const server of servers.splice(0).reverse()) await server.close();
  await origin.close();
  await rm(folder, { recursive: true, force: true });
  vi.useRealTimers();
});

async function startEdgeOf(
  upstreamUrl: string,
  { isCached = true, ...options }: { port?: number; isCached?: boolean; trustedRanges?: string[] } = {},
): Promise<OpenEdge> {
  const edge = await openEdge(upstreamUrl, { ...options, ...(isCached ? { folder } : {}) });
  servers.push(edge);
  return edge;
}

const get = (edge: Pick<OpenEdge, 'url'>, path: string, init: RequestInit = {}) =>
  fetch(edge.url + path, init);
const textOf = async (response: Promise<Response>) => (await response).text();
const range = (value: string) => ({ headers: { Range: value } });
/** The media playlist that a master playlist names. */
const mediaPathIn = (masterPlaylist: string) =>
  `/hls/${playbackId}/${masterPlaylist.split('\n').find((line) => line.startsWith('source/')) ?? ''}`;
const masterText = '#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nsource/index.m3u8\n';

describe('live content', () => {
  test('100 viewers of a blocking playlist request cause one request to the origin', async () => {
    const edge = await startEdgeOf(origin.url);
    origin.live.answer = (path, response) => setTimeout(() => response.end(path), 1_000);
    const bodies = await Promise.all(
      Array.from({ length: 100 }, (_, index) => {
        const viewer = `0123abcd${String(index).padStart(20, 'A')}`;
        return textOf(get(edge, `${mediaPath}?viewer=${viewer}&_HLS_msn=7&_HLS_part=2`));
      }),
    );
    expect(new Set(bodies)).toEqual(new Set([`${mediaPath.slice(4)}?_HLS_msn=7&_HLS_part=2`]));
    expect(origin.requests).toEqual([`${mediaPath}?_HLS_msn=7&_HLS_part=2`]);
  });

  test('answers are cached for as long as their headers allow', async () => {
    const edge = await startEdgeOf(origin.url);
    for (let round = 0; round < 3; round += 1) {
      await textOf(get(edge, segmentPath));
      await textOf(get(edge, `${mediaPath}?ll=0`));
    }
    expect(origin.requests).toEqual([segmentPath, `${mediaPath}?ll=0`]);
    vi.setSystemTime(Date.now() + 1_100);
    const refetchedResponse = await get(edge, `${mediaPath}?ll=0`);
    expect(refetchedResponse.headers.get('cache-control')).toBe('public, max-age=1');
    const cachedResponse = await get(edge, segmentPath);
    expect(Number(cachedResponse.headers.get('age'))).toBeGreaterThanOrEqual(1);
    expect(cachedResponse.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(cachedResponse.headers.get('access-control-expose-headers')).toContain('Age');
    expect(origin.requests).toEqual([segmentPath, `${mediaPath}?ll=0`, `${mediaPath}?ll=0`]);
  });

  test('a range and a HEAD request are served from the same answer', async () => {
    const edge = await startEdgeOf(origin.url);
    const rangeResponse = await get(edge, segmentPath, range('bytes=1-3'));
    expect([rangeResponse.status, rangeResponse.headers.get('content-range')]).toEqual([206, 'bytes 1-3/40']);
    expect(await rangeResponse.text()).toBe('ody');
    const headResponse = await get(edge, segmentPath, { method: 'HEAD' });
    expect(headResponse.status).toBe(200);
    expect(headResponse.headers.get('content-length')).toBe('40');
    expect(await headResponse.text()).toBe('');
    expect(origin.requests).toHaveLength(1);
  });

  test('playlists are compressed for clients that accept gzip', async () => {
    const edge = await startEdgeOf(origin.url);
    origin.live.answer = (_path, response) => response.end('#EXTINF:2.000,\n'.repeat(50));
    for (const [acceptEncoding, encoding] of [
      ['gzip', 'gzip'],
      ['identity', null],
    ] as const) {
      const response = await get(edge, mediaPath, { headers: { 'Accept-Encoding': acceptEncoding } });
      expect(response.headers.get('content-encoding')).toBe(encoding);
      expect(response.headers.get('vary')).toBe('Accept-Encoding');
      expect(await response.text()).toHaveLength(750);
    }
  });

  test('a missing file is requested once a second, however many viewers request it', async () => {
    const edge = await startEdgeOf(origin.url);
    const missingPath = '/hls/zzzzzzzzzzzzzzzz/index.m3u8';
    const responses = await Promise.all(Array.from({ length: 20 }, () => get(edge, `${missingPath}?ll=0`)));
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([404]));
    expect(origin.requests).toHaveLength(1);
    expect((await get(edge, missingPath)).status).toBe(404);
    expect((await get(edge, `${missingPath}?preview=x.y`)).status).toBe(404);
    expect(origin.requests).toHaveLength(2);
    vi.setSystemTime(Date.now() + 1_100);
    expect((await get(edge, missingPath)).status).toBe(404);
    expect(origin.requests).toHaveLength(3);
  });

  test('errors and timeouts of the origin are not cached', async () => {
    const edge = await startEdgeOf(origin.url);
    origin.live.answer = (_path, response) => response.writeHead(500).end();
    const failedResponse = await get(edge, segmentPath);
    expect([failedResponse.status, failedResponse.headers.get('retry-after')]).toEqual([503, '1']);
    origin.live.answer = () => undefined;
    expect((await get(edge, segmentPath)).status).toBe(504);
    origin.live.answer = (_path, response) => response.end('well');
    await expect.poll(() => textOf(get(edge, segmentPath))).toBe('well');
  });

  test('cached answers are served while the origin is unavailable', async () => {
    const edge = await startEdgeOf(origin.url);
    await textOf(get(edge, segmentPath));
    await origin.stop();
    expect((await get(edge, segmentPath)).status).toBe(200);
    const otherFile = await get(edge, `/hls/${playbackId}/source/879.m4s`);
    expect([otherFile.status, otherFile.headers.get('retry-after')]).toEqual([503, '1']);
    await origin.start();
    expect((await get(edge, `/hls/${playbackId}/source/879.m4s`)).status).toBe(200);
  });
});

describe('files', () => {
  beforeEach(() => origin.putAssetFile('video.mp4', videoBytes));
  const videoPath = `/asset/${playbackId}/video`;
  const bytesOf = async (response: Promise<Response>) => Buffer.from(await (await response).arrayBuffer());

  test('a range fetches the slices of 1,000 bytes that it covers, once for all viewers', async () => {
    const edge = await startEdgeOf(origin.url);
    const getRange = () => bytesOf(get(edge, videoPath, range('bytes=2500-3499')));
    const parts = await Promise.all(Array.from({ length: 50 }, getRange));
    expect(parts.every((part) => part.equals(videoBytes.subarray(2_500, 3_500)))).toBe(true);
    expect(origin.requests).toEqual([`${videoPath} bytes=2000-2999`, `${videoPath} bytes=3000-3999`]);
    const tailResponse = await get(edge, videoPath, range('bytes=-10'));
    expect(tailResponse.status).toBe(206);
    expect(tailResponse.headers.get('content-range')).toBe('bytes 9990-9999/10000');
    expect(await bytesOf(Promise.resolve(tailResponse))).toEqual(videoBytes.subarray(9_990));
    expect(origin.requests).toHaveLength(3);
    // Each of the ten slices has been requested once.
    expect(await bytesOf(get(edge, videoPath))).toEqual(videoBytes);
    expect(origin.requests).toHaveLength(10);
    expect(await bytesOf(get(edge, videoPath))).toEqual(videoBytes);
    expect(origin.requests).toHaveLength(10);
  });

  test('headers are those of the origin, and conditional requests and unsatisfiable ranges are answered without it', async () => {
    const edge = await startEdgeOf(origin.url);
    const direct = await get({ url: origin.url }, videoPath, { method: 'HEAD' });
    const headResponse = await get(edge, videoPath, { method: 'HEAD' });
    for (const name of [
      ...['content-length', 'content-type', 'etag', 'last-modified'],
      ...['cache-control', 'content-disposition', 'accept-ranges'],
    ]) {
      expect([name, headResponse.headers.get(name)]).toEqual([name, direct.headers.get(name)]);
    }
    const etag = headResponse.headers.get('etag') ?? '';
    origin.requests.length = 0;
    expect((await get(edge, videoPath, { headers: { 'If-None-Match': etag } })).status).toBe(304);
    expect((await get(edge, videoPath, range('bytes=20000-'))).status).toBe(416);
    expect(origin.requests).toEqual([]);
    const wholeBody = await bytesOf(
      get(edge, videoPath, { headers: { Range: 'bytes=0-9', 'If-Range': '"other"' } }),
    );
    expect(wholeBody).toHaveLength(10_000);
    const downloadResponse = await get(edge, `${videoPath}?download`, range('bytes=0-9'));
    expect(downloadResponse.headers.get('content-disposition')).toBe('attachment; filename=Film.mp4');
    // A download has the current name of the asset, so the origin is asked.
    origin.requests.length = 0;
    expect((await get(edge, `${videoPath}?download`, { method: 'HEAD' })).status).toBe(200);
    expect(origin.requests).toEqual([`${videoPath} bytes=0-999`]);
  });

  test('a range beyond the end of a file that is not cached is 416 with the length of the file', async () => {
    const edge = await startEdgeOf(origin.url);
    const beyond = await get(edge, videoPath, range('bytes=50000-'));
    expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, 'bytes */10000']);
  });

  test('a new version is fetched again, and not mixed with the old one', async () => {
    const edge = await startEdgeOf(origin.url);
    expect(await bytesOf(get(edge, `${videoPath}?download`))).toEqual(videoBytes);
    const otherFile = Buffer.alloc(5_000, 7);
    await origin.putAssetFile('video.mp4', otherFile);
    expect(await bytesOf(get(edge, `${videoPath}?download`))).toEqual(otherFile);
  });

  test('a deleted file is 404, and requests within a second cause one request to the origin', async () => {
    const edge = await startEdgeOf(origin.url);
    origin.deleteAsset();
    for (let round = 0; round < 3; round += 1) expect((await get(edge, videoPath)).status).toBe(404);
    expect(origin.requests).toHaveLength(1);
  });

  test('while the origin is unavailable, cached slices are served, and another file is answered with 503', async () => {
    const edge = await startEdgeOf(origin.url);
    await bytesOf(get(edge, videoPath, range('bytes=0-1999')));
    await origin.stop();
    const bytes = await bytesOf(get(edge, videoPath, range('bytes=100-1899')));
    expect(bytes).toEqual(videoBytes.subarray(100, 1_900));
    expect((await get(edge, `/asset/${playbackId}/source`)).status).toBe(503);
  });

  test('without a disk cache, ranges are forwarded', async () => {
    const edge = await startEdgeOf(origin.url, { isCached: false });
    for (let round = 1; round <= 2; round += 1) {
      expect(await bytesOf(get(edge, videoPath, range('bytes=2500-3499')))).toEqual(
        videoBytes.subarray(2_500, 3_500),
      );
      expect(origin.requests).toHaveLength(round);
    }
    const headResponse = await get(edge, videoPath, { method: 'HEAD' });
    expect(headResponse.headers.get('content-length')).toBe('10000');
    expect(await bytesOf(get(edge, videoPath))).toEqual(videoBytes);
  });

  test('without a disk cache, a file is requested with the user agent of the player', async () => {
    const edge = await startEdgeOf(origin.url, { isCached: false });
    await get(edge, videoPath, { headers: { 'User-Agent': 'Player/1' } });
    expect(origin.assetUserAgents).toEqual(['Player/1']);
  });
});

describe('viewers', () => {
  const answerMasters = () => {
    origin.live.answer = (path, response) => response.end(path.includes('source/') ? '#EXTM3U' : masterText);
  };

  test('get a token each, which no other viewer gets, and are counted at the origin', async () => {
    answerMasters();
    const edge = await startEdgeOf(origin.url);
    const from = (viewer: number) => ({ headers: { 'X-Forwarded-For': `192.0.2.${viewer}` } });
    const masterPlaylists = await Promise.all(
      Array.from({ length: 30 }, (_, viewer) => textOf(get(edge, masterPath, from(viewer)))),
    );
    expect(new Set(masterPlaylists).size).toBe(30);
    origin.requests.length = 0;
    for (let reload = 1; reload <= 3; reload += 1) {
      const mediaPlaylists = await Promise.all(
        masterPlaylists.map((text, viewer) =>
          textOf(get(edge, `${mediaPathIn(text)}&_HLS_msn=${reload}`, from(viewer))),
        ),
      );
      expect(new Set(mediaPlaylists)).toEqual(new Set(['#EXTM3U']));
    }
    expect(origin.requests).toHaveLength(3);
    expect(origin.requests.join()).not.toContain('viewer=');
    expect(await origin.counts()).toEqual([0, 0]);
    await edge.viewers.report();
    expect(await origin.counts()).toEqual([30, 30]);
    await edge.viewers.report();
    expect(await origin.counts()).toEqual([30, 0]);
  });

  test('at one address are limited to ten at a time', async () => {
    answerMasters();
    const edge = await startEdgeOf(origin.url);
    for (let viewer = 0; viewer < 30; viewer += 1)
      await textOf(get(edge, mediaPathIn(await textOf(get(edge, masterPath)))));
    await edge.viewers.report();
    expect(await origin.counts()).toEqual([10, 10]);
  });

  test('without a token count by address and user agent, if the origin trusts the edge', async () => {
    answerMasters();
    const edge = await startEdgeOf(origin.url);
    const getWithoutToken = (address: string) =>
      textOf(get(edge, `${mediaPath}?ll=0`, { headers: { 'X-Forwarded-For': address } }));
    await Promise.all([getWithoutToken('1.2.3.4'), getWithoutToken('1.2.3.4'), getWithoutToken('5.6.7.8')]);
    await edge.viewers.report();
    expect(await origin.counts()).toEqual([2, 2]);
  });

  test('without a valid token do not count at an untrusted edge', async () => {
    answerMasters();
    const untrustingOrigin = await startTestOrigin([]);
    servers.push(untrustingOrigin);
    untrustingOrigin.live.answer = (_path, response) => response.end('#EXTM3U');
    const edge = await startEdgeOf(untrustingOrigin.url);
    await textOf(get(edge, `${mediaPath}?ll=0`));
    await textOf(get(edge, `${mediaPath}?viewer=0123abcd${'A'.repeat(20)}`));
    await edge.viewers.report();
    expect(await untrustingOrigin.counts()).toEqual([0, 0]);
  });

  test('do not count if they get no playlist, only request headers, or preview', async () => {
    const edge = await startEdgeOf(origin.url);
    await get(edge, mediaPath, { method: 'HEAD' });
    await get(edge, `${mediaPath}?preview=abc.def`);
    await get(edge, '/hls/zzzzzzzzzzzzzzzz/source/index.m3u8');
    await edge.viewers.report();
    expect(await origin.counts()).toEqual([0, 0]);
  });
});

describe('a chain of edges', () => {
  test('requests a playlist from the origin once, serves ranges of files, and counts each viewer once', async () => {
    origin.live.answer = (path, response) => response.end(path.includes('source/') ? '#EXTM3U' : masterText);
    await origin.putAssetFile('video.mp4', videoBytes);
    const innerEdge = await startEdgeOf(origin.url);
    const outerEdge = await startEdgeOf(innerEdge.url);
    const viewerMediaPath = mediaPathIn(await textOf(get(outerEdge, masterPath)));
    origin.requests.length = 0;
    await Promise.all(
      Array.from({ length: 20 }, () => textOf(get(outerEdge, `${viewerMediaPath}&_HLS_msn=5`))),
    );
    expect(origin.requests).toEqual([`${mediaPath}?_HLS_msn=5`]);
    // A second viewer, without a token.
    await textOf(get(outerEdge, `${mediaPath}?ll=0`));
    await outerEdge.viewers.report();
    await innerEdge.viewers.report();
    expect(await origin.counts()).toEqual([2, 2]);
    const video = await get(outerEdge, `/asset/${playbackId}/video`, range('bytes=5-14'));
    expect(Buffer.from(await video.arrayBuffer())).toEqual(videoBytes.subarray(5, 15));
  });

  test('detects an edge whose upstream is the edge itself', async () => {
    const edge = await startEdgeOf('http://127.0.0.1:1');
    await edge.close();
    const selfEdge = await startEdgeOf(edge.url, { port: Number(new URL(edge.url).port) });
    const response = await get(selfEdge, segmentPath);
    expect(response.status).toBe(508);
    expect(await response.json()).toMatchObject({ errors: ['UPSTREAM_ORIGIN leads back to this edge.'] });
    expect((await get(selfEdge, `/asset/${playbackId}/video`)).status).toBe(508);
  });

  test('detects a loop of several edges', async () => {
    const reservedEdge = await startEdgeOf('http://127.0.0.1:1');
    await reservedEdge.close();
    let lastEdge = reservedEdge;
    for (let count = 1; count < 10; count += 1) lastEdge = await startEdgeOf(lastEdge.url);
    await startEdgeOf(lastEdge.url, { port: Number(new URL(reservedEdge.url).port) });
    expect((await get(lastEdge, segmentPath)).status).toBe(508);
  });

  test('ignores edges that a client names in its Via header', async () => {
    const innerEdge = await startEdgeOf(origin.url);
    const outerEdge = await startEdgeOf(innerEdge.url);
    const chain = formatVia(Array.from({ length: 20 }, () => createEdgeName(createEdgeId())));
    expect((await get(outerEdge, segmentPath, { headers: { Via: chain } })).status).toBe(200);
  });
});

describe('an edge', () => {
  test('accepts no uploads, no writes and no invalid viewer reports', async () => {
    const edge = await startEdgeOf(origin.url);
    for (const [method, path] of [
      ['POST', '/upload/tus'],
      ['PUT', '/upload/direct'],
      ['DELETE', segmentPath],
    ] as const) {
      const response = await get(edge, path, { method });
      expect(response.status).toBe(405);
      expect(await response.json()).toMatchObject({
        errors: ['This edge only serves viewers. Send uploads to the origin.'],
      });
    }
    const report = await get(edge, '/hls/viewers', { method: 'POST', body: '[["x","y"]]' });
    expect(report.status).toBe(400);
    expect(origin.requests).toEqual([]);
  });

  test('answers health checks and CORS preflights without its upstream, and rejects invalid paths and directives', async () => {
    const edge = await startEdgeOf('http://127.0.0.1:1');
    expect(await (await get(edge, '/healthz')).json()).toEqual({ ok: true });
    const preflight = await get(edge, segmentPath, { method: 'OPTIONS' });
    expect(preflight.status).toBe(204);
    const allowedHeaders = preflight.headers.get('access-control-allow-headers')?.split(', ');
    const reportedHeaders = ['CMCD-Request', 'CMCD-Object', 'CMCD-Status', 'CMCD-Session'];
    expect(allowedHeaders).toEqual(expect.arrayContaining(reportedHeaders));
    for (const path of [
      '/',
      '/metrics',
      `/hls/${playbackId}/../x`,
      '/asset/%2e%2e/x',
      `/hls/${playbackId}/source/7.ts`,
    ]) {
      expect([path, (await get(edge, path)).status]).toEqual([path, 404]);
    }
    expect((await get(edge, `${mediaPath}?_HLS_part=1`)).status).toBe(400);
  });
});
