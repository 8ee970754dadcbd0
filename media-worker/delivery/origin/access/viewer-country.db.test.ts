import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { PreviewTokens, createPlaybackToken, enterPlaybackPassword } from '@/lib/domain/access';
import type { PlaybackPolicyInput } from '@/lib/contract/access/playback-policy';
import { createClientAddressReader } from '@/lib/infra/egress/ip-address';
import { countryRecord, createMmdb } from '@/lib/infra/geoip/testing/write-mmdb';
import { createLogger } from '@/lib/infra/logger';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { findPlayback, updateStream } from '@/lib/domain/streams';
import { ViewerLog } from '@/media-worker/delivery/edge/viewer-log';
import { startEdge } from '@/media-worker/delivery/edge/server';
import { createEdgeId } from '@/media-worker/delivery/edge/testing/test-origin';
import { Upstream } from '@/media-worker/delivery/edge/upstream';
import { createEdgeName, formatVia } from '@/media-worker/kit/http/via';
import {
  startRestrictedOrigin,
  signJwt,
  createViewerRequests,
} from '@/media-worker/delivery/origin/testing/restricted-origin';

const folder = mkdtempSync(join(tmpdir(), 'viewer-country-'));
const geoipDb = join(folder, 'countries.mmdb');
const networks = {
  '192.0.2.0/24': 'DE',
  '198.51.100.0/24': 'FR',
  '2001:db8:1::/48': 'DE',
  // With 127.0.0.9, the address of the viewer behind the untrusted edge.
  '127.0.0.8/29': 'US',
};
writeFileSync(
  geoipDb,
  createMmdb(Object.fromEntries(Object.entries(networks).map(([cidr, code]) => [cidr, countryRecord(code)]))),
);
const origin = await startRestrictedOrigin(await createTestDatabase(), { settings: { geoipDb } });
const {
  ctx,
  createOwner,
  createStreamWithPolicy,
  createAssetWithPolicy,
  get,
  statusOf,
  rejectionOf,
  openMaster,
} = origin;

// The test process is a trusted proxy.
const headersFrom = (address: string) => ({ 'X-Forwarded-For': address });
const [germanViewer, frenchViewer, unknownViewer] = [
  headersFrom('192.0.2.7'),
  headersFrom('198.51.100.7'),
  headersFrom('10.1.2.3'),
];
const wrongCountryRejection = '403 This cannot be watched in your country.';
const unknownCountryRejection = '403 This can be watched in some countries only, and yours is not known.';

const name = createEdgeName(createEdgeId());
const upstream = new Upstream(`http://127.0.0.1:${origin.port}`);
const addressOf = createClientAddressReader(['127.0.0.0/8']);
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
const atEdge = createViewerRequests(edge.port);
afterAll(async () => {
  await edge.close();
  upstream.close();
  rmSync(folder, { recursive: true });
});

