import { parse, type types } from 'hls-parser';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createLogger } from '@/lib/infra/logger';
import { listen, type HttpServer } from '@/media-worker/kit/http/listen';
import { createLiveHandler } from './live-http';
import type { Packager } from '@/media-worker/media/packaging/packager';
import { Rendition } from '@/media-worker/media/packaging/rendition';
import { Packaging } from '@/media-worker/media/packaging/testing/packaging';
import {
  audioConfig,
  steadyFrames,
  videoConfig,
} from '@/media-worker/media/packaging/testing/synthetic-packets';

/** The tests deliver the frames of the stream. Parts have 500 ms, segments 2 s. */
const playbackId = 'abcd1234efgh5678';
let packaging: Packaging;
let packager: Packager;
let sentUntilMs: number;
let http: HttpServer;

beforeAll(async () => {
  const log = createLogger('test', 'silent');
  const handler = createLiveHandler(
    (requestedId) => (requestedId === playbackId ? packaging : undefined),
    { requestImage: () => Promise.resolve(null) },
    log,
  );
  http = await listen(handler, { host: '127.0.0.1', port: 0, maxConnections: 100, log });
});
afterAll(() => http.close());

beforeEach(() => {
  packaging = new Packaging();
  packager = packaging.begin([videoConfig(), audioConfig()]);
  sentUntilMs = 0;
  deliverFrames(5_300);
});

/** Delivers the frames up to this media time. */
function deliverFrames(untilMs: number): void {
  packaging.push(
    packager,
    steadyFrames({ untilMs }).filter(({ dts }) => dts >= sentUntilMs),
  );
  sentUntilMs = untilMs;
}

const get = (path: string) => fetch(`http://127.0.0.1:${http.port}/${playbackId}/${path}`);
const fetchMediaPlaylist = async (query = '') => (await get(`source/index.m3u8${query}`)).text();

async function readPlaylist(query = ''): Promise<types.MediaPlaylist> {
  const playlist = parse(await fetchMediaPlaylist(query));
  if (playlist.isMasterPlaylist) throw new Error('a master playlist');
  return playlist;
}

/** The end of the playlist: number of its last segment, and the count of its parts. */
async function findPlaylistEnd(): Promise<{ msn: number; parts: number }> {
  const { segments } = await readPlaylist();
  const lastSegment = segments.at(-1);
  // The parser does not number an incomplete segment that has only parts.
  const lastCompleteSegment = segments.filter(({ uri }) => uri).at(-1);
  if (!lastSegment || !lastCompleteSegment) throw new Error('nothing is listed');
  return {
    msn:
      lastSegment === lastCompleteSegment
        ? lastCompleteSegment.mediaSequenceNumber
        : lastCompleteSegment.mediaSequenceNumber + 1,
    parts: lastSegment.parts.filter(({ hint }) => !hint).length,
  };
}

