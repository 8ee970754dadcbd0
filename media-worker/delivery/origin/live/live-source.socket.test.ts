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

const query = (text: string): PlaylistQuery => {
  const parsedQuery = parsePlaylistQuery(text);
  if (!parsedQuery) throw new Error('a bad query');
  return parsedQuery;
};
const withoutParts = query('?ll=0');

let live: FakeLiveNode;
let findNode: () => Promise<string | null>;
let source: LiveSource;
beforeEach(async () => {
  live = await startFakeLiveNode();
  findNode = () => Promise.resolve(live.url);
  source = openSource({});
});
afterEach(() => live.close());

const doubtedIds: string[] = [];

function openSource(times: { holdMs?: number; returnMs?: number }, maxBlockedPerStream = 200): LiveSource {
  const proxy = new LiveProxy({ fetch: upstream.fetch, maxBlockedPerStream });
  return new LiveSource({
    nodes: { find: () => findNode(), doubt: (playbackId) => void doubtedIds.push(playbackId) },
    proxy,
    ...times,
  });
}

/** Returns the body of an answer, or the reason why there is none. */
async function fetchBody(hls: HlsPath, playlistQuery = withoutParts): Promise<string> {
  const answer = await source.get(hls, playlistQuery);
  if (typeof answer === 'string') return answer;
  return answer.status === 200 ? answer.body.toString() : String(answer.status);
}
const bodyOf = (hls: HlsPath) => `body of /${playbackId}/source/${hls.file}`;

describe('the location of a stream', () => {
  test('is looked up again only if its node does not have the stream or does not answer', async () => {
    source = openSource({ holdMs: 0 });
    doubtedIds.length = 0;
    await fetchBody(playlist);
    expect(doubtedIds).toEqual([]);
    live.answer = (_, response) => response.writeHead(404).end();
    await fetchBody(segment);
    expect(doubtedIds).toEqual([playbackId]);
    await live.close();
    await fetchBody(segment);
    expect(doubtedIds.length).toBeGreaterThan(1);
  });
});

describe('a live process that restarts', () => {
  test('is waited for', async () => {
    await live.close();
    const pending = fetchBody(playlist);
    live = await startFakeLiveNode();
    expect(await pending).toBe(`${bodyOf(playlist)}?ll=0`);
  });

  test('is waited for once by all identical requests', async () => {
    await live.close();
    const pending = Promise.all(Array.from({ length: 50 }, () => fetchBody(segment)));
    live = await startFakeLiveNode();
    expect(new Set(await pending)).toEqual(new Set([bodyOf(segment)]));
    expect(live.requests).toHaveLength(1);
  });

  test('leaves viewers with the last playlist and cached segments', async () => {
    source = openSource({ holdMs: 500 });
    const lastPlaylist = await fetchBody(playlist);
    await fetchBody(segment);
    await live.close();
    // The first answer may be cached for a moment.
    await expect.poll(() => source.get(playlist, query('?ll=0&_HLS_msn=9'))).toBe('away');
    expect(await fetchBody(playlist)).toBe(lastPlaylist);
    expect(await fetchBody(segment)).toBe(bodyOf(segment));
    expect(await fetchBody({ ...segment, file: '879.m4s' })).toBe('away');
  });

  test('repeats the last playlist soon, because hls.js counts repetitions', async () => {
    source = openSource({ holdMs: 30_000 });
    const lastPlaylist = await fetchBody(playlist);
    await live.close();
    const startedAt = performance.now();
    expect(await fetchBody(playlist)).toBe(lastPlaylist);
    expect(performance.now() - startedAt).toBeLessThan(10_000);
  });

  test('gives new viewers no master playlist, so that they do not start with old segments', async () => {
    source = openSource({ holdMs: 300 });
    const masterPath: HlsPath = { ...playlist, rendition: null };
    for (const playlistQuery of [withoutParts, query('')])
      expect(await fetchBody(masterPath, playlistQuery)).toContain('body of');
    await live.close();
    // The first answer may be cached for a moment.
    for (const playlistQuery of [withoutParts, query('')])
      await expect.poll(() => fetchBody(masterPath, playlistQuery)).toBe('away');
  });

  test('does not end its streams, because their encoders reconnect', async () => {
    source = openSource({ holdMs: 5_000 });
    const url = live.url;
    await live.close();
    const first = source.get(segment, withoutParts);
    findNode = () => Promise.resolve(null);
    expect(await first).toBe('away');
    // The new process has released the old one's streams; the encoder connects while viewers wait.
    const waiting = fetchBody(playlist);
    live = await startFakeLiveNode();
    expect(live.url).not.toBe(url);
    live.answer = (_, response) => response.writeHead(404).end();
    findNode = () => Promise.resolve(live.url);
    await expect.poll(() => live.requests.length).toBeGreaterThan(1);
    live.answer = (_, response) => response.end('again');
    expect(await waiting).toBe('again');
  });

  test('has no stream if its encoder does not reconnect', async () => {
    source = openSource({ holdMs: 300, returnMs: 1_000 });
    await live.close();
    expect(await fetchBody(playlist)).toBe('away');
    findNode = () => Promise.resolve(null);
    await expect.poll(() => fetchBody(playlist)).toBe('nothing');
  });
});

