import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLogger } from '@/lib/infra/logger';
import { endingHeader, mediaSecondsHeader } from '@/media-worker/kit/http/hls-request';
import { listen, type HttpServer } from '@/media-worker/kit/http/listen';
import { createLiveHandler } from './live-http';
import { Packaging } from '@/media-worker/media/packaging/testing/packaging';
import {
  audioConfig,
  steadyFrames,
  videoConfig,
} from '@/media-worker/media/packaging/testing/synthetic-packets';

const [playingId, startingId, endingId] = ['abcd1234efgh5678', 'startingstarting', 'endingendingendi'];
const packaging = new Packaging();
packaging.begin([videoConfig(), audioConfig(), ...steadyFrames({ untilMs: 7_000 })]);
const startingPackaging = new Packaging();
startingPackaging.begin([videoConfig(), ...steadyFrames({ untilMs: 400, audio: false })]);

const reopenedId = 'reopenedreopened';
const endedPackaging = new Packaging();
endedPackaging.begin([videoConfig(), audioConfig(), ...steadyFrames({ untilMs: 7_000 })]);
endedPackaging.window.end();

const thumbnail = Buffer.from('picture');

let http: HttpServer;
beforeAll(async () => {
  const log = createLogger('test', 'silent');
  const handler = createLiveHandler(
    (id) => {
      if (id === playingId) return packaging;
      if (id === reopenedId) return endedPackaging;
      if (id === endingId) return { renditions: packaging.renditions, isEnding: true };
      return id === startingId ? startingPackaging : undefined;
    },
    { requestImage: (renditions) => Promise.resolve(renditions === packaging.renditions ? thumbnail : null) },
    log,
  );
  http = await listen(handler, { host: '127.0.0.1', port: 0, maxConnections: 100, log });
});
afterAll(() => http.close());

const get = (path: string) => fetch(`http://127.0.0.1:${http.port}${path}`);

test('every file that the playlists name can be fetched', async () => {
  const masterPlaylist = await (await get(`/${playingId}/index.m3u8`)).text();
  expect(masterPlaylist).toContain('CODECS="avc1.');
  expect(masterPlaylist).toContain('source/index.m3u8');
  const mediaPlaylist = await (await get(`/${playingId}/source/index.m3u8?ll=0`)).text();
  const names = [...mediaPlaylist.matchAll(/URI="([^"]+)"|^([^#\s].*)$/gm)].map(
    ([, init, segment]) => init ?? segment,
  );
  // The init segment, and three complete segments in seven seconds.
  expect(names).toHaveLength(4);
  for (const name of names) {
    const response = await get(`/${playingId}/source/${name}`);
    expect(response.status).toBe(200);
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(bytes.length).toBe(Number(response.headers.get('content-length')));
    expect(bytes.toString('latin1', 4, 8)).toBe(name?.startsWith('init') ? 'ftyp' : 'moof');
  }
});

test('playlists of a stream that is about to end have the ending header', async () => {
  const isEndingMarked = async (id: string, file: string) =>
    (await get(`/${id}/${file}`)).headers.has(endingHeader);
  for (const file of ['index.m3u8', 'source/index.m3u8', 'source/index.m3u8?ll=0'])
    expect([await isEndingMarked(endingId, file), await isEndingMarked(playingId, file)]).toEqual([
      true,
      false,
    ]);
});

test('a playlist that has ended and restarts is played to its end, and not served to new viewers', async () => {
  expect((await get(`/${reopenedId}/index.m3u8`)).status).toBe(404);
  expect(await (await get(`/${reopenedId}/source/index.m3u8`)).text()).toContain('#EXT-X-ENDLIST');
});

test('the parts of a segment together are the segment', async () => {
  const segment = packaging.segments[0];
  if (!segment) throw new Error('no segment');
  const wholeSegment = Buffer.from(
    await (await get(`/${playingId}/source/${segment.msn}.m4s`)).arrayBuffer(),
  );
  const parts: Buffer[] = [];
  let seconds = 0;
  for (const part of segment.parts.keys()) {
    const response = await get(`/${playingId}/source/${segment.msn}.${part}.m4s`);
    parts.push(Buffer.from(await response.arrayBuffer()));
    seconds += Number(response.headers.get(mediaSecondsHeader));
  }
  expect(Buffer.concat(parts).equals(wholeSegment)).toBe(true);
  const { headers } = await get(`/${playingId}/source/${segment.msn}.m4s`);
  expect(Number(headers.get(mediaSecondsHeader))).toBeCloseTo(segment.durationMs / 1_000);
  expect(seconds).toBeCloseTo(segment.durationMs / 1_000);
});

test('the latest thumbnail of a stream is served if there is one', async () => {
  const response = await get(`/${playingId}/thumbnail.jpg`);
  expect(response.headers.get('content-type')).toBe('image/jpeg');
  expect(await response.text()).toBe('picture');
});

test.each([
  `/${startingId}/thumbnail.jpg`,
  '/unknownunknown12/thumbnail.jpg',
  `/${startingId}/index.m3u8`,
  '/unknownunknown12/index.m3u8',
  `/${playingId}/720p/index.m3u8`,
  `/${playingId}/source/init-99.mp4`,
  `/${playingId}/source/1.m4s`,
  `/${playingId}/source/1.1.m4s`,
  '/',
])('%s is not found', async (path) => {
  const response = await get(path);
  expect(response.status).toBe(404);
  expect(await response.json()).toMatchObject({ errors: ['No live stream at this URL.'] });
});

test('the node confirms which streams it has, including those that cannot be played yet', async () => {
  const fetchStatus = async (id: string) => (await get(`/${id}`)).status;
  expect([
    await fetchStatus(playingId),
    await fetchStatus(startingId),
    await fetchStatus('unknownunknown12'),
  ]).toEqual([204, 204, 404]);
});

test('the health check reports that the node is healthy', async () => {
  expect((await get('/healthz')).status).toBe(200);
});
