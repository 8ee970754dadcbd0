import { afterAll, expect, test } from 'vitest';
import { revokePlaybackToken } from '@/lib/domain/access';
import { updateAsset } from '@/lib/domain/assets';
import { createClientAddressReader } from '@/lib/infra/egress/ip-address';
import { createLogger } from '@/lib/infra/logger';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { updateStream } from '@/lib/domain/streams';
import { createEdgeName, formatVia } from '@/media-worker/kit/http/via';
import {
  startRestrictedOrigin,
  signJwt,
  createViewerRequests,
} from '@/media-worker/delivery/origin/testing/restricted-origin';
import { ViewerLog } from './viewer-log';
import { startEdge } from './server';
import { createEdgeId } from './testing/test-origin';
import { Upstream } from './upstream';

const { port, live, createOwner, createStreamWithPolicy, createAssetWithPolicy } =
  await startRestrictedOrigin(await createTestDatabase());
const name = createEdgeName(createEdgeId());
const upstream = new Upstream(`http://127.0.0.1:${port}`);
const addressOf = createClientAddressReader([]);
const viewers = new ViewerLog({ upstream, via: formatVia([name]), addressOf });
let nowMs = 0;
const edge = await startEdge({
  host: '127.0.0.1',
  port: 0,
  log: createLogger('test', 'silent'),
  name,
  upstream,
  viewers,
  addressOf,
  slices: null,
  isTrusted: () => false,
  clock: { monotonic: () => nowMs },
});
const { get, rawStatusOf, statusOf, rejectionOf, openMaster } = createViewerRequests(edge.port);
afterAll(async () => {
  await edge.close();
  upstream.close();
});

test('an edge does not serve the answer for a viewer with a token to viewers without one, or after a change of the policy', async () => {
  const owner = await createOwner();
  const { id, playbackId } = await createStreamWithPolicy(owner, { type: 'jwt' });
  const path = `/hls/${playbackId}/index.m3u8`;
  expect(await rejectionOf(path)).toBe('403 A token is required to watch this.');
  const tokenPath = await openMaster(`${path}?jwt=${await signJwt(owner.key, playbackId)}`);
  await openMaster(path, { 'Livepeer-Jwt': await signJwt(owner.key, playbackId) });
  for (const file of ['source/index.m3u8', 'source/7.m4s', 'thumbnail.jpg']) {
    expect(await statusOf(tokenPath + file)).toBe(200);
    expect(await statusOf(`/hls/${playbackId}/${file}`)).toBe(403);
  }
  expect(await statusOf(path)).toBe(403);
  const rangeResponse = await get(`${tokenPath}source/7.m4s`, { Range: 'bytes=0-4' });
  expect([rangeResponse.status, await rangeResponse.text()]).toEqual([206, 'bytes']);
  // Cached answers are not reused either.
  await updateStream(owner.ctx, { id, change: { playbackPolicy: { type: 'password', password: 'other' } } });
  await expect.poll(() => statusOf(`${tokenPath}source/7.m4s`), { timeout: 4_000 }).toBe(403);
  expect(live.requests.join()).not.toContain('~');
});

