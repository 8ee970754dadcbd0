import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { assetKey, recordingKey } from '@/lib/core/storage-keys';
import { systemClock } from '@/lib/infra/clock';
import { createClientAddressReader } from '@/lib/infra/egress/ip-address';
import { createLogger } from '@/lib/infra/logger';
import { createSecrets } from '@/lib/infra/secrets';
import { openStorage } from '@/lib/infra/storage';
import { PreviewTokens } from '@/lib/domain/access';
import { mediaSecondsHeader } from '@/media-worker/kit/http/hls-request';
import type { Delivery } from '@/media-worker/kit/http/answer';
import type { HttpServer } from '@/media-worker/kit/http/listen';
import { createViewerHash } from '@/media-worker/kit/http/viewer-hash';
import { ViewsPerAddress } from '@/media-worker/kit/http/views-per-address';
import { AssetViews, createAssetWatch } from './asset-views';
import { NodeFinder } from '@/media-worker/delivery/origin/live/find-node';
import { LiveProxy, createUpstream } from '@/media-worker/delivery/origin/live/live-proxy';
import { LiveSource } from '@/media-worker/delivery/origin/live/live-source';
import { createServeAsset } from '@/media-worker/delivery/origin/stored/serve-asset';
import { startOrigin } from '@/media-worker/delivery/origin/server';
import { startFakeLiveNode, type FakeLiveNode } from '@/media-worker/delivery/origin/testing/fake-live-node';
import { admitAllViewers } from '@/media-worker/delivery/origin/testing/admit-all-viewers';
import { ignoreViewers } from '@/media-worker/delivery/origin/testing/ignore-viewers';

const livePlaybackId = 'abcd1234efgh5678';
const assetPlaybackId = '8765hgfe4321dcba';
const assetId = '3c1d7d5e-0a4b-4c1f-9d2e-6b5a4f3e2d1c';
const sessionId = '2b0d6c9e-8f57-4a1c-b7c4-0f4f8e1d3a92';
const log = createLogger('test', 'silent');
const rejectUpload = () => Promise.reject(new Error('no upload here'));
const folder = await mkdtemp(join(tmpdir(), 'delivered-'));
const storage = openStorage({ dataDir: folder });
const upstream = createUpstream(() => ({}));
let node: FakeLiveNode;
let origin: HttpServer;
const startedViews: string[] = [];
let deliveries: (Delivery & { bytes: number })[] = [];

