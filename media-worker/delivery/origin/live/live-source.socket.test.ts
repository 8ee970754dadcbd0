import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type HlsPath, type PlaylistQuery, parsePlaylistQuery } from '@/media-worker/kit/http/hls-request';
import { LiveProxy, createUpstream } from './live-proxy';
import { LiveSource } from './live-source';
import { startFakeLiveNode, type FakeLiveNode } from '@/media-worker/delivery/origin/testing/fake-live-node';

const playbackId = 'abcd1234efgh5678';
const playlist: HlsPath = { playbackId, rendition: 'source', file: 'index.m3u8', kind: 'playlist' };
const segment: HlsPath = { playbackId, rendition: 'source', file: '878.m4s', kind: 'media' };
const upstream = createUpstream(() => ({}), { timeoutMs: 1_000 });
afterAll(() => upstream.close());

const parseQuery = (text: string): PlaylistQuery => {
  const parsedQuery = parsePlaylistQuery(text);
  if (!parsedQuery) throw new Error('a bad query');
  return parsedQuery;
};
/** A playlist without parts, for players without low latency. */
const withoutLowLatency = parseQuery('?ll=0');

let liveNode: FakeLiveNode;
let findNode: () => Promise<string | null>;
let source: LiveSource;
beforeEach(async () => {
  liveNode = await startFakeLiveNode();
  findNode = () => Promise.resolve(liveNode.url);
  source = openSource({});
});
afterEach(() => liveNode.close());

const staleIds: string[] = [];

function openSource(
  times: { maxWaitMs?: number; reconnectTimeoutMs?: number },
  maxBlockedPerStream = 200,
): LiveSource {
  const proxy = new LiveProxy({ fetch: upstream.fetch, maxBlockedPerStream });
  return new LiveSource({
    nodes: { find: () => findNode(), markStale: (playbackId) => void staleIds.push(playbackId) },
    proxy,
    ...times,
  });
}

/** Returns the body of an answer, or the reason why there is none. */
async function fetchBody(hls: HlsPath, playlistQuery = withoutLowLatency): Promise<string> {
  const answer = await source.get(hls, playlistQuery);
  if (typeof answer === 'string') return answer;
  return answer.status === 200 ? answer.body.toString() : String(answer.status);
}
const bodyOf = (hls: HlsPath) => `body of /${playbackId}/source/${hls.file}`;

describe('the location of a stream', () => {
  test('is marked as stale only if the node does not have the stream or does not answer', async () => {
    source = openSource({ maxWaitMs: 0 });
    staleIds.length = 0;
    await fetchBody(playlist);
    expect(staleIds).toEqual([]);
    liveNode.answer = (_, response) => response.writeHead(404).end();
    await fetchBody(segment);
    expect(staleIds).toEqual([playbackId]);
    await liveNode.close();
    await fetchBody(segment);
    expect(staleIds.length).toBeGreaterThan(1);
  });
});

describe('while a live node restarts', () => {
  test('requests wait for it', async () => {
    await liveNode.close();
    const pendingBody = fetchBody(playlist);
    liveNode = await startFakeLiveNode();
    expect(await pendingBody).toBe(`${bodyOf(playlist)}?ll=0`);
  });

  test('identical requests that wait for it are coalesced into one', async () => {
    await liveNode.close();
    const bodies = Promise.all(Array.from({ length: 50 }, () => fetchBody(segment)));
    liveNode = await startFakeLiveNode();
    expect(new Set(await bodies)).toEqual(new Set([bodyOf(segment)]));
    expect(liveNode.requests).toHaveLength(1);
  });

  test('the origin repeats the last media playlist and serves cached segments', async () => {
    source = openSource({ maxWaitMs: 500 });
    const lastPlaylist = await fetchBody(playlist);
    await fetchBody(segment);
    await liveNode.close();
    // The proxy caches a playlist for a moment. A blocking request (_HLS_msn) never gets the last playlist again.
    await expect.poll(() => source.get(playlist, parseQuery('?ll=0&_HLS_msn=9'))).toBe('unavailable');
    expect(await fetchBody(playlist)).toBe(lastPlaylist);
    expect(await fetchBody(segment)).toBe(bodyOf(segment));
    expect(await fetchBody({ ...segment, file: '879.m4s' })).toBe('unavailable');
  });

  test('the last playlist is repeated within 5 s: hls.js stops after 15 s unless it gets the playlist three times', async () => {
    source = openSource({ maxWaitMs: 30_000 });
    const lastPlaylist = await fetchBody(playlist);
    await liveNode.close();
    const startedAt = performance.now();
    expect(await fetchBody(playlist)).toBe(lastPlaylist);
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  });

  test('new viewers get no master playlist, so that they do not start with old segments', async () => {
    source = openSource({ maxWaitMs: 300 });
    const masterPath: HlsPath = { ...playlist, rendition: null };
    for (const playlistQuery of [withoutLowLatency, parseQuery('')])
      expect(await fetchBody(masterPath, playlistQuery)).toContain('body of');
    await liveNode.close();
    // The proxy caches a playlist for a moment.
    for (const playlistQuery of [withoutLowLatency, parseQuery('')])
      await expect.poll(() => fetchBody(masterPath, playlistQuery)).toBe('unavailable');
  });

  test('its streams are unavailable but not ended, because their encoders reconnect', async () => {
    source = openSource({ maxWaitMs: 5_000 });
    const url = liveNode.url;
    await liveNode.close();
    const answer = source.get(segment, withoutLowLatency);
    findNode = () => Promise.resolve(null);
    expect(await answer).toBe('unavailable');
    // In the database, the restarted node has released its streams. The encoder connects while viewers wait.
    const pendingBody = fetchBody(playlist);
    liveNode = await startFakeLiveNode();
    expect(liveNode.url).not.toBe(url);
    liveNode.answer = (_, response) => response.writeHead(404).end();
    findNode = () => Promise.resolve(liveNode.url);
    await expect.poll(() => liveNode.requests.length).toBeGreaterThan(1);
    liveNode.answer = (_, response) => response.end('again');
    expect(await pendingBody).toBe('again');
  });

  test('a stream whose encoder does not reconnect is not found after a timeout', async () => {
    source = openSource({ maxWaitMs: 300, reconnectTimeoutMs: 1_000 });
    await liveNode.close();
    expect(await fetchBody(playlist)).toBe('unavailable');
    findNode = () => Promise.resolve(null);
    await expect.poll(() => fetchBody(playlist)).toBe('not_found');
  });
});

