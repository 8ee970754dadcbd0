import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { PreviewTokens, createPlaybackToken, enterPlaybackPassword } from '@/lib/domain/access';
import type { PlaybackPolicyInput } from '@/lib/contract/access/playback-policy';
import { createClientAddressReader } from '@/lib/infra/egress/ip-address';
import { inCountry, createMmdb } from '@/lib/infra/geoip/testing/write-mmdb';
import { createLogger } from '@/lib/infra/logger';
import { testDatabase } from '@/lib/infra/testing/test-database';
import { findPlayback, updateStream } from '@/lib/domain/streams';
import { ViewerLog } from '@/media-worker/delivery/edge/viewer-log';
import { startEdge } from '@/media-worker/delivery/edge/server';
import { createEdgeId } from '@/media-worker/delivery/edge/testing/origin-behind';
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
  '127.0.0.8/29': 'US',
};
writeFileSync(
  geoipDb,
  createMmdb(Object.fromEntries(Object.entries(networks).map(([cidr, code]) => [cidr, inCountry(code)]))),
);
const origin = await startRestrictedOrigin(await testDatabase(), { settings: { geoipDb } });
const { ctx, createOwner, createStreamWithPolicy, createAssetWithPolicy, get, statusOf, rejectionOf, enter } =
  origin;

// The test process is a trusted proxy.
const from = (address: string) => ({ 'X-Forwarded-For': address });
const [german, french, unknown] = [from('192.0.2.7'), from('198.51.100.7'), from('10.1.2.3')];
const elsewhere = '403 This cannot be watched in your country.';
const nowhere = '403 This can be watched in some countries only, and yours is not known.';

const name = createEdgeName(createEdgeId());
const upstream = new Upstream(`http://127.0.0.1:${origin.port}`);
const addressOf = createClientAddressReader(['127.0.0.0/8']);
const viewers = new ViewerLog({ upstream, via: formatVia([name]), addressOf });
let laterMs = 0;
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
  clock: { monotonic: () => laterMs },
});
const atEdge = createViewerRequests(edge.port);
afterAll(async () => {
  await edge.close();
  upstream.close();
  rmSync(folder, { recursive: true });
});

describe('content that is limited by country', () => {
  test('is served in allowed countries without a proof, including each of its files', async () => {
    const ada = await createOwner();
    const { playbackId } = await createStreamWithPolicy(ada, { type: 'public', allowedCountries: ['DE'] });
    const path = `/hls/${playbackId}/index.m3u8`;
    for (const viewer of [german, from('2001:db8:1::7'), from('198.51.100.7, 192.0.2.7')]) {
      const inside = await enter(path, viewer);
      expect(await statusOf(`${inside}source/7.m4s`, viewer)).toBe(200);
      // The country is checked when playback starts: a viewer who travels can continue.
      expect(await statusOf(`${inside}source/7.m4s`, french)).toBe(200);
    }
    for (const file of [
      'index.m3u8',
      'index.m3u8?ll=0',
      'source/index.m3u8',
      'source/7.m4s',
      'thumbnail.jpg',
    ]) {
      expect(await rejectionOf(`/hls/${playbackId}/${file}`, french)).toBe(elsewhere);
      expect(await rejectionOf(`/hls/${playbackId}/${file}`, from('192.0.2.7, 198.51.100.7'))).toBe(
        elsewhere,
      );
      expect(await rejectionOf(`/hls/${playbackId}/${file}`, unknown)).toBe(nowhere);
    }
    expect((await get(path, german)).headers.get('cache-control')).toBe('no-store');
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
    expect(await rejectionOf(path, german)).toBe(elsewhere);
    for (const viewer of [french, unknown]) await enter(path, viewer);
  });

  test('still requires a token or password there, and rejects all other countries', async () => {
    const ada = await createOwner();
    const signedStream = await createStreamWithPolicy(ada, { type: 'jwt', allowedCountries: ['DE'] });
    const path = `/hls/${signedStream.playbackId}/index.m3u8`;
    const jwt = await signJwt(ada.key, signedStream.playbackId);
    const { token } = await createPlaybackToken(ada.ctx, { id: signedStream.playbackId, expiresIn: 60 });
    expect(await rejectionOf(path, german)).toBe('403 A token is required to watch this.');
    for (const proof of [`?jwt=${jwt}`, `?token=${token}`]) {
      await enter(path + proof, german);
      expect(await rejectionOf(path + proof, french)).toBe(elsewhere);
    }
    const films = await createAssetWithPolicy(
      ada,
      { type: 'password', password: 'sesame', allowedCountries: ['DE'] },
      { source: 'film' },
    );
    const film = `/asset/${films.playbackId}/video`;
    expect(await rejectionOf(film, french)).toBe(elsewhere);
    expect(await rejectionOf(film, german)).toBe('403 A password is required to watch this.');
    const ticket = await enterPlaybackPassword(ctx, { id: films.playbackId, password: 'sesame' });
    expect(await statusOf(`${film}?token=${ticket.token}`, german)).toBe(200);
    expect(await statusOf(`${film}?token=${ticket.token}`, french)).toBe(403);
  });

  test('is played by its owner in the dashboard in any country', async () => {
    const ada = await createOwner();
    const { playbackId } = await createStreamWithPolicy(ada, { type: 'public', allowedCountries: ['DE'] });
    const preview = new PreviewTokens(ctx).issue(playbackId, ada.ctx.actor.teamId);
    await enter(`/hls/${playbackId}/index.m3u8?preview=${preview}`, french);
  });

  test('ends for viewers in other countries when the countries change', async () => {
    const ada = await createOwner();
    const { id, playbackId } = await createStreamWithPolicy(ada, {
      type: 'public',
      allowedCountries: ['DE', 'FR'],
    });
    const path = `/hls/${playbackId}/index.m3u8`;
    const inside = await enter(path, french);
    const playbackPolicy: PlaybackPolicyInput = { type: 'public', allowedCountries: ['DE'] };
    await updateStream(ada.ctx, { id, change: { playbackPolicy } });
    await expect.poll(() => statusOf(`${inside}source/7.m4s`, french), { timeout: 4_000 }).toBe(403);
    expect(await rejectionOf(path, french)).toBe(elsewhere);
    await enter(path, german);
  });
});