beforeAll(async () => {
  await storage.put(assetKey(assetId, 'source.mp4'), Buffer.alloc(20_000_000, 'video'));
  await storage.put(assetKey(assetId, 'hls/index.m3u8'), Buffer.from('#EXTM3U'));
  await storage.put(assetKey(assetId, 'hls/segment-1.m4s'), Buffer.from('segment'));
  await storage.put(assetKey(assetId, 'poster.jpg'), Buffer.from('poster'));
  const segmentKey = recordingKey(sessionId, 'hls/source/7-1_2_0_2000000_5_i.m4s');
  await storage.put(segmentKey, Buffer.from('12345678'));
  await storage.put(recordingKey(sessionId, 'source.mp4'), Buffer.from('whole'));
  node = await startFakeLiveNode();
  node.answer = (path, response) => {
    if (path.endsWith('.m4s')) response.setHeader(mediaSecondsHeader, '2');
    response.end('0123456789');
  };
  const assetRow = {
    assetId,
    filesId: assetId,
    name: 'Film',
    sourceKey: assetKey(assetId, 'source.mp4'),
    sourceFormat: 'mp4',
    hasAudio: false,
    hasVideo: true,
    posterTime: null,
    duration: 10,
    tracks: [],
  };
  const serveAsset = createServeAsset({
    storage,
    locate: (id) =>
      Promise.resolve(id === assetPlaybackId ? { ...assetRow, videoKey: assetRow.sourceKey } : null),
  });
  const views = new AssetViews({ clock: systemClock, onView: (id) => startedViews.push(id) });
  const previews = new PreviewTokens({ secrets: createSecrets('x'.repeat(32)), clock: systemClock });
  origin = await startOrigin({
    watchAsset: createAssetWatch({
      views,
      previews,
      hashOf: createViewerHash(createClientAddressReader([])),
      perAddress: new ViewsPerAddress({ clock: systemClock, addressOf: createClientAddressReader([]) }),
    }),
    host: '127.0.0.1',
    port: 0,
    log,
    watch: ignoreViewers,
    guard: admitAllViewers,
    serveAsset,
    serveIpfs: rejectUpload,
    serveUploadedPicture: () => Promise.reject(new Error('no picture here')),
    onDelivery: (delivery, bytes) => deliveries.push({ ...delivery, bytes }),
    live: new LiveSource({
      nodes: new NodeFinder((id) => Promise.resolve(id === livePlaybackId ? node.url : null), systemClock),
      proxy: new LiveProxy({ fetch: upstream.fetch }),
    }),
    uploads: {
      put: rejectUpload,
      logo: rejectUpload,
      slate: rejectUpload,
      poster: rejectUpload,
      tus: { handle: rejectUpload },
    },
    recordings: { storage, sessions: { find: () => Promise.resolve({ name: 'Choir' }) } },
  });
});
afterAll(async () => {
  await origin.close();
  upstream.close();
  await node.close();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(() => {
  deliveries = [];
});

const get = async (path: string, headers: Record<string, string> = {}) => {
  const response = await fetch(`http://127.0.0.1:${origin.port}${path}`, { headers });
  await response.arrayBuffer();
  return response;
};
/** The count arrives when the response has ended, which may be after the client has received all of it. */
const expectDeliveries = (count: number) => expect.poll(() => deliveries).toHaveLength(count);
const segmentPath = (name: string) => `/hls/${livePlaybackId}/source/${name}.m4s`;
const videoPath = `/asset/${assetPlaybackId}/video`;

test('the start of an asset is a view, and later requests of the viewer are not', async () => {
  await get(`/asset/${assetPlaybackId}/segment-1.m4s`);
  await get(`/asset/${assetPlaybackId}/missing.m4s`);
  await get(`/asset/${livePlaybackId}/index.m3u8`);
  expect(startedViews).toEqual([]);
  await get(`/asset/${assetPlaybackId}/index.m3u8`);
  await get(videoPath, { Range: 'bytes=0-99' });
  expect(startedViews).toEqual([assetPlaybackId]);
  await get(videoPath, { Range: 'bytes=0-99', 'User-Agent': 'another' });
  expect(startedViews).toEqual([assetPlaybackId, assetPlaybackId]);
  await expectDeliveries(4);
});

describe('delivered bytes are counted', () => {
  test.each([
    [segmentPath('878'), {}, { kind: 'stream', id: livePlaybackId, secondsPerByte: 0.2, bytes: 10 }],
    // A second viewer gets the segment from the cache, which knows its duration.
    [segmentPath('878'), {}, { kind: 'stream', id: livePlaybackId, secondsPerByte: 0.2, bytes: 10 }],
    [
      segmentPath('878'),
      { Range: 'bytes=0-3' },
      { kind: 'stream', id: livePlaybackId, secondsPerByte: 0.2, bytes: 4 },
    ],
    [
      `/hls/${livePlaybackId}/index.m3u8`,
      {},
      { kind: 'stream', id: livePlaybackId, secondsPerByte: 0, bytes: 10 },
    ],
    [
      `/recordings/${sessionId}/source/7-1_2_0_2000000_5_i.m4s`,
      {},
      { kind: 'session', id: sessionId, secondsPerByte: 0.25, bytes: 8 },
    ],
    [
      `/recordings/${sessionId}/source.mp4`,
      { Range: 'bytes=1-3' },
      { kind: 'session', id: sessionId, secondsPerByte: null, bytes: 3 },
    ],
    [videoPath, {}, { kind: 'asset', id: assetId, secondsPerByte: null, bytes: 20_000_000 }],
    [videoPath, { Range: 'bytes=0-99' }, { kind: 'asset', id: assetId, secondsPerByte: null, bytes: 100 }],
    [
      `/asset/${assetPlaybackId}/segment-1.m4s`,
      {},
      { kind: 'asset', id: assetId, secondsPerByte: null, bytes: 7 },
    ],
    [`/asset/${assetPlaybackId}/index.m3u8`, {}, { kind: 'asset', id: assetId, secondsPerByte: 0, bytes: 7 }],
    [`/asset/${assetPlaybackId}/poster.jpg`, {}, { kind: 'asset', id: assetId, secondsPerByte: 0, bytes: 6 }],
  ])('for %s with the headers %j', async (path, headers, expectedDelivery) => {
    expect((await get(path, headers)).ok).toBe(true);
    await expectDeliveries(1);
    expect(deliveries).toEqual([expectedDelivery]);
  });

  test('for a viewer who disconnects, as far as they were sent', async () => {
    const request = httpRequest(`http://127.0.0.1:${origin.port}${videoPath}`).end();
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    await once(response, 'readable');
    request.destroy();
    await expectDeliveries(1);
    expect(deliveries[0]?.bytes).toBeGreaterThan(0);
    expect(deliveries[0]?.bytes).toBeLessThan(15_000_000);
  });
});

describe('nothing is counted for', () => {
  afterEach(async () => {
    // This counted request comes after the previous one, which therefore did not count.
    await get(`/asset/${assetPlaybackId}/poster.jpg`);
    await expectDeliveries(1);
    expect(deliveries[0]?.bytes).toBe(6);
  });

  test('a HEAD request', async () => {
    const response = await fetch(`http://127.0.0.1:${origin.port}${videoPath}`, { method: 'HEAD' });
    expect(response.status).toBe(200);
  });

  test('a 304 response to a viewer that has the file cached', async () => {
    const headResponse = await fetch(`http://127.0.0.1:${origin.port}${videoPath}`, { method: 'HEAD' });
    const cachedResponse = await get(videoPath, { 'If-None-Match': headResponse.headers.get('etag') ?? '' });
    expect(cachedResponse.status).toBe(304);
  });

  test.each([
    [`/asset/${livePlaybackId}/video`, 404, {}],
    [videoPath, 416, { Range: 'bytes=99999999-' }],
    [segmentPath('878'), 416, { Range: 'bytes=99-' }],
    ['/healthz', 200, {}],
  ])('a request for %s that is answered with %d', async (path, status, headers) => {
    expect((await get(path, headers)).status).toBe(status);
  });
});
