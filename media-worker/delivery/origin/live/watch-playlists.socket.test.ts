import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { type Answer, jsonAnswer } from '@/media-worker/kit/http/answer';
import { createSecrets } from '@/lib/infra/secrets';
import { PreviewTokens } from '@/lib/domain/access';
import { createViewerHash } from '@/media-worker/kit/http/viewer-hash';
import { ViewsPerAddress } from '@/media-worker/kit/http/views-per-address';
import { ViewerCount, type ViewerSample } from '@/media-worker/delivery/origin/audience/viewer-count';
import { ViewerTokens, createPlaylistWatch } from './watch-playlists';

const playbackId = 'abcd1234efgh5678';
const home = '0123abcd';
const masterPlaylist =
  '#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nsource/index.m3u8\n#EXT-X-STREAM-INF:BANDWIDTH=2\n720p/index.m3u8\n';
const foundAnswer = (body: string): Answer => ({
  status: 200,
  headers: { 'Cache-Control': 'no-store' },
  body: [Buffer.from(body)],
});
const mediaPath = `/${playbackId}/source/index.m3u8`;

function requestOf(method: string, address: string, agent: string): IncomingMessage {
  const request = new IncomingMessage(new Socket());
  return Object.assign(request, { method, headers: { host: address, 'user-agent': agent } });
}

function openWatch() {
  const clock = { ms: 0, monotonic: () => clock.ms };
  const samples: ViewerSample[] = [];
  const count = new ViewerCount(clock, (batch) => Promise.resolve(void samples.push(...batch)));
  const tokens = new ViewerTokens(createSecrets('a'.repeat(32)), home);
  const addressOf = (request: IncomingMessage) => String(request.headers.host);
  const previews = new PreviewTokens({
    secrets: createSecrets('x'.repeat(32)),
    clock: { ...clock, now: () => new Date(clock.ms) },
  });
  const perAddress = new ViewsPerAddress({ clock, addressOf });
  const watch = createPlaylistWatch({
    count,
    tokens,
    previews,
    hashOf: createViewerHash(addressOf),
    perAddress,
  });
  const get = (
    target: string,
    { address = '1.2.3.4', agent = 'player', method = 'GET', answer = foundAnswer('#EXTM3U') } = {},
  ) => watch(requestOf(method, address, agent), target, () => Promise.resolve(answer));
  const textOf = async (answer: Promise<Answer>) =>
    Buffer.concat([...((await answer).body ?? [])]).toString();
  /** Loads the master playlist and then its media playlist, as a player does. */
  const play = async (options: Parameters<typeof get>[1] = {}) => {
    const text = await textOf(
      get(`/${playbackId}/index.m3u8`, { ...options, answer: foundAnswer(masterPlaylist) }),
    );
    const uri = text.split('\n').find((line) => line.startsWith('source/')) ?? '';
    await get(`/${playbackId}/${uri}`, options);
    return uri;
  };
  /** Takes a sample, and returns the viewers and the views that began since the last one. */
  const counts = async () => {
    clock.ms += 5_000;
    count.sample();
    samples.length = 0;
    await count.flush();
    const [sample] = samples;
    return sample ? [sample.viewers, sample.views] : [0, 0];
  };
  return { get, textOf, play, counts, tokens, previews, clock };
}

describe('many viewers at one address', () => {
  test('are limited to ten, but all who reload playlists for half a minute count', async () => {
    const { get, play, counts, clock } = openWatch();
    const mediaUris: string[] = [];
    for (let viewer = 0; viewer < 30; viewer += 1) mediaUris.push(await play({ agent: `player ${viewer}` }));
    await play({ address: '5.6.7.8' });
    // Ten of thirty viewers at one address, and one at another.
    expect(await counts()).toEqual([11, 11]);
    const remainingUris = mediaUris.slice(0, 25);
    for (let reload = 0; reload < 8; reload += 1) {
      clock.ms += 4_000;
      for (const uri of remainingUris) await get(`/${playbackId}/${uri}`);
    }
    expect((await counts())[0]).toBe(25);
  });
});

describe('a preview of the owner', () => {
  const previewOf = async ({ get, textOf }: ReturnType<typeof openWatch>, token: string) => {
    const text = await textOf(
      get(`/${playbackId}/index.m3u8?preview=${token}`, { answer: foundAnswer(masterPlaylist) }),
    );
    const uri = text.split('\n').find((line) => line.startsWith('source/')) ?? '';
    await get(`/${playbackId}/${uri}`);
    await get(`/${playbackId}/${uri}&_HLS_msn=4`);
    return uri;
  };

  test('is not counted, and does not hide another viewer', async () => {
    const origin = openWatch();
    const token = origin.previews.issue(playbackId, crypto.randomUUID());
    expect(await previewOf(origin, token)).toBe(`source/index.m3u8?preview=${token}`);
    expect(await origin.counts()).toEqual([0, 0]);
    await origin.play({ address: '1.2.3.4' });
    expect(await origin.counts()).toEqual([1, 1]);
  });

  test('with a token that is forged, expired or of another stream is counted', async () => {
    const origin = openWatch();
    const expiredToken = origin.previews.issue(playbackId, crypto.randomUUID());
    const otherStreamToken = origin.previews.issue('another000000000', crypto.randomUUID());
    expect(await previewOf(origin, otherStreamToken)).toContain('?viewer=');
    expect(await origin.counts()).toEqual([1, 1]);
    await previewOf(origin, `zzzzzz.${'A'.repeat(22)}`);
    expect(await origin.counts()).toEqual([2, 1]);
    origin.clock.ms = 8 * 86_400_000;
    expect(await previewOf(origin, expiredToken)).toContain('?viewer=');
    expect(await origin.counts()).toEqual([1, 1]);
  });
});

