import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeEach, describe, expect, test } from 'vitest';
import { openTestApi, type Person } from '@/app/api/testing/test-api';
import { createPlaybackToken, enterPlaybackPassword } from '@/lib/domain/access';
import type { Asset } from '@/lib/contract/assets/asset';
import type { Playback } from '@/lib/contract/streams/playback';
import { clipLimits, viewerClipLimits } from '@/lib/core/sessions/clip-range';
import { createLimiters, limitSizes } from '@/lib/http/limits/rate-limit';
import { newPlaybackId } from '@/lib/infra/ids';
import { createTestDatabase } from '@/lib/infra/testing/test-database';

const highLimit = { points: 1_000_000, seconds: 60 };
const limits = { ...limitSizes, api: highLimit, viewerClipPerIp: { points: 12, seconds: 600 } };
const api = openTestApi(await createTestDatabase(), { limiters: createLimiters(limits) });
Object.assign(api.services.settings, { egressAllowCidrs: ['127.0.0.0/8'] });
const { db } = api.services;
const MINUTE_MS = 60_000;
const sessionStart = Date.now() - 30 * MINUTE_MS;
const clipTimes = { startTime: sessionStart + MINUTE_MS, endTime: sessionStart + MINUTE_MS + 20_000 };

let ada: Person;
beforeEach(async () => {
  ada = await api.createPerson('ada');
});

/** Creates a stream that viewers may clip, with a session of ten minutes. */
async function createClippableStream(body: object = {}) {
  const response = await api.request('POST', '/api/stream', {
    key: ada.key,
    body: { name: 'Town hall', record: true, viewerClips: true, ...body },
  });
  expect(response.status).toBe(201);
  const { id, playbackId } = (await response.json()) as { id: string; playbackId: string };
  const policy = await db.stream.findUniqueOrThrow({
    where: { id },
    select: { playbackPolicy: true, playbackPasswordHash: true },
  });
  const session = await db.session.create({
    data: {
      teamId: ada.teamId,
      parentId: id,
      name: 'Town hall',
      playbackId,
      record: true,
      recording: 'ready',
      state: 'ended',
      playbackPolicy: policy.playbackPolicy ?? {},
      playbackPasswordHash: policy.playbackPasswordHash,
      createdAt: new Date(sessionStart),
      lastSeen: new Date(sessionStart + 10 * MINUTE_MS),
      ...(policy.playbackPolicy === null ? { playbackPolicy: { type: 'public' } } : {}),
    },
  });
  return { streamId: id, playbackId, sessionId: session.id };
}

let addressCount = 0;
/** Creates a clip as a viewer with an IP address of their own. */
async function createClip(id: string, body: object = clipTimes, { query = '', address = '' } = {}) {
  addressCount += 1;
  const clientAddress = address || `203.0.${Math.floor(addressCount / 250)}.${addressCount % 250}`;
  const response = await api.request('POST', `/api/playback/${id}/clip${query}`, {
    body,
    headers: { 'x-forwarded-for': clientAddress, 'user-agent': 'viewer/1' },
  });
  const reply = (await response.json()) as { errors?: string[]; playbackId?: string; url?: string };
  return { status: response.status, error: reply.errors?.[0] ?? '', ...reply };
}
const readAsset = async (playbackId = ''): Promise<Asset> => {
  const { id } = await db.asset.findUniqueOrThrow({ where: { playbackId } });
  return (await (await api.request('GET', `/api/asset/${id}`, { key: ada.key })).json()) as Asset;
};
/** Finishes all clips, so that the next clip is within the limit of concurrent clips. */
const finishClips = () =>
  db.task.updateMany({ where: { teamId: ada.teamId, type: 'clip' }, data: { phase: 'completed' } });

