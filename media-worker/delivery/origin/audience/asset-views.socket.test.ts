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

const playbackId = 'abcd1234efgh5678';
const otherPlaybackId = '8765hgfe4321dcba';
const HALF_HOUR_MS = 1_800_000;

interface TestRequest {
  readonly method?: string;
  readonly status?: number;
  readonly address?: string;
  readonly agent?: string;
  readonly range?: string;
  readonly via?: string;
}

function openViews(maxViewers?: number) {
  const clock = { ms: 0, monotonic: () => clock.ms, now: () => new Date(clock.ms) };
  const viewedIds: string[] = [];
  const onView = (playbackId: string) => void viewedIds.push(playbackId);
  const views = new AssetViews({ clock, onView, ...omitUndefined({ maxViewers }) });
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
  return { get, viewedIds, clock, previews };
}

const playlistPath = `/${playbackId}/index.m3u8`;
const videoPath = `/${playbackId}/video`;

describe('a view', () => {
  test('is counted when a viewer starts an asset, by HLS or by its file', async () => {
    const { get, viewedIds } = openViews();
    await get(playlistPath);
    await get(`/${otherPlaybackId}/video`, { status: 206, range: 'bytes=0-' });
    await get(playlistPath, { address: '5.6.7.8' });
    await get(playlistPath, { agent: 'another player' });
    expect(viewedIds).toEqual([playbackId, otherPlaybackId, playbackId, playbackId]);
  });

  test('is counted for at most ten viewers at one address, and for one more each minute', async () => {
    const { get, viewedIds, clock } = openViews();
    const startThirty = async () => {
      for (let viewer = 0; viewer < 30; viewer += 1) await get(playlistPath, { agent: `player ${viewer}` });
    };
    await startThirty();
    expect(viewedIds).toHaveLength(10);
    await startThirty();
    expect(viewedIds).toHaveLength(10);
    await get(playlistPath, { address: '5.6.7.8', agent: 'player 29' });
    await get(`/${otherPlaybackId}/video`, { agent: 'player 29' });
    expect(viewedIds).toHaveLength(12);
    clock.ms += 120_000;
    await startThirty();
    expect(viewedIds).toHaveLength(14);
  });

  test('is counted if the browser has the file in its cache', async () => {
    const { get, viewedIds } = openViews();
    await get(playlistPath, { status: 304 });
    expect(viewedIds).toEqual([playbackId]);
  });

  test('counts once, until half an hour after the viewer last started it', async () => {
    const { get, viewedIds, clock } = openViews();
    await get(playlistPath);
    await get(videoPath);
    clock.ms = HALF_HOUR_MS;
    await get(playlistPath);
    clock.ms += HALF_HOUR_MS;
    await get(playlistPath);
    expect(viewedIds).toEqual([playbackId]);
    clock.ms += HALF_HOUR_MS + 1;
    await get(playlistPath);
    expect(viewedIds).toEqual([playbackId, playbackId]);
  });

  test('is counted again for a viewer that more recent viewers have evicted', async () => {
    const { get, viewedIds } = openViews(2);
    for (const address of ['1', '2', '3']) await get(playlistPath, { address });
    expect(viewedIds).toHaveLength(3);
    await get(playlistPath, { address: '3' });
    await get(playlistPath, { address: '2' });
    expect(viewedIds).toHaveLength(3);
    await get(playlistPath, { address: '1' });
    expect(viewedIds).toHaveLength(4);
  });
});

test.each<[name: string, target: string, request: TestRequest]>([
  ['HEAD', playlistPath, { method: 'HEAD' }],
  ['a rejection', playlistPath, { status: 403 }],
  ['a missing asset', playlistPath, { status: 404 }],
  ['an unsatisfiable range', videoPath, { status: 416, range: 'bytes=0-' }],
  ['a range after the start', videoPath, { status: 206, range: 'bytes=1048576-' }],
  ['a rendition', `/${playbackId}/source/index.m3u8`, {}],
  ['a picture', `/${playbackId}/poster.jpg`, {}],
  ['a download', `${videoPath}?download`, {}],
  ['a download of the audio', `${videoPath}?download=audio`, {}],
  [
    'a request of an edge, which reports its own viewers,',
    playlistPath,
    { via: formatVia([createEdgeName('0123abcd')]) },
  ],
])('%s is not a view', async (_name, target, request) => {
  const { get, viewedIds } = openViews();
  await get(target, request);
  expect(viewedIds).toEqual([]);
});

describe('a preview of the owner', () => {
  test('is not a view, and does not hide a viewer with the same address', async () => {
    const { get, viewedIds, previews } = openViews();
    await get(`${playlistPath}?preview=${previews.issue(playbackId, crypto.randomUUID())}`);
    expect(viewedIds).toEqual([]);
    await get(playlistPath);
    expect(viewedIds).toEqual([playbackId]);
  });

  test('with a token that is forged, expired or of another asset is a view', async () => {
    const { get, viewedIds, previews, clock } = openViews();
    const previewToken = previews.issue(playbackId, crypto.randomUUID());
    await get(`${playlistPath}?preview=${previews.issue(otherPlaybackId, crypto.randomUUID())}`, {
      address: '1',
    });
    await get(`${playlistPath}?preview=zzzzzz.${'A'.repeat(22)}`, { address: '2' });
    clock.ms = 9 * 86_400_000;
    await get(`${playlistPath}?preview=${previewToken}`, { address: '3' });
    expect(viewedIds).toHaveLength(3);
  });
});
