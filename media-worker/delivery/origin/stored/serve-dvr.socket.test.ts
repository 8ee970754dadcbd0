import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { recordingKey } from '@/lib/core/storage-keys';
import { systemClock } from '@/lib/infra/clock';
import { createLogger } from '@/lib/infra/logger';
import { openStorage } from '@/lib/infra/storage';
import type { HttpServer } from '@/media-worker/kit/http/listen';
import { NodeFinder } from '@/media-worker/delivery/origin/live/find-node';
import { LiveProxy, createUpstream } from '@/media-worker/delivery/origin/live/live-proxy';
import { LiveSource } from '@/media-worker/delivery/origin/live/live-source';
import { Dvr } from './serve-dvr';
import { startOrigin } from '@/media-worker/delivery/origin/server';
import { startFakeLiveNode, type FakeLiveNode } from '@/media-worker/delivery/origin/testing/fake-live-node';
import { noRecordings } from '@/media-worker/delivery/origin/testing/no-recordings';
import { admitAllViewers } from '@/media-worker/delivery/origin/testing/admit-all-viewers';
import { ignoreViewers } from '@/media-worker/delivery/origin/testing/ignore-viewers';

const playbackId = 'abcd1234efgh5678';
const sessionId = '5c1e7a90-4b62-4f0e-8d3b-6a2f9c8b7d10';
const folder = await mkdtemp(join(tmpdir(), 'serve-dvr-'));
const storage = openStorage({ dataDir: folder });
const rejectRequest = () => Promise.reject(new Error('not here'));
const upstream = createUpstream(() => ({}), { timeoutMs: 1_500 });
let live: FakeLiveNode;
let origin: HttpServer;
let isRecorded: boolean;
let isStorageAway: boolean;
let dvrSeconds: number;

const segmentName = (msn: number) =>
  `7-1_${msn}_${msn * 2_000_000}_2000000_${1_900_000_000_000 + msn * 2_000}_i.m4s`;
const mediaPlaylist = `#EXTM3U
#EXT-X-VERSION:7
#EXT-X-TARGETDURATION:2
#EXT-X-MEDIA-SEQUENCE:12
#EXT-X-DISCONTINUITY-SEQUENCE:0
#EXT-X-MAP:URI="init-7-1.mp4"
#EXT-X-PROGRAM-DATE-TIME:2030-01-01T00:00:00.000Z
#EXTINF:2.000,
12.m4s
`;

beforeAll(async () => {
  const store = (file: string, body: string) => storage.put(recordingKey(sessionId, file), Buffer.from(body));
  await store('hls/source/init-7-1.mp4', 'init');
  for (const msn of [9, 10, 11, 12]) await store(`hls/source/${segmentName(msn)}`, `segment ${msn}`);
  live = await startFakeLiveNode();
  live.answer = (path, response) => {
    if (path.endsWith('/source/index.m3u8?ll=0')) return response.end(mediaPlaylist);
    if (path.endsWith(`${playbackId}/index.m3u8`) || path.includes(`${playbackId}/index.m3u8?`))
      return response.end('#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nsource/index.m3u8\n');
    if (path.endsWith('/source/12.m4s')) return response.end('live 12');
    response.statusCode = 404;
    return response.end();
  };
  origin = await startOrigin({
    host: '127.0.0.1',
    port: 0,
    log: createLogger('test', 'silent'),
    watch: ignoreViewers,
    guard: admitAllViewers,
    onDelivery: () => undefined,
    recordings: noRecordings,
    serveAsset: rejectRequest,
    serveIpfs: rejectRequest,
    serveUploadedPicture: rejectRequest,
    uploads: {
      put: rejectRequest,
      logo: rejectRequest,
      slate: rejectRequest,
      poster: rejectRequest,
      tus: { handle: rejectRequest },
    },
    live: new LiveSource({
      nodes: new NodeFinder(() => Promise.resolve(live.url), systemClock),
      proxy: new LiveProxy({ fetch: upstream.fetch }),
    }),
    dvr: new Dvr({
      storage,
      list: (prefix) => {
        if (isStorageAway) throw new Error('away');
        return storage.list(prefix);
      },
      listMaxAgeMs: 1,
      sessions: { find: () => Promise.resolve(isRecorded ? { id: sessionId, seconds: dvrSeconds } : null) },
    }),
  });
});
beforeEach(() => {
  isRecorded = true;
  isStorageAway = false;
  dvrSeconds = 600;
});
afterAll(async () => {
  await origin.close();
  upstream.close();
  await live.close();
  await rm(folder, { recursive: true, force: true });
});

const get = (path: string) => fetch(`http://127.0.0.1:${origin.port}/hls/${playbackId}/${path}`);
const urisOf = (text: string) => text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));

test('?dvr=1 in the master playlist leads to every stored segment, with the numbers of the live window', async () => {
  expect(urisOf(await (await get('index.m3u8?dvr=1')).text())).toEqual(['source/index.m3u8?dvr=1']);
  const media = await get('source/index.m3u8?dvr=1');
  expect([media.status, media.headers.get('cache-control')]).toEqual([200, 'public, max-age=1']);
  const text = await media.text();
  expect(urisOf(text)).toEqual(['9.m4s', '10.m4s', '11.m4s', '12.m4s']);
  expect(text).toContain('#EXT-X-MEDIA-SEQUENCE:9\n');
  const bodies = await Promise.all(urisOf(text).map(async (uri) => (await get(`source/${uri}`)).text()));
  expect(bodies).toEqual(['segment 9', 'segment 10', 'segment 11', 'live 12']);
  expect(await (await get('source/init-7-1.mp4')).text()).toBe('init');
});

test('DVR is as long as the owner allows', async () => {
  dvrSeconds = 6;
  const text = await (await get('source/index.m3u8?dvr=1')).text();
  expect(urisOf(text)).toEqual(['10.m4s', '11.m4s', '12.m4s']);
});

test('the regular playlist is the one of the live node', async () => {
  expect(await (await get('source/index.m3u8?ll=0')).text()).toBe(mediaPlaylist);
  expect(urisOf(await (await get('index.m3u8')).text())).toEqual(['source/index.m3u8']);
});

test('a stored segment supports ranges', async () => {
  const response = await fetch(`http://127.0.0.1:${origin.port}/hls/${playbackId}/source/9.m4s`, {
    headers: { Range: 'bytes=0-6' },
  });
  expect([response.status, await response.text()]).toEqual([206, 'segment']);
});

test('a stream without stored segments only has its window', async () => {
  isRecorded = false;
  expect(await (await get('source/index.m3u8?dvr=1')).text()).toBe(mediaPlaylist);
  for (const file of ['9.m4s', 'init-7-1.mp4']) expect((await get(`source/${file}`)).status).toBe(404);
});

test.each(['8.m4s', '9.0.m4s', 'init-8.mp4'])(
  '%s, which was not stored, is answered with 404',
  async (file) => {
    expect((await get(`source/${file}`)).status).toBe(404);
  },
);

test('while the storage is unavailable, a stored segment is an error and not missing', async () => {
  isStorageAway = true;
  // The cached list of segments expires.
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect((await get('source/9.m4s')).status).toBe(500);
  expect(await (await get('source/index.m3u8?dvr=1')).text()).toBe(mediaPlaylist);
});
