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

const id = 'abcd1234efgh5678';
const home = '0123abcd';
const masterPlaylist =
  '#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nsource/index.m3u8\n#EXT-X-STREAM-INF:BANDWIDTH=2\n720p/index.m3u8\n';
const foundAnswer = (body: string): Answer => ({
  status: 200,
  headers: { 'Cache-Control': 'no-store' },
  body: [Buffer.from(body)],
});
const playlist = `/${id}/source/index.m3u8`;

function requestOf(method: string, address: string, agent: string): IncomingMessage {
  const request = new IncomingMessage(new Socket());
  return Object.assign(request, { method, headers: { host: address, 'user-agent': agent } });
}

function open() {
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
  const play = async (more: Parameters<typeof get>[1] = {}) => {
    const text = await textOf(get(`/${id}/index.m3u8`, { ...more, answer: foundAnswer(masterPlaylist) }));
    const uri = text.split('\n').find((line) => line.startsWith('source/')) ?? '';
    await get(`/${id}/${uri}`, more);
    return uri;
  };
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
  test('count if they stay, and not if they only load playlists', async () => {
    const { get, play, counts, clock } = open();
    const playing: string[] = [];
    for (let viewer = 0; viewer < 30; viewer += 1) playing.push(await play({ agent: `player ${viewer}` }));
    await play({ address: '5.6.7.8' });
    expect(await counts()).toEqual([11, 11]);
    const remainingViewers = playing.slice(0, 25);
    for (let reload = 0; reload < 8; reload += 1) {
      clock.ms += 4_000;
      for (const uri of remainingViewers) await get(`/${id}/${uri}`);
    }
    expect((await counts())[0]).toBe(25);
  });
});

describe('a preview of the owner', () => {
  const previewOf = async ({ get, textOf }: ReturnType<typeof open>, token: string) => {
    const text = await textOf(
      get(`/${id}/index.m3u8?preview=${token}`, { answer: foundAnswer(masterPlaylist) }),
    );
    const uri = text.split('\n').find((line) => line.startsWith('source/')) ?? '';
    await get(`/${id}/${uri}`);
    await get(`/${id}/${uri}&_HLS_msn=4`);
    return uri;
  };

  test('is not counted, and does not hide another viewer', async () => {
    const origin = open();
    const token = origin.previews.issue(id, crypto.randomUUID());
    expect(await previewOf(origin, token)).toBe(`source/index.m3u8?preview=${token}`);
    expect(await origin.counts()).toEqual([0, 0]);
    await origin.play({ address: '1.2.3.4' });
    expect(await origin.counts()).toEqual([1, 1]);
  });

  test('with a token that is forged, expired or of another stream is counted', async () => {
    const origin = open();
    const expiredToken = origin.previews.issue(id, crypto.randomUUID());
    const foreign = origin.previews.issue('another000000000', crypto.randomUUID());
    expect(await previewOf(origin, foreign)).toContain('?viewer=');
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
    const { get, textOf, tokens } = open();
    const answer = () => get(`/${id}/index.m3u8`, { answer: foundAnswer(masterPlaylist) });
    const [first, second] = [await textOf(answer()), await textOf(answer())];
    expect(first).not.toBe(second);
    const [source, rendition] = [...first.matchAll(/^(\w+)\/index\.m3u8\?viewer=(0123abcd[\w-]{20})$/gm)];
    expect([source?.[1], rendition?.[1]]).toEqual(['source', '720p']);
    expect(source?.[2]).toBe(rendition?.[2]);
    expect(tokens.isValid(id, source?.[2] ?? '')).toBe(true);
    expect((await answer()).headers?.['Cache-Control']).toBe('no-store');
    expect(first.replaceAll(/\?viewer=.*/g, '')).toBe(masterPlaylist);
  });

  test('for caches is the same for everyone', async () => {
    const { get, textOf } = open();
    expect(await textOf(get(`/${id}/index.m3u8?ll=0`, { answer: foundAnswer(masterPlaylist) }))).toBe(
      masterPlaylist,
    );
  });

  test('that does not exist stays an error, and a viewer who has only loaded it does not count', async () => {
    const { get, counts } = open();
    const missing: Answer = { status: 404 };
    expect(await get(`/${id}/index.m3u8`, { answer: missing })).toBe(missing);
    const probeReply = jsonAnswer(200, { broadcast: { state: 'idle' } });
    expect(await get(`/${id}/index.m3u8?probe`, { answer: probeReply })).toBe(probeReply);
    await get(`/${id}/index.m3u8`, { answer: foundAnswer(masterPlaylist) });
    expect(await counts()).toEqual([0, 0]);
  });
});

describe('viewers', () => {
  test('behind one address with the same user agent are distinguished', async () => {
    const { play, get, counts } = open();
    const uris = [await play(), await play(), await play()];
    for (const uri of uris) await get(`/${id}/${uri}&_HLS_msn=7&_HLS_part=1`);
    expect(await counts()).toEqual([3, 3]);
  });

  test('that change their rendition or address count once', async () => {
    const { play, get, counts } = open();
    const uri = await play();
    await get(`/${id}/${uri.replace('source', '720p')}`, { address: '5.6.7.8' });
    expect(await counts()).toEqual([1, 1]);
  });

  test('without a valid token count by address and user agent', async () => {
    const { get, counts, tokens } = open();
    await get(playlist);
    await get(`${playlist}?ll=0`);
    for (const token of [`${home}${'A'.repeat(20)}`, 'x', tokens.issue('otherotherother1')]) {
      await get(`${playlist}?viewer=${token}`);
    }
    expect(await counts()).toEqual([1, 1]);
    await get(playlist, { agent: 'another player' });
    await get(playlist, { address: '5.6.7.8' });
    expect(await counts()).toEqual([3, 2]);
  });

  test('do not count if they get no playlist, or only request headers or segments', async () => {
    const { get, counts } = open();
    await get(playlist, { answer: { status: 404 } });
    await get(playlist, { answer: { status: 503 } });
    await get(playlist, { method: 'HEAD' });
    await get(`/${id}/source/7.m4s`);
    await get(`/${id}/thumbnail.jpg`);
    await get('/nonsense');
    expect(await counts()).toEqual([0, 0]);
  });

  test('tokens differ for each request, and those with another secret do not count', () => {
    const tokens = new ViewerTokens(createSecrets('a'.repeat(32)), home);
    const tokenList = Array.from({ length: 100 }, () => tokens.issue(id));
    expect(new Set(tokenList).size).toBe(100);
    expect(tokenList.every((token) => tokens.isValid(id, token))).toBe(true);
    expect(new ViewerTokens(createSecrets('b'.repeat(32)), home).isValid(id, tokenList[0] ?? '')).toBe(false);
  });
});