describe('behind an edge', () => {
  test('each viewer counts by their own address, even for files that are the same for all', async () => {
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
        const statuses = [french, german, french].map((viewer) =>
          atEdge.statusOf(`/hls/${id}/${file}`, viewer),
        );
        expect([file, ...(await Promise.all(statuses))]).toEqual([file, 403, 200, 403]);
      }
      const inside = await atEdge.enter(`/hls/${id}/index.m3u8`, german);
      expect(await atEdge.statusOf(`${inside}source/7.m4s`, german)).toBe(200);
      expect(await atEdge.rejectionOf(`/hls/${id}/index.m3u8`, french)).toBe(elsewhere);
    }
  });

  test('an untrusted edge is not recognized as an edge', async () => {
    const strict = await startEdge({
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
          port: strict.port,
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
    expect(await statusFor({ Via: formatVia([name]), ...german })).toBe(403);
    await strict.close();
  });

  test('cached public content ends within seconds', async () => {
    const ada = await createOwner();
    const { id, playbackId } = await createStreamWithPolicy(ada, null);
    const path = `/hls/${playbackId}/source/7.m4s`;
    expect(await atEdge.statusOf(path, french)).toBe(200);
    await updateStream(ada.ctx, {
      id,
      change: { playbackPolicy: { type: 'public', blockedCountries: ['FR'] } },
    });
    await expect.poll(() => statusOf(path, french), { timeout: 4_000 }).toBe(403);
    laterMs += 4_001;
    expect(await atEdge.rejectionOf(path, french)).toBe(elsewhere);
    expect(await atEdge.statusOf(path, german)).toBe(200);
  });
});

test('without a country file no policy can name countries, and an existing one admits no viewer', async () => {
  const bare = await startRestrictedOrigin(await testDatabase());
  const ada = await bare.createOwner();
  const { id, playbackId } = await bare.createStreamWithPolicy(ada, { type: 'public', allowedCountries: [] });
  for (const field of ['allowedCountries', 'blockedCountries'] as const) {
    const playbackPolicy: PlaybackPolicyInput = { type: 'public', [field]: ['DE'] };
    await expect(updateStream(ada.ctx, { id, change: { playbackPolicy } })).rejects.toMatchObject({
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
    await bare.db.stream.update({ where: { id }, data });
    await expect
      .poll(async () => (await bare.get(`/hls/${playbackId}/index.m3u8`, german)).status, { timeout: 4_000 })
      .toBe(403);
    expect(await bare.rejectionOf(`/hls/${playbackId}/index.m3u8`, german)).toBe(nowhere);
    await updateStream(ada.ctx, { id, change: { playbackPolicy: null } });
  }
});
