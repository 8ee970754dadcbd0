import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { omitUndefined } from '@/lib/core/omit-undefined';
import { createSecrets } from '@/lib/infra/secrets';
import { PreviewTokens } from '@/lib/domain/access';
import { createEdgeName, formatVia } from '@/media-worker/kit/http/via';
import { createViewerHash } from '@/media-worker/kit/http/viewer-hash';
import { ViewsPerAddress } from '@/media-worker/kit/http/views-per-address';
import { AssetViews, createAssetWatch } from './asset-views';

const id = 'abcd1234efgh5678';
const otherId = '8765hgfe4321dcba';
const HALF_HOUR = 1_800_000;

interface TestRequest {
  readonly method?: string;
  readonly status?: number;
  readonly address?: string;
  readonly agent?: string;
  readonly range?: string;
  readonly via?: string;
}

function open(max?: number) {
  const clock = { ms: 0, monotonic: () => clock.ms, now: () => new Date(clock.ms) };
  const countedIds: string[] = [];
  const onView = (playbackId: string) => void countedIds.push(playbackId);
  const views = new AssetViews({ clock, onView, ...omitUndefined({ max }) });
  const previews = new PreviewTokens({ secrets: createSecrets('x'.repeat(32)), clock });
  const addressOf = (request: IncomingMessage) => String(request.headers.host);
  const hashOf = createViewerHash(addressOf);
  const perAddress = new ViewsPerAddress({ clock, addressOf });
  const watch = createAssetWatch({ views, previews, hashOf, perAddress });
  const get = async (
    target: string,
    { method = 'GET', status = 200, address = '1.2.3.4', agent = 'player', ...headers }: TestRequest = {},
  ) => {
    const request = Object.assign(new IncomingMessage(new Socket()), {
      method,
      headers: { host: address, 'user-agent': agent, ...headers },
    });
    const answer = { status };
    expect(await watch(request, target, () => Promise.resolve(answer))).toBe(answer);
  };
  return { get, countedIds, clock, previews };
}

const playlist = `/${id}/index.m3u8`;
const video = `/${id}/video`;

describe('a view', () => {
  test('is counted when a viewer starts an asset, by HLS or by its file', async () => {
    const { get, countedIds } = open();
    await get(playlist);
    await get(`/${otherId}/video`, { status: 206, range: 'bytes=0-' });
    await get(playlist, { address: '5.6.7.8' });
    await get(playlist, { agent: 'another player' });
    expect(countedIds).toEqual([id, otherId, id, id]);
  });

  test('cannot be forged by one address: ten at a time, then one a minute', async () => {
    const { get, countedIds, clock } = open();
    const thirty = async () => {
      for (let viewer = 0; viewer < 30; viewer += 1) await get(playlist, { agent: `player ${viewer}` });
    };
    await thirty();
    expect(countedIds).toHaveLength(10);
    await thirty();
    expect(countedIds).toHaveLength(10);
    await get(playlist, { address: '5.6.7.8', agent: 'player 29' });
    await get(`/${otherId}/video`, { agent: 'player 29' });
    expect(countedIds).toHaveLength(12);
    clock.ms += 120_000;
    await thirty();
    expect(countedIds).toHaveLength(14);
  });

  test('is counted if the browser has the file in its cache', async () => {
    const { get, countedIds } = open();
    await get(playlist, { status: 304 });
    expect(countedIds).toEqual([id]);
  });

  test('counts once, until half an hour after the viewer last started it', async () => {
    const { get, countedIds, clock } = open();
    await get(playlist);
    await get(video);
    clock.ms = HALF_HOUR;
    await get(playlist);
    clock.ms += HALF_HOUR;
    await get(playlist);
    expect(countedIds).toEqual([id]);
    clock.ms += HALF_HOUR + 1;
    await get(playlist);
    expect(countedIds).toEqual([id, id]);
  });

  test('is remembered for the most recent viewers, and each still counts', async () => {
    const { get, countedIds } = open(2);
    for (const address of ['1', '2', '3']) await get(playlist, { address });
    expect(countedIds).toHaveLength(3);
    await get(playlist, { address: '3' });
    await get(playlist, { address: '2' });
    expect(countedIds).toHaveLength(3);
    await get(playlist, { address: '1' });
    expect(countedIds).toHaveLength(4);
  });
});

test.each<[name: string, target: string, request: TestRequest]>([
  ['HEAD', playlist, { method: 'HEAD' }],
  ['a rejection', playlist, { status: 403 }],
  ['a missing asset', playlist, { status: 404 }],
  ['an unsatisfiable range', video, { status: 416, range: 'bytes=0-' }],
  ['a range after the start', video, { status: 206, range: 'bytes=1048576-' }],
  ['a rendition', `/${id}/source/index.m3u8`, {}],
  ['a picture', `/${id}/poster.jpg`, {}],
  ['a download', `${video}?download`, {}],
  ['a download of the audio', `${video}?download=audio`, {}],
  [
    'a request of an edge, which reports its own viewers,',
    playlist,
    { via: formatVia([createEdgeName('0123abcd')]) },
  ],
])('%s is not a view', async (_name, target, request) => {
  const { get, countedIds } = open();
  await get(target, request);
  expect(countedIds).toEqual([]);
});

describe('a preview of the owner', () => {
  test('is not a view, and does not hide a viewer with the same address', async () => {
    const { get, countedIds, previews } = open();
    await get(`${playlist}?preview=${previews.issue(id, crypto.randomUUID())}`);
    expect(countedIds).toEqual([]);
    await get(playlist);
    expect(countedIds).toEqual([id]);
  });

  test('with a token that is forged, expired or of another asset is a view', async () => {
    const { get, countedIds, previews, clock } = open();
    const previewToken = previews.issue(id, crypto.randomUUID());
    await get(`${playlist}?preview=${previews.issue(otherId, crypto.randomUUID())}`, { address: '1' });
    await get(`${playlist}?preview=zzzzzz.${'A'.repeat(22)}`, { address: '2' });
    clock.ms = 9 * 86_400_000;
    await get(`${playlist}?preview=${previewToken}`, { address: '3' });
    expect(countedIds).toHaveLength(3);
  });
});