test('an edge checks the path token of each viewer, for HEAD and ranges as well, and rejects invalid ones', async () => {
  const owner = await createOwner();
  const { playbackId } = await createStreamWithPolicy(owner, { type: 'jwt' });
  const path = `/hls/${playbackId}/index.m3u8`;
  const jwts = [
    await signJwt(owner.key, playbackId),
    await signJwt(owner.key, playbackId, { claims: { n: 2 } }),
  ];
  const [firstPath = '', secondPath = ''] = await Promise.all(
    jwts.map((jwt) => openMaster(`${path}?jwt=${jwt}`)),
  );
  expect(firstPath).not.toBe(secondPath);
  await revokePlaybackToken(owner.ctx, { id: playbackId, token: jwts[0] ?? '' });
  await expect.poll(() => statusOf(`${firstPath}source/7.m4s`), { timeout: 4_000 }).toBe(403);
  expect(await rawStatusOf(`${secondPath}source/7.m4s`, 'HEAD')).toBe(200);
  expect(await rawStatusOf(`${firstPath}source/7.m4s`, 'HEAD')).toBe(403);
  expect(await rawStatusOf(`/hls/${playbackId}/source/7.m4s`, 'HEAD')).toBe(403);
  expect(await statusOf(`${firstPath}source/7.m4s`, { Range: 'bytes=0-3' })).toBe(403);
  const otherStream = await createStreamWithPolicy(owner, { type: 'jwt' });
  expect(await statusOf(`${secondPath.replace(playbackId, otherStream.playbackId)}source/7.m4s`)).toBe(403);
  const [token = ''] = /~[\w-]+/.exec(secondPath) ?? [];
  for (const folder of [`${token}%2f..`, `${token}%2F`, `${token}/..`, `..%2f${token}`, `${token}/${token}`])
    expect(await rawStatusOf(`/hls/${playbackId}/${folder}/source/7.m4s`)).not.toBe(200);
  expect(await rawStatusOf(`/hls/${otherStream.playbackId}/../${playbackId}/${token}/source/7.m4s`)).not.toBe(
    200,
  );
});

test('cached public content ends within seconds when a token becomes required', async () => {
  const owner = await createOwner();
  const { id, playbackId } = await createStreamWithPolicy(owner, null);
  const asset = await createAssetWithPolicy(
    owner,
    { type: 'public' },
    { 'hls/1.m4s': 'one', 'poster.jpg': 'jpg' },
  );
  const cacheableFiles = [
    ...['source/7.m4s', 'source/init-1.mp4', 'thumbnail.jpg'].map((file) => `/hls/${playbackId}/${file}`),
    ...['1.m4s', 'poster.jpg'].map((file) => `/asset/${asset.playbackId}/${file}`),
  ];
  for (const path of cacheableFiles) expect(await statusOf(path)).toBe(200);
  await updateStream(owner.ctx, { id, change: { playbackPolicy: { type: 'jwt' } } });
  await updateAsset(owner.ctx, { id: asset.id, change: { playbackPolicy: { type: 'jwt' } } });
  const origin = createViewerRequests(port);
  for (const path of cacheableFiles)
    await expect.poll(() => origin.statusOf(path), { timeout: 4_000 }).toBe(403);
  nowMs += 4_001;
  for (const path of cacheableFiles)
    expect(await rejectionOf(path)).toBe('403 A token is required to watch this.');
  await updateStream(owner.ctx, { id, change: { playbackPolicy: null } });
  await expect.poll(() => origin.statusOf(cacheableFiles[0] ?? ''), { timeout: 4_000 }).toBe(200);
  nowMs += 4_001;
  expect(await statusOf(cacheableFiles[0] ?? '')).toBe(200);
});

test('behind an edge, a stream that is limited to a site plays there and is rejected elsewhere', async () => {
  const { playbackId } = await createStreamWithPolicy(await createOwner(), {
    type: 'public',
    allowedOrigins: ['https://a.example'],
  });
  const path = `/hls/${playbackId}/index.m3u8`;
  // Restricted content includes files that are the same for all viewers.
  for (const file of ['index.m3u8?ll=0', 'thumbnail.jpg', 'source/7.m4s']) {
    const sharedUrl = `/hls/${playbackId}/${file}`;
    const [firstOther, allowed, secondOther] = await Promise.all(
      ['https://b.example', 'https://a.example', 'https://b.example'].map((page) =>
        statusOf(sharedUrl, { Origin: page }),
      ),
    );
    expect([firstOther, allowed, secondOther]).toEqual([403, 200, 403]);
  }
  const sharedPath = await openMaster(`${path}?ll=0`, { Origin: 'https://a.example' });
  expect(await statusOf(`${sharedPath}source/index.m3u8`)).toBe(200);
  expect(await statusOf(path, { Origin: 'https://b.example' })).toBe(403);
  const tokenPath = await openMaster(path, { Origin: 'https://a.example' });
  expect(await statusOf(`${tokenPath}source/7.m4s`)).toBe(200);
  expect(await statusOf(path)).toBe(403);
});