/** Whether a promise settles within a few iterations of the event loop. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let hasSettled = false;
  void promise.then(() => (hasSettled = true));
  for (let round = 0; round < 20; round++) await new Promise((resolve) => setTimeout(resolve, 5));
  return hasSettled;
}

describe('a low-latency playlist', () => {
  test('lists the parts of the newest segments and hints at the next one', async () => {
    const playlist = await readPlaylist();
    expect(playlist.lowLatencyCompatibility).toMatchObject({ canBlockReload: true });
    expect(playlist.lowLatencyCompatibility?.partHoldBack).toBeCloseTo(
      3 * (playlist.partTargetDuration ?? Infinity),
      6,
    );
    for (const { parts } of playlist.segments) {
      for (const part of parts.filter(({ hint }) => !hint)) {
        expect(part.duration).toBeLessThanOrEqual(playlist.partTargetDuration ?? 0);
        expect((await get(`source/${part.uri}`)).status).toBe(200);
      }
    }
    expect((await fetchMediaPlaylist()).trim().split('\n').at(-1)).toMatch(
      /^#EXT-X-PRELOAD-HINT:TYPE=PART,URI="\d+\.\d+\.m4s"$/,
    );
  });

  test('lists the parts of a closed segment, which together are as long as the segment', async () => {
    const { segments } = await readPlaylist();
    const [firstSegment] = segments;
    if (!firstSegment) throw new Error('nothing is listed');
    const partSeconds = firstSegment.parts.reduce((sum, { duration = 0 }) => sum + duration, 0);
    expect(partSeconds).toBeCloseTo(firstSegment.duration, 2);
  });

  test('has a version without parts at ?ll=0', async () => {
    const text = await fetchMediaPlaylist('?ll=0');
    expect(text).not.toMatch(/PART|SERVER-CONTROL|PRELOAD/);
    const masterPlaylist = await (await get('index.m3u8?ll=0')).text();
    expect(masterPlaylist).toContain('source/index.m3u8?ll=0');
  });

  test('reports the positions of other renditions', async () => {
    const otherPackaging = new Packaging();
    otherPackaging.begin([videoConfig(), audioConfig(), ...steadyFrames({ untilMs: 4_600 })]);
    packaging.renditions.add(new Rendition('low', otherPackaging.window));
    const view = otherPackaging.window.view();
    expect(await fetchMediaPlaylist()).toContain(
      `#EXT-X-RENDITION-REPORT:URI="../low/index.m3u8",LAST-MSN=${view.open?.msn},LAST-PART=${(view.open?.parts.length ?? 0) - 1}`,
    );
    expect(await (await get('low/index.m3u8')).text()).toContain('URI="../source/index.m3u8"');
  });
});

describe('before the first segment is complete', () => {
  const fetchStatus = async (path: string) => (await get(path)).status;

  beforeEach(() => {
    packaging = new Packaging();
    packager = packaging.begin([videoConfig(), audioConfig()]);
    sentUntilMs = 0;
  });

  test('nothing is served before the first part, and playlists wait for it', async () => {
    deliverFrames(400);
    expect(await fetchStatus('index.m3u8?ll=1')).toBe(404);
    const response = fetchMediaPlaylist('?ll=1');
    expect(await isSettled(response)).toBe(false);
    deliverFrames(600);
    expect(await response).toContain('#EXT-X-GAP');
  });

  test('a player that does not request parts waits for the whole segment', async () => {
    deliverFrames(600);
    const msn = (await readPlaylist('?ll=1')).segments[0]?.mediaSequenceNumber ?? 0;
    const responses = ['', '?ll=0', `?_HLS_msn=${msn + 1}&_HLS_part=0`].map((query) =>
      fetchMediaPlaylist(query),
    );
    expect(await Promise.all(responses.map(isSettled))).toEqual([false, false, false]);
    deliverFrames(2_100);
    for (const playlist of responses) expect(await playlist).toContain(`#EXT-X-MEDIA-SEQUENCE:${msn + 1}\n`);
  });

  test('a playlist that has nothing to list in time is not available yet', async () => {
    expect(await fetchStatus('source/index.m3u8')).toBe(503);
  });

  test('in a resumed session every player waits for the whole segment', async () => {
    packaging = new Packaging({ startMs: 20_000 });
    packager = packaging.begin([videoConfig(), audioConfig()]);
    deliverFrames(600);
    expect(await fetchStatus('index.m3u8?ll=1')).toBe(404);
    const response = fetchMediaPlaylist('?ll=1');
    expect(await isSettled(response)).toBe(false);
    deliverFrames(2_100);
    expect(await response).not.toContain('#EXT-X-GAP');
  });

  test('players that request parts can play them', async () => {
    deliverFrames(600);
    const masterPlaylist = await (await get('index.m3u8?ll=1')).text();
    expect(masterPlaylist).toMatch(/CODECS="avc1[^"]+,mp4a[^"]+",RESOLUTION=/);
    expect(await fetchStatus('index.m3u8')).toBe(404);
    expect(masterPlaylist).toContain('source/index.m3u8?ll=1');
    const { segments } = await readPlaylist('?ll=1');
    expect(segments.map(({ gap = false }) => gap)).toEqual([true, false]);
    const [part] = segments[1]?.parts ?? [];
    expect(part).toMatchObject({ independent: true });
    expect([
      await fetchStatus(`source/${part?.uri}`),
      await fetchStatus(`source/${segments[0]?.uri}`),
    ]).toEqual([200, 404]);
    expect(await fetchStatus('index.m3u8?ll=0')).toBe(404);
  });

  test('a blocking reload waits for the next part, and for the whole segment', async () => {
    deliverFrames(600);
    const msn = (await readPlaylist('?ll=1')).segments[0]?.mediaSequenceNumber ?? 0;
    const [partPlaylist, segmentPlaylist] = [
      fetchMediaPlaylist(`?ll=1&_HLS_msn=${msn + 1}&_HLS_part=1`),
      fetchMediaPlaylist(`?ll=1&_HLS_msn=${msn + 1}`),
    ];
    expect(await isSettled(partPlaylist)).toBe(false);
    deliverFrames(1_100);
    expect(await partPlaylist).toContain(`${msn + 1}.1.m4s`);
    deliverFrames(2_100);
    expect(await segmentPlaylist).toContain(`#EXT-X-MEDIA-SEQUENCE:${msn + 1}\n`);
  });

  test('the master playlist is served when all renditions that are being made have a part', async () => {
    const otherPackaging = new Packaging();
    const encodedPackager = otherPackaging.begin([videoConfig(), audioConfig()]);
    packaging.renditions.add(new Rendition('low', otherPackaging.window));
    deliverFrames(600);
    expect(await fetchStatus('index.m3u8?ll=1')).toBe(404);
    otherPackaging.push(encodedPackager, steadyFrames({ untilMs: 600 }));
    expect(await (await get('index.m3u8?ll=1')).text()).toContain('low/index.m3u8');
    expect(await fetchMediaPlaylist('?ll=1')).toContain('RENDITION-REPORT:URI="../low/index.m3u8"');
  });

  test('the master playlist does not wait for a late rendition once the source has a whole segment', async () => {
    packaging.renditions.add(new Rendition('low', new Packaging().window));
    deliverFrames(2_100);
    const masterPlaylist = await (await get('index.m3u8')).text();
    expect(masterPlaylist).toContain('source/index.m3u8');
    expect(masterPlaylist).not.toContain('low/');
  });
});

describe('a blocking reload', () => {
  test('for an existing position is answered immediately', async () => {
    const { msn, parts } = await findPlaylistEnd();
    for (const query of [`?_HLS_msn=${msn}&_HLS_part=${parts - 1}`, `?_HLS_msn=${msn - 1}`, `?_HLS_msn=1`])
      // A blocking request gets 503 after six seconds without its part.
      expect((await get(`source/index.m3u8${query}`)).status).toBe(200);
  });

  test('for the next part is held until that part exists', async () => {
    const { msn, parts } = await findPlaylistEnd();
    const pending = fetchMediaPlaylist(`?_HLS_msn=${msn}&_HLS_part=${parts}`);
    expect(await isSettled(pending)).toBe(false);
    deliverFrames(5_900);
    expect(await pending).toContain(`${msn}.${parts}.m4s`);
  });

  test('for the next whole segment is held until it is closed', async () => {
    const { msn } = await findPlaylistEnd();
    const pending = fetchMediaPlaylist(`?_HLS_msn=${msn}`);
    deliverFrames(5_900);
    expect(await isSettled(pending)).toBe(false);
    deliverFrames(6_300);
    expect(await pending).toContain(`\n${msn}.m4s\n`);
  });

  test('for a part that its segment never gets is answered when the segment is closed', async () => {
    const { msn, parts } = await findPlaylistEnd();
    const pending = fetchMediaPlaylist(`?_HLS_msn=${msn}&_HLS_part=${parts + 4}`);
    expect(await isSettled(pending)).toBe(false);
    deliverFrames(6_300);
    expect(await pending).toContain(`\n${msn}.m4s\n`);
  });

  test('for a position too far ahead, or for a part without its segment, is a bad request', async () => {
    const { msn, parts } = await findPlaylistEnd();
    expect((await get(`source/index.m3u8?_HLS_msn=${msn + 3}`)).status).toBe(400);
    // Three seconds of parts of at most 550 ms (rfc8216bis §6.2.5.2).
    for (const [segment, part] of [
      [msn, parts + 6],
      [msn, 999_999],
      [msn + 1, 6],
      [msn + 2, 99],
    ])
      // prettier-ignore
      expect((await get(`source/index.m3u8?_HLS_msn=${segment}&_HLS_part=${part}`)).status).toBe(400);
    expect((await get('source/index.m3u8?_HLS_part=1')).status).toBe(400);
  });

  test('for which no media arrives times out after three target durations', async () => {
    const { msn } = await findPlaylistEnd();
    const startedAtMs = performance.now();
    const response = await get(`source/index.m3u8?_HLS_msn=${msn + 2}`);
    expect(response.status).toBe(503);
    expect(performance.now() - startedAtMs).toBeGreaterThan(5_900);
  });

  test('of an ended playlist is answered immediately', async () => {
    const { msn } = await findPlaylistEnd();
    const pending = fetchMediaPlaylist(`?_HLS_msn=${msn + 1}`);
    packager.finish();
    packaging.window.end();
    deliverFrames(5_300);
    expect(await fetchMediaPlaylist(`?_HLS_msn=${msn + 1}`)).toContain('#EXT-X-ENDLIST');
    void pending.catch(() => undefined);
  });
});

test('the hinted part is held until it exists, and no other part is held', async () => {
  const { msn, parts } = await findPlaylistEnd();
  expect((await get(`source/${msn}.${parts + 1}.m4s`)).status).toBe(404);
  const pending = get(`source/${msn}.${parts}.m4s`);
  expect(await isSettled(pending)).toBe(false);
  deliverFrames(5_900);
  const response = await pending;
  expect(response.status).toBe(200);
  expect(Buffer.from(await response.arrayBuffer()).toString('latin1', 4, 8)).toBe('moof');
});