describe('a live process that is frozen', () => {
  test('leaves viewers with the last playlist', async () => {
    const lastPlaylist = await fetchBody(playlist);
    live.answer = () => undefined;
    await expect.poll(async () => (await fetchBody(playlist), live.requests.length)).toBeGreaterThan(1);
    expect(await fetchBody(playlist)).toBe(lastPlaylist);
    expect(await fetchBody(segment)).toBe('late');
  });
});

describe('a database that does not know where a stream is', () => {
  test('is waited for, and never interpreted as "not found"', async () => {
    source = openSource({ holdMs: 300 });
    findNode = () => Promise.reject(new Error('no database'));
    expect(await fetchBody(playlist)).toBe('away');
    expect(await fetchBody(segment)).toBe('away');
    source = openSource({});
    const pending = fetchBody(segment);
    findNode = () => Promise.resolve(live.url);
    expect(await pending).toBe(bodyOf(segment));
  });

  test('answers immediately that a stream has ended', async () => {
    findNode = () => Promise.resolve(null);
    expect(await fetchBody(playlist)).toBe('nothing');
    findNode = () => Promise.resolve(live.url);
    live.answer = (_, response) => response.writeHead(404).end();
    expect(await fetchBody(playlist)).toBe('nothing');
  });
});

describe('a stream that its node reports as ended', () => {
  test('is requested again despite a cached answer', async () => {
    expect(await fetchBody(playlist)).toContain('body of');
    live.answer = (_, response) => response.writeHead(404).end();
    source.endedStreams.end(playbackId);
    expect(await fetchBody(playlist)).toBe('nothing');
  });

  test('is requested again despite an earlier identical request', async () => {
    const pendingAnswers: (() => void)[] = [];
    live.answer = (path, response) => void pendingAnswers.push(() => response.end(`body of ${path}`));
    const earlierBody = fetchBody(playlist);
    await expect.poll(() => pendingAnswers.length).toBe(1);
    source.endedStreams.end(playbackId);
    live.answer = (_, response) => response.writeHead(404).end();
    expect(await fetchBody(playlist)).toBe('nothing');
    pendingAnswers[0]?.();
    expect(await earlierBody).toBe('nothing');
    expect(await fetchBody(playlist)).toBe('nothing');
  });

  test('leaves its segments to viewers who know them, and can start again', async () => {
    expect(await fetchBody(segment)).toBe(bodyOf(segment));
    source.endedStreams.end(playbackId);
    expect(await fetchBody(segment)).toBe(bodyOf(segment));
    expect(live.requests).toHaveLength(1);
    await expect.poll(() => fetchBody(playlist)).toContain('body of');
  });
});

test('blocking requests are limited for each stream', async () => {
  source = openSource({ holdMs: 100 }, 2);
  live.answer = (path, response) => {
    if (!path.includes('_HLS_msn')) response.end('immediate');
  };
  const pendingAnswers = [1, 2].map((msn) => source.get(playlist, query(`?_HLS_msn=${msn}`)));
  pendingAnswers.forEach((answer) => void answer.catch(() => undefined));
  await expect.poll(() => live.requests.length).toBe(2);
  expect(await fetchBody(playlist, query('?_HLS_msn=3'))).toBe('away');
  expect(await fetchBody(playlist)).toBe('immediate');
  expect(live.requests).toHaveLength(3);
});