describe('content that is limited by country', () => {
  test('is served in allowed countries without a proof, and its files are rejected in others', async () => {
    const owner = await createOwner();
    const { playbackId } = await createStreamWithPolicy(owner, { type: 'public', allowedCountries: ['DE'] });
    const path = `/hls/${playbackId}/index.m3u8`;
    for (const viewer of [
      germanViewer,
      headersFrom('2001:db8:1::7'),
      headersFrom('198.51.100.7, 192.0.2.7'),
    ]) {
      const tokenPath = await openMaster(path, viewer);
      expect(await statusOf(`${tokenPath}source/7.m4s`, viewer)).toBe(200);
      // The country is checked when playback starts: a viewer who travels can continue.
      expect(await statusOf(`${tokenPath}source/7.m4s`, frenchViewer)).toBe(200);
    }
    for (const file of [
      'index.m3u8',
      'index.m3u8?ll=0',
      'source/index.m3u8',
      'source/7.m4s',
      'thumbnail.jpg',
    ]) {
      expect(await rejectionOf(`/hls/${playbackId}/${file}`, frenchViewer)).toBe(wrongCountryRejection);
      expect(await rejectionOf(`/hls/${playbackId}/${file}`, headersFrom('192.0.2.7, 198.51.100.7'))).toBe(
        wrongCountryRejection,
      );
      expect(await rejectionOf(`/hls/${playbackId}/${file}`, unknownViewer)).toBe(unknownCountryRejection);
    }
    expect((await get(path, germanViewer)).headers.get('cache-control')).toBe('no-store');
    expect((await findPlayback(ctx, playbackId)).meta.playbackPolicy).toEqual({
      type: 'public',
      allowedCountries: ['DE'],
    });
  });

  test('is served everywhere except in blocked countries', async () => {
    const { playbackId } = await createStreamWithPolicy(await createOwner(), {
      type: 'public',
      blockedCountries: ['DE', 'AT'],
    });
    const path = `/hls/${playbackId}/index.m3u8`;
    expect(await rejectionOf(path, germanViewer)).toBe(wrongCountryRejection);
    for (const viewer of [frenchViewer, unknownViewer]) await openMaster(path, viewer);
  });

  test('still requires a token or password there, and rejects viewers in another country who have one', async () => {
    const owner = await createOwner();
    const signedStream = await createStreamWithPolicy(owner, { type: 'jwt', allowedCountries: ['DE'] });
    const path = `/hls/${signedStream.playbackId}/index.m3u8`;
    const jwt = await signJwt(owner.key, signedStream.playbackId);
    const { token } = await createPlaybackToken(owner.ctx, { id: signedStream.playbackId, expiresIn: 60 });
    expect(await rejectionOf(path, germanViewer)).toBe('403 A token is required to watch this.');
    for (const proof of [`?jwt=${jwt}`, `?token=${token}`]) {
      await openMaster(path + proof, germanViewer);
      expect(await rejectionOf(path + proof, frenchViewer)).toBe(wrongCountryRejection);
    }
    const asset = await createAssetWithPolicy(
      owner,
      { type: 'password', password: 'sesame', allowedCountries: ['DE'] },
      { source: 'film' },
    );
    const videoPath = `/asset/${asset.playbackId}/video`;
    expect(await rejectionOf(videoPath, frenchViewer)).toBe(wrongCountryRejection);
    expect(await rejectionOf(videoPath, germanViewer)).toBe('403 A password is required to watch this.');
    const passwordToken = await enterPlaybackPassword(ctx, { id: asset.playbackId, password: 'sesame' });
    expect(await statusOf(`${videoPath}?token=${passwordToken.token}`, germanViewer)).toBe(200);
    expect(await statusOf(`${videoPath}?token=${passwordToken.token}`, frenchViewer)).toBe(403);
  });

  test('is played by its owner in the dashboard in any country', async () => {
    const owner = await createOwner();
    const { playbackId } = await createStreamWithPolicy(owner, { type: 'public', allowedCountries: ['DE'] });
    const preview = new PreviewTokens(ctx).issue(playbackId, owner.ctx.actor.teamId);
    await openMaster(`/hls/${playbackId}/index.m3u8?preview=${preview}`, frenchViewer);
  });

  test('ends for viewers in other countries when the countries change', async () => {
    const owner = await createOwner();
    const { id, playbackId } = await createStreamWithPolicy(owner, {
      type: 'public',
      allowedCountries: ['DE', 'FR'],
    });
    const path = `/hls/${playbackId}/index.m3u8`;
    const tokenPath = await openMaster(path, frenchViewer);
    const playbackPolicy: PlaybackPolicyInput = { type: 'public', allowedCountries: ['DE'] };
    await updateStream(owner.ctx, { id, change: { playbackPolicy } });
    await expect.poll(() => statusOf(`${tokenPath}source/7.m4s`, frenchViewer), { timeout: 4_000 }).toBe(403);
    expect(await rejectionOf(path, frenchViewer)).toBe(wrongCountryRejection);
    await openMaster(path, germanViewer);
  });
});

