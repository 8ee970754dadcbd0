import { createHmac, randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { enterPlaybackPassword } from '@/lib/domain/access';
import { addTrack, updateAsset } from '@/lib/domain/assets';
import { recordingKey } from '@/lib/core/storage-keys';
import { findPlayback } from '@/lib/domain/streams';
import { startReceiver, type ReceivedRequest } from '@/lib/infra/testing/receiver';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import {
  type Owner,
  startRestrictedOrigin,
  signJwt,
} from '@/media-worker/delivery/origin/testing/restricted-origin';

const {
  ctx,
  db,
  storage,
  createOwner,
  createStreamWithPolicy,
  createAssetWithPolicy,
  get,
  statusOf,
  rejectionOf,
  openMaster,
} = await startRestrictedOrigin(await createTestDatabase());

/** The response of the webhook that decides about viewers. `later`: the test sends it. */
type WebhookResponse = readonly [status: number, body?: string, cacheControl?: string] | 'later';
let decide = (_request: ReceivedRequest): WebhookResponse => [204];
let onPending = (_response: ServerResponse): void => undefined;
const receiver = await startReceiver((request, response) => {
  const decision = decide(request);
  if (decision === 'later') {
    onPending(response);
    return;
  }
  const [status, body = '', cacheControl] = decision;
  response.writeHead(status, cacheControl === undefined ? {} : { 'Cache-Control': cacheControl }).end(body);
});
afterAll(() => receiver.close());
beforeEach(() => {
  decide = () => [204];
});

test('a stream that is limited to a site plays there and on pages of this service, and is rejected elsewhere', async () => {
  const owner = await createOwner();
  const { playbackId } = await createStreamWithPolicy(owner, {
    type: 'public',
    allowedOrigins: ['https://a.example'],
  });
  const path = `/hls/${playbackId}/index.m3u8`;
  expect(await rejectionOf(path)).toBe('403 This cannot be watched on this site.');
  for (const headers of [{ Origin: 'https://b.example' }, { Referer: 'https://b.example/https://a.example' }])
    expect(await statusOf(path, headers)).toBe(403);
  await openMaster(path, { Origin: 'https://a.example' });
  await openMaster(path, { Origin: new URL(ctx.settings.baseUrl).origin });
  const tokenPath = await openMaster(path, { Referer: 'https://a.example/page' });
  // Players on phones send neither Origin nor Referer with segment requests.
  expect(await statusOf(`${tokenPath}source/7.m4s`)).toBe(200);
});

test('an asset with a password serves file, playlists and pictures to viewers who know it, until it changes', async () => {
  const owner = await createOwner();
  const files = {
    source: 'the film',
    'hls/index.m3u8': '#EXTM3U\n#EXT-X-MAP:URI="init.mp4"\n1.m4s\n',
    'hls/1.m4s': 'one',
    'poster.jpg': 'jpg',
    'storyboard.vtt': 'WEBVTT\n\n00:00.000 --> 00:02.000\nstoryboard-0.jpg#xywh=0,0,1,1\n',
    'storyboard-0.jpg': 'tiles',
  };
  const { id, playbackId } = await createAssetWithPolicy(
    owner,
    { type: 'password', password: 'sesame' },
    files,
  );
  const assetPath = (file: string) => `/asset/${playbackId}/${file}`;
  const assetFiles = [
    'video',
    'video/download.mp4',
    'source',
    'index.m3u8',
    '1.m4s',
    'poster.jpg',
    'storyboard.vtt',
    'storyboard-0.jpg',
  ];
  for (const file of assetFiles)
    expect(await rejectionOf(assetPath(file))).toBe('403 A password is required to watch this.');
  await expect(enterPlaybackPassword(ctx, { id: playbackId, password: 'wrong' })).rejects.toMatchObject({
    code: 'forbidden',
  });
  const { token } = await enterPlaybackPassword(ctx, { id: playbackId, password: 'sesame' });
  for (const file of assetFiles) expect(await statusOf(assetPath(`${file}?token=${token}`))).toBe(200);
  const download = await get(assetPath(`video?token=${token}&download`), { Range: 'bytes=4-7' });
  expect([download.status, download.headers.get('cache-control'), await download.text()]).toEqual([
    206,
    'private, no-cache',
    'film',
  ]);
  const tokenPath = await openMaster(assetPath(`index.m3u8?token=${token}`));
  expect(
    await (
      await get(assetPath(`index.m3u8?token=${token}`), { 'Accept-Encoding': 'gzip', Range: 'bytes=0-1' })
    ).text(),
  ).toMatch(/URI="~[\w-]+\/init.mp4"\n~[\w-]+\/1.m4s\n$/);
  expect(await (await get(`${tokenPath}1.m4s`)).text()).toBe('one');
  expect(await (await get(assetPath(`storyboard.vtt?token=${token}`))).text()).toMatch(
    /02.000\n~[\w-]+\/storyboard-0.jpg#xywh/,
  );
  expect(await statusOf(`${tokenPath}storyboard-0.jpg`)).toBe(200);
  await updateAsset(owner.ctx, { id, change: { playbackPolicy: { type: 'password', password: 'other' } } });
  await expect.poll(() => statusOf(`${tokenPath}1.m4s`), { timeout: 4_000 }).toBe(403);
  expect(await statusOf(assetPath(`video?token=${token}`))).toBe(403);
});

test('the subtitles of an asset are only served to viewers who may watch it', async () => {
  const owner = await createOwner();
  const files = { 'hls/index.m3u8': '#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nsource/index.m3u8\n' };
  const { id, playbackId } = await createAssetWithPolicy(
    owner,
    { type: 'password', password: 'sesame' },
    files,
  );
  const body = '00:00:01,000 --> 00:00:02,000\nThe weir\n';
  const track = await addTrack(owner.ctx, { id, track: { language: 'en', body } });
  const file = `/asset/${playbackId}/tracks/${track.id}`;
  for (const ending of ['.m3u8', '.vtt'])
    expect(await rejectionOf(file + ending)).toBe('403 A password is required to watch this.');
  expect((await findPlayback(ctx, playbackId)).meta.tracks).toBeUndefined();

  const { token } = await enterPlaybackPassword(ctx, { id: playbackId, password: 'sesame' });
  const [listedTrack] = (await findPlayback(ctx, playbackId, { token })).meta.tracks ?? [];
  expect(new URL(listedTrack?.url ?? '').search).toBe(`?token=${token}`);
  const masterPlaylist = await (await get(`/asset/${playbackId}/index.m3u8?token=${token}`)).text();
  const [, playlist] = /TYPE=SUBTITLES.*URI="(~[\w-]+\/tracks\/[\w-]+\.m3u8)"/.exec(masterPlaylist) ?? [];
  const tokenPath = `/asset/${playbackId}/${playlist ?? ''}`;
  expect(await (await get(tokenPath)).text()).toContain(`\n${track.id}.vtt\n`);
  const captions = await get(tokenPath.replace('.m3u8', '.vtt'));
  expect(captions.headers.get('cache-control')).toBe('private, max-age=31536000, immutable');
  expect(await captions.text()).toContain('The weir');
});

test('a recording follows the policy of its session', async () => {
  const owner = await createOwner();
  const { teamId } = owner.ctx.actor;
  const { id: parentId, playbackId } = await createStreamWithPolicy(owner, null);
  const policy = { playbackPolicy: { type: 'jwt' }, recording: 'ready' } as const;
  const { id } = await db.session.create({ data: { teamId, parentId, playbackId, name: 's', ...policy } });
  const files = {
    'hls/index.m3u8': 'source/index.m3u8\n',
    'hls/source/index.m3u8': '#EXTM3U\n',
    'source.mp4': 'film',
  };
  for (const [name, text] of Object.entries(files))
    await storage.put(recordingKey(id, name), Buffer.from(text));
  const recordingPath = (file: string) => `/recordings/${id}/${file}`;
  for (const file of ['index.m3u8', 'source/index.m3u8', 'source.mp4', 'source.mp4?download'])
    expect(await statusOf(recordingPath(file))).toBe(403);
  const jwt = await signJwt(owner.key, id);
  expect(await statusOf(recordingPath(`source.mp4?jwt=${await signJwt(owner.key, playbackId)}`))).toBe(403);
  expect(await statusOf(recordingPath(`source.mp4?jwt=${jwt}`))).toBe(200);
  const tokenPath = await openMaster(recordingPath(`index.m3u8?jwt=${jwt}`));
  expect(await (await get(`${tokenPath}source/index.m3u8`)).text()).toBe('#EXTM3U\n');
});

describe('a stream whose owner decides by webhook', () => {
  const createWebhook = async ({ ctx: { actor, secrets } }: Owner, url = receiver.url) => {
    const id = randomUUID();
    const secretSealed = secrets.seal({ kind: 'webhook-secret', id, teamId: actor.teamId }, 'a secret');
    return (
      await db.webhook.create({
        data: { id, teamId: actor.teamId, name: 'gate', url, events: [], secretSealed },
      })
    ).id;
  };

  test('sends one signed request for equal keys, and follows the response', async () => {
    const owner = await createOwner();
    const webhookId = await createWebhook(owner);
    const { playbackId } = await createStreamWithPolicy(owner, {
      type: 'webhook',
      webhookId,
      webhookContext: { plan: 'gold' },
    });
    const path = (key: string) => `/hls/${playbackId}/index.m3u8?accessKey=${key}`;
    decide = ({ body }) =>
      body.includes('"good"')
        ? [200, '{}', 'max-age=60']
        : body.includes('"ret"')
          ? [200, '{"ret":403}']
          : [401];
    const countBefore = receiver.received.length;
    await Promise.all([
      openMaster(path('good')),
      openMaster(path('good')),
      openMaster(`/hls/${playbackId}/index.m3u8`, { 'Livepeer-Access-Key': 'good' }),
    ]);
    await openMaster(path('good'));
    const requests = receiver.received.slice(countBefore);
    expect(requests).toHaveLength(1);
    const [first] = requests;
    expect(JSON.parse(first?.body ?? '')).toMatchObject({
      event: 'playback.accessControl',
      accessKey: 'good',
      playbackId,
      webhookId,
      context: { plan: 'gold' },
      timestamp: expect.any(Number) as number,
    });
    const mac = createHmac('sha256', 'a secret')
      .update(first?.body ?? '')
      .digest('hex');
    expect(first?.headers['livepeer-signature']).toContain(`v1=${mac}`);
    expect(await rejectionOf(path('bad'))).toBe('403 The owner does not let you watch this.');
    expect(await rejectionOf(path('ret'))).toBe('403 The owner does not let you watch this.');
    expect(await rejectionOf(`/hls/${playbackId}/index.m3u8`)).toBe(
      '403 An access key is required to watch this.',
    );
    expect(await rejectionOf(path('x'.repeat(513)))).toContain('512');
  });

  test('delays only the viewers of a slow response, and asks once for all of them', async () => {
    const owner = await createOwner();
    const webhookId = await createWebhook(owner);
    const { playbackId } = await createStreamWithPolicy(owner, { type: 'webhook', webhookId });
    const otherStream = await createStreamWithPolicy(owner, { type: 'password', password: 'sesame' });
    const { token } = await enterPlaybackPassword(ctx, { id: otherStream.playbackId, password: 'sesame' });
    let admit = () => undefined as unknown;
    const whenReceived = new Promise<void>((onReceived) => {
      decide = () => 'later';
      onPending = (response) => {
        admit = () => response.writeHead(204).end();
        onReceived();
      };
    });
    const countBefore = receiver.received.length;
    const path = `/hls/${playbackId}/index.m3u8?accessKey=slow`;
    const waiting = Array.from({ length: 20 }, () => openMaster(path));
    await whenReceived;
    const tokenPath = await openMaster(`/hls/${otherStream.playbackId}/index.m3u8?token=${token}`);
    expect(await statusOf(`${tokenPath}source/7.m4s`)).toBe(200);
    admit();
    await Promise.all(waiting);
    expect(receiver.received.length - countBefore).toBe(1);
  });

  test('rejects the viewer after five seconds if the receiver does not respond', async () => {
    const owner = await createOwner();
    const webhookId = await createWebhook(owner);
    const { playbackId } = await createStreamWithPolicy(owner, { type: 'webhook', webhookId });
    decide = () => 'later';
    onPending = () => undefined;
    const startedAt = performance.now();
    expect(await rejectionOf(`/hls/${playbackId}/index.m3u8?accessKey=a`)).toContain('does not respond');
    expect(performance.now() - startedAt).toBeGreaterThan(4_900);
  });

  test('is checked again during playback, and ends for a viewer who is rejected then', async () => {
    const owner = await createOwner();
    const webhookId = await createWebhook(owner);
    const { playbackId, id } = await createStreamWithPolicy(owner, {
      type: 'webhook',
      webhookId,
      refreshInterval: 10,
    });
    // The API does not accept a lifetime this short.
    await db.stream.update({
      where: { id },
      data: { playbackPolicy: { type: 'webhook', webhookId, refreshInterval: 1 } },
    });
    const tokenPath = await openMaster(`/hls/${playbackId}/index.m3u8?accessKey=a`);
    expect(await statusOf(`${tokenPath}source/7.m4s`)).toBe(200);
    decide = () => [403];
    await expect.poll(() => statusOf(`${tokenPath}source/7.m4s`), { timeout: 5_000 }).toBe(403);
  });

  test.each([
    ['deny', '502 The owner’s server, which decides who may watch this, does not respond.'],
    ['allow', null],
  ] as const)(
    'uses the fallback %s while the receiver is unavailable',
    async (webhookFallback, rejection) => {
      const owner = await createOwner();
      const webhookId = await createWebhook(owner);
      decide = () => [500];
      const { playbackId } = await createStreamWithPolicy(owner, {
        type: 'webhook',
        webhookId,
        webhookFallback,
      });
      const path = `/hls/${playbackId}/index.m3u8?accessKey=a`;
      if (rejection === null) await openMaster(path);
      else expect(await rejectionOf(path)).toBe(rejection);
    },
  );
});