describe('while a live node is frozen', () => {
  test('the origin repeats the last media playlist, and requests for segments time out', async () => {
    const lastPlaylist = await fetchBody(playlist);
    liveNode.answer = () => undefined;
    // Until the playlist is no longer cached, the node is not requested.
    await expect
      .poll(async () => {
        await fetchBody(playlist);
        return liveNode.requests.length;
      })
      .toBeGreaterThan(1);
    expect(await fetchBody(playlist)).toBe(lastPlaylist);
    expect(await fetchBody(segment)).toBe('timeout');
  });
});

describe('a database that is unavailable', () => {
  test('is waited for, and its streams are unavailable, not "not found"', async () => {
    source = openSource({ maxWaitMs: 300 });
    findNode = () => Promise.reject(new Error('no database'));
    expect(await fetchBody(playlist)).toBe('unavailable');
    expect(await fetchBody(segment)).toBe('unavailable');
    source = openSource({});
    const pendingBody = fetchBody(segment);
    findNode = () => Promise.resolve(liveNode.url);
    expect(await pendingBody).toBe(bodyOf(segment));
  });
});

test('a stream without a node, or whose node does not have it, is not found immediately', async () => {
  findNode = () => Promise.resolve(null);
  expect(await fetchBody(playlist)).toBe('not_found');
  findNode = () => Promise.resolve(liveNode.url);
  liveNode.answer = (_, response) => response.writeHead(404).end();
  expect(await fetchBody(playlist)).toBe('not_found');
});

describe('a stream that its node reports as ended', () => {
  test('is no longer served from the cache', async () => {
    expect(await fetchBody(playlist)).toContain('body of');
    liveNode.answer = (_, response) => response.writeHead(404).end();
    source.endedStreams.recordEnd(playbackId);
    expect(await fetchBody(playlist)).toBe('not_found');
  });

  test('is not served from an identical request that is still pending', async () => {
    const respondToPending: (() => void)[] = [];
    liveNode.answer = (requestTarget, response) =>
      void respondToPending.push(() => response.end(`body of ${requestTarget}`));
    const earlierBody = fetchBody(playlist);
    await expect.poll(() => respondToPending.length).toBe(1);
    source.endedStreams.recordEnd(playbackId);
    liveNode.answer = (_, response) => response.writeHead(404).end();
    expect(await fetchBody(playlist)).toBe('not_found');
    respondToPending[0]?.();
    // The node responds with 200, but to a request that is older than the end of the stream.
    expect(await earlierBody).toBe('not_found');
    expect(await fetchBody(playlist)).toBe('not_found');
  });

  test('still has its cached segments, and can start again', async () => {
    expect(await fetchBody(segment)).toBe(bodyOf(segment));
    source.endedStreams.recordEnd(playbackId);
    expect(await fetchBody(segment)).toBe(bodyOf(segment));
    expect(liveNode.requests).toHaveLength(1);
    await expect.poll(() => fetchBody(playlist)).toContain('body of');
  });
});

test('above the limit of blocking requests of a stream, only requests that do not block are answered', async () => {
  source = openSource({ maxWaitMs: 100 }, 2);
  liveNode.answer = (requestTarget, response) => {
    if (!requestTarget.includes('_HLS_msn')) response.end('immediate');
  };
  const pendingAnswers = [1, 2].map((msn) => source.get(playlist, parseQuery(`?_HLS_msn=${msn}`)));
  pendingAnswers.forEach((answer) => void answer.catch(() => undefined));
  await expect.poll(() => liveNode.requests.length).toBe(2);
  expect(await fetchBody(playlist, parseQuery('?_HLS_msn=3'))).toBe('unavailable');
  expect(await fetchBody(playlist)).toBe('immediate');
  expect(liveNode.requests).toHaveLength(3);
});