describe('a viewer', () => {
  test('gets the link to a clip that belongs to the team, which sees that a viewer made it and can delete it', async () => {
    const { playbackId, sessionId, streamId } = await createClippableStream();
    const response = await createClip(playbackId);
    expect(response.status).toBe(201);
    expect(response.url).toMatch(/\/watch\/[a-z0-9]{16}$/);
    const asset = await readAsset(response.playbackId);
    const source = { type: 'clip', playbackId, sessionId, by: 'viewer' };
    expect(asset).toMatchObject({ userId: ada.teamId, name: 'Town hall (clip)', source });
    const clips = await api.request('GET', `/api/stream/${streamId}/clips`, { key: ada.key });
    expect((await clips.json()) as Asset[]).toMatchObject([{ id: asset.id, source }]);
    const entry = await db.auditEntry.findFirstOrThrow({ where: { objectId: asset.id } });
    expect(entry).toMatchObject({ actor: 'anonymous', teamId: ada.teamId, userAgent: 'viewer/1' });
    expect((await api.request('DELETE', `/api/asset/${asset.id}`, { key: ada.key })).status).toBe(204);
  });

  test('clips a recording by the id of its session', async () => {
    const { playbackId, sessionId } = await createClippableStream();
    const response = await createClip(sessionId);
    expect(response.status).toBe(201);
    expect((await readAsset(response.playbackId)).source).toMatchObject({ playbackId, sessionId });
  });

  test.each([
    [
      { startTime: clipTimes.startTime, endTime: clipTimes.startTime + 60_001 },
      'endTime: a clip lasts at most 60 seconds',
    ],
    [
      { startTime: clipTimes.startTime, endTime: clipTimes.startTime + 999 },
      'endTime: a clip lasts at least 1 second',
    ],
    [{ startTime: clipTimes.startTime }, 'endTime: '],
    [{ startTime: 1_000, endTime: 2_000 }, 'startTime: nothing was recorded at this time'],
    [{ ...clipTimes, name: 'mine' }, 'name'],
  ])('gets an error message for %o', async (body, message) => {
    const { playbackId } = await createClippableStream();
    const { status, error } = await createClip(playbackId, body);
    expect([status, error]).toEqual([422, expect.stringContaining(message)]);
  });

  test('may clip only if the owner allows it and there is a recording', async () => {
    const meta = async (id: string) =>
      ((await (await api.request('GET', `/api/playback/${id}`)).json()) as Playback).meta;
    const { playbackId, sessionId, streamId } = await createClippableStream();
    for (const id of [playbackId, sessionId]) expect(await meta(id)).toMatchObject({ viewerClips: true });
    await api.request('PATCH', `/api/stream/${streamId}`, { key: ada.key, body: { record: false } });
    expect(await meta(playbackId)).not.toHaveProperty('viewerClips');
    await api.request('PATCH', `/api/stream/${streamId}`, { key: ada.key, body: { viewerClips: false } });
    for (const id of [playbackId, sessionId]) {
      expect(await meta(id)).not.toHaveProperty('viewerClips');
      expect(await createClip(id)).toMatchObject({
        status: 403,
        error: 'viewers cannot create clips of this video',
      });
    }
  });
});

describe('the endpoint rejects', () => {
  test('clips of unknown, deleted or suspended streams, and of assets', async () => {
    expect((await createClip(newPlaybackId())).status).toBe(404);
    const { playbackId, sessionId, streamId } = await createClippableStream();
    const response = await createClip(playbackId);
    expect((await createClip(response.playbackId ?? '')).status).toBe(403);
    const suspend = (suspended: boolean) =>
      db.stream.update({ where: { id: streamId }, data: { suspended } });
    await suspend(true);
    expect((await createClip(playbackId)).status).toBe(404);
    await suspend(false);
    expect((await api.request('DELETE', `/api/stream/${streamId}`, { key: ada.key })).status).toBe(204);
    expect((await createClip(playbackId)).status).toBe(404);
    expect((await createClip(sessionId)).status).toBe(404);
  });

  test('clips above the limits for an IP address, for clips in progress, and for a stream and a team in a day', async () => {
    const { playbackId } = await createClippableStream();
    const address = '198.51.100.7';
    const responses = await Promise.all(
      Array.from({ length: 6 }, () => createClip(playbackId, clipTimes, { address })),
    );
    const statuses = responses.map(({ status }) => status).toSorted();
    expect(statuses).toEqual([201, 201, 201, 429, 429, 429]);
    expect(viewerClipLimits.maxRunning).toBe(3);
    // The limit for viewers does not count against members of the team.
    const ownerResponses = await Promise.all(
      Array.from({ length: 3 }, () =>
        api.request('POST', '/api/clip', { key: ada.key, body: { playbackId, ...clipTimes } }),
      ),
    );
    expect(ownerResponses.filter(({ status }) => status === 200)).toHaveLength(clipLimits.maxRunning - 3);
    // With the six requests above, the address has used its twelve.
    for (let remaining = 6; remaining > 0; remaining -= 1)
      await createClip(playbackId, clipTimes, { address });
    await finishClips();
    const response = await createClip(playbackId, clipTimes, { address });
    expect(response.status).toBe(429);
    expect(response.error).toContain('clips from this address');
    const createClips = (clipPlaybackId: string, count: number) =>
      db.asset.createMany({
        data: Array.from({ length: count }, () => ({
          teamId: ada.teamId,
          playbackId: newPlaybackId(),
          name: 'c',
          sourceType: 'clip',
          clipPlaybackId,
          clippedByViewer: true,
        })),
      });
    await createClips(playbackId, viewerClipLimits.maxPerStream - 3);
    const tooManyClips = 'viewers have created too many clips in the last 24 hours; try again later';
    expect(await createClip(playbackId)).toMatchObject({ status: 429, error: tooManyClips });
    const otherStream = await createClippableStream();
    expect((await createClip(otherStream.playbackId)).status).toBe(201);
    await finishClips();
    await createClips(newPlaybackId(), viewerClipLimits.maxPerTeam - viewerClipLimits.maxPerStream - 1);
    expect(await createClip(otherStream.playbackId)).toMatchObject({ status: 429, error: tooManyClips });
  });

  test('clips of a team without storage left, without revealing numbers', async () => {
    const { playbackId } = await createClippableStream();
    await db.teamQuota.create({ data: { teamId: ada.teamId, storageBytes: 0n } });
    expect(await createClip(playbackId)).toMatchObject({
      status: 403,
      error: 'clips of this video cannot be created at the moment',
    });
    expect(await db.asset.count({ where: { clipPlaybackId: playbackId } })).toBe(0);
  });
});