describe('behind an edge', () => {
  test('the country of each viewer is that of their own address, even for files that are the same for all', async () => {
    const { playbackId } = await createStreamWithPolicy(await createOwner(), {
      type: 'public',
      allowedCountries: ['DE'],
    });
    const otherStream = await createStreamWithPolicy(await createOwner(), {
      type: 'public',
      blockedCountries: ['FR'],
    });
    for (const id of [playbackId, otherStream.playbackId]) {
      for (const file of ['index.m3u8', 'index.m3u8?ll=0', 'thumbnail.jpg', 'source/7.m4s']) {
        const statuses = [frenchViewer, germanViewer, frenchViewer].map((viewer) =>
          atEdge.statusOf(`/hls/${id}/${file}`, viewer),
        );
        expect([file, ...(await Promise.all(statuses))]).toEqual([file, 403, 200, 403]);
      }
      const tokenPath = await atEdge.openMaster(`/hls/${id}/index.m3u8`, germanViewer);
      expect(await atEdge.statusOf(`${tokenPath}source/7.m4s`, germanViewer)).toBe(200);
      expect(await atEdge.rejectionOf(`/hls/${id}/index.m3u8`, frenchViewer)).toBe(wrongCountryRejection);
    }
  });

  test('a viewer behind an untrusted edge is rejected', async () => {
    const untrustingEdge = await startEdge({
      host: '127.0.0.1',
      port: 0,
      log: createLogger('test', 'silent'),
      upstream,
      viewers,
      name: createEdgeName(createEdgeId()),
      slices: null,
      isTrusted: () => false,
      addressOf: createClientAddressReader([]),
    });
    const { playbackId } = await createStreamWithPolicy(await createOwner(), {
      type: 'public',
      allowedCountries: ['US'],
    });
    const statusFor = (headers: Record<string, string>) =>
      new Promise<number>((resolve, reject) => {
        const path = `/hls/${playbackId}/index.m3u8`;
        const requestOptions = {
          host: '127.0.0.1',
          localAddress: '127.0.0.9',
          port: untrustingEdge.port,
          path,
          headers,
        };
        request(requestOptions, (response) => {
          response.resume();
          resolve(response.statusCode ?? 0);
        })
          .on('error', reject)
          .end();
      });
    expect(await statusFor({})).toBe(200);
    expect(await statusFor({ Via: formatVia([name]), ...germanViewer })).toBe(403);
    await untrustingEdge.close();
  });

  test('cached public content ends within seconds in a country that the owner blocks', async () => {
    const owner = await createOwner();
    const { id, playbackId } = await createStreamWithPolicy(owner, null);
    const path = `/hls/${playbackId}/source/7.m4s`;
    expect(await atEdge.statusOf(path, frenchViewer)).toBe(200);
    await updateStream(owner.ctx, {
      id,
      change: { playbackPolicy: { type: 'public', blockedCountries: ['FR'] } },
    });
    await expect.poll(() => statusOf(path, frenchViewer), { timeout: 4_000 }).toBe(403);
    nowMs += 4_001;
    expect(await atEdge.rejectionOf(path, frenchViewer)).toBe(wrongCountryRejection);
    expect(await atEdge.statusOf(path, germanViewer)).toBe(200);
  });
});

test('without a country file no policy can name countries, and an existing one admits no viewer', async () => {
  const originWithoutCountries = await startRestrictedOrigin(await createTestDatabase());
  const owner = await originWithoutCountries.createOwner();
  const { id, playbackId } = await originWithoutCountries.createStreamWithPolicy(owner, {
    type: 'public',
    allowedCountries: [],
  });
  for (const field of ['allowedCountries', 'blockedCountries'] as const) {
    const playbackPolicy: PlaybackPolicyInput = { type: 'public', [field]: ['DE'] };
    await expect(updateStream(owner.ctx, { id, change: { playbackPolicy } })).rejects.toMatchObject({
      code: 'bad_request',
      message: `playbackPolicy.${field}: this server does not know countries. Its operator must set GEOIP_DB first`,
    });
  }
  // The setting was stored while a country file was configured.
  for (const field of ['allowedCountries', 'blockedCountries']) {
    const data = {
      playbackPolicy: { type: 'public', [field]: ['DE'] },
      playbackPolicyVersion: { increment: 1 },
    };
    await originWithoutCountries.db.stream.update({ where: { id }, data });
    await expect
      .poll(
        async () => (await originWithoutCountries.get(`/hls/${playbackId}/index.m3u8`, germanViewer)).status,
        { timeout: 4_000 },
      )
      .toBe(403);
    expect(await originWithoutCountries.rejectionOf(`/hls/${playbackId}/index.m3u8`, germanViewer)).toBe(
      unknownCountryRejection,
    );
    await updateStream(owner.ctx, { id, change: { playbackPolicy: null } });
  }
});