describe('the master playlist', () => {
  test('names media playlists with a separate token for each request, and is not cached', async () => {
    const { get, textOf, tokens } = openWatch();
    const answer = () => get(`/${playbackId}/index.m3u8`, { answer: foundAnswer(masterPlaylist) });
    const [first, second] = [await textOf(answer()), await textOf(answer())];
    expect(first).not.toBe(second);
    const [source, rendition] = [...first.matchAll(/^(\w+)\/index\.m3u8\?viewer=(0123abcd[\w-]{20})$/gm)];
    expect([source?.[1], rendition?.[1]]).toEqual(['source', '720p']);
    expect(source?.[2]).toBe(rendition?.[2]);
    expect(tokens.isValid(playbackId, source?.[2] ?? '')).toBe(true);
    expect((await answer()).headers?.['Cache-Control']).toBe('no-store');
    expect(first.replaceAll(/\?viewer=.*/g, '')).toBe(masterPlaylist);
  });

  test('for caches (?ll=0) contains no viewer token', async () => {
    const { get, textOf } = openWatch();
    expect(await textOf(get(`/${playbackId}/index.m3u8?ll=0`, { answer: foundAnswer(masterPlaylist) }))).toBe(
      masterPlaylist,
    );
  });

  test('is passed on unchanged if it does not exist or is a probe, and a viewer who loads only it does not count', async () => {
    const { get, counts } = openWatch();
    const missing: Answer = { status: 404 };
    expect(await get(`/${playbackId}/index.m3u8`, { answer: missing })).toBe(missing);
    const probeReply = jsonAnswer(200, { broadcast: { state: 'idle' } });
    expect(await get(`/${playbackId}/index.m3u8?probe`, { answer: probeReply })).toBe(probeReply);
    await get(`/${playbackId}/index.m3u8`, { answer: foundAnswer(masterPlaylist) });
    expect(await counts()).toEqual([0, 0]);
  });
});

describe('viewers', () => {
  test('behind one address with the same user agent are distinguished', async () => {
    const { play, get, counts } = openWatch();
    const uris = [await play(), await play(), await play()];
    for (const uri of uris) await get(`/${playbackId}/${uri}&_HLS_msn=7&_HLS_part=1`);
    expect(await counts()).toEqual([3, 3]);
  });

  test('that change their rendition or address count once', async () => {
    const { play, get, counts } = openWatch();
    const uri = await play();
    await get(`/${playbackId}/${uri.replace('source', '720p')}`, { address: '5.6.7.8' });
    expect(await counts()).toEqual([1, 1]);
  });

  test('without a valid token count by address and user agent', async () => {
    const { get, counts, tokens } = openWatch();
    await get(mediaPath);
    await get(`${mediaPath}?ll=0`);
    for (const token of [`${home}${'A'.repeat(20)}`, 'x', tokens.issue('otherotherother1')]) {
      await get(`${mediaPath}?viewer=${token}`);
    }
    expect(await counts()).toEqual([1, 1]);
    await get(mediaPath, { agent: 'another player' });
    await get(mediaPath, { address: '5.6.7.8' });
    expect(await counts()).toEqual([3, 2]);
  });

  test('do not count if they get no playlist, or only request headers or segments', async () => {
    const { get, counts } = openWatch();
    await get(mediaPath, { answer: { status: 404 } });
    await get(mediaPath, { answer: { status: 503 } });
    await get(mediaPath, { method: 'HEAD' });
    await get(`/${playbackId}/source/7.m4s`);
    await get(`/${playbackId}/thumbnail.jpg`);
    await get('/nonsense');
    expect(await counts()).toEqual([0, 0]);
  });

  test('get tokens that differ for each request and are valid only with the secret of the installation', () => {
    const tokens = new ViewerTokens(createSecrets('a'.repeat(32)), home);
    const tokenList = Array.from({ length: 100 }, () => tokens.issue(playbackId));
    expect(new Set(tokenList).size).toBe(100);
    expect(tokenList.every((token) => tokens.isValid(playbackId, token))).toBe(true);
    expect(
      new ViewerTokens(createSecrets('b'.repeat(32)), home).isValid(playbackId, tokenList[0] ?? ''),
    ).toBe(false);
  });
});