describe('restricted content', () => {
  test('with a password: the token of the viewer is accepted, and the clip requires the same password', async () => {
    const { playbackId } = await createClippableStream({
      playbackPolicy: { type: 'password', password: 'sesame' },
    });
    const rejectedClip = await createClip(playbackId);
    expect([rejectedClip.status, rejectedClip.error]).toEqual([403, 'A password is required to watch this.']);
    expect((await createClip(playbackId, clipTimes, { query: '?token=wrong' })).status).toBe(403);
    const anonymous = { ...api.services, actor: { kind: 'anonymous' } } as const;
    const { token } = await enterPlaybackPassword(anonymous, { id: playbackId, password: 'sesame' });
    const response = await createClip(playbackId, clipTimes, { query: `?token=${token}` });
    expect(response.status).toBe(201);
    expect((await readAsset(response.playbackId)).playbackPolicy).toMatchObject({ type: 'password' });
    const passwordOfClip = { id: response.playbackId ?? '', password: 'sesame' };
    await expect(enterPlaybackPassword(anonymous, passwordOfClip)).resolves.toHaveProperty('token');
    await expect(enterPlaybackPassword(anonymous, { ...passwordOfClip, password: 'x' })).rejects.toThrow(
      'is wrong',
    );
  });

  test('with signed tokens: a clip is rejected if the token is missing or for another stream', async () => {
    const { playbackId } = await createClippableStream({ playbackPolicy: { type: 'jwt' } });
    const otherStream = await createClippableStream({ playbackPolicy: { type: 'jwt' } });
    expect((await createClip(playbackId)).status).toBe(403);
    const tokenOf = async (id: string) => (await createPlaybackToken(ada.ctx, { id, expiresIn: 60 })).token;
    expect(
      (await createClip(playbackId, clipTimes, { query: `?token=${await tokenOf(otherStream.playbackId)}` }))
        .status,
    ).toBe(403);
    expect(
      (await createClip(playbackId, clipTimes, { query: `?token=${await tokenOf(playbackId)}` })).status,
    ).toBe(201);
  });

  test('with a webhook policy: the webhook decides about the clip', async () => {
    const requests: string[] = [];
    const server = createServer((request, response) => {
      let text = '';
      request.on('data', (chunk: Buffer) => (text += chunk.toString()));
      request.on('end', () => {
        requests.push(text);
        response.writeHead(text.includes('golden') ? 200 : 403).end();
      });
    });
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    try {
      const { port } = server.address() as AddressInfo;
      const webhook = { name: 'gate', url: `http://127.0.0.1:${port}`, events: ['stream.started'] };
      const response = await api.request('POST', '/api/webhook', { key: ada.key, body: webhook });
      const { id: webhookId } = (await response.json()) as { id: string };
      const policy = { type: 'webhook', webhookId, webhookContext: {} };
      const { playbackId } = await createClippableStream({ playbackPolicy: policy });
      expect((await createClip(playbackId)).status).toBe(403);
      expect(requests).toHaveLength(0);
      expect((await createClip(playbackId, clipTimes, { query: '?accessKey=tin' })).status).toBe(403);
      expect((await createClip(playbackId, clipTimes, { query: '?accessKey=golden' })).status).toBe(201);
      expect(requests).toHaveLength(2);
    } finally {
      server.close();
      server.closeAllConnections();
    }
  });

  test('with allowed origins: pages of this service may clip', async () => {
    const { playbackId } = await createClippableStream({
      playbackPolicy: { type: 'public', allowedOrigins: ['https://choir.example'] },
    });
    expect((await createClip(playbackId)).status).toBe(201);
  });
});
