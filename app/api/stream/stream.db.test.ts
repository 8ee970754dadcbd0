import { Client } from 'pg';
import { describe, expect, test, vi } from 'vitest';
import type { Stream } from '@/lib/contract/streams/stream';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { openTestApi } from '@/app/api/testing/test-api';

const api = openTestApi(await createTestDatabase());
const ada = await api.createPerson('ada');
const pollOptions = { timeout: 60_000 };
const profile = { name: '720p', width: 1280, height: 720, bitrate: 3_000_000, fps: 30 };

async function createStream(body: object = { name: 'Town hall' }): Promise<Stream> {
  const response = await api.request('POST', '/api/stream', { key: ada.key, body });
  expect(response.status).toBe(201);
  return (await response.json()) as Stream;
}

async function readStream(id: string): Promise<Stream> {
  const response = await api.request('GET', `/api/stream/${id}`, { key: ada.key });
  expect(response.status).toBe(200);
  return (await response.json()) as Stream;
}

const errorsOf = async (response: Response) => ((await response.json()) as { errors: string[] }).errors;

describe('POST /api/stream', () => {
  test('returns the stream with its key and playback id', async () => {
    const stream = await createStream({ name: 'Town hall', profiles: [profile], record: true });
    expect(stream).toMatchObject({
      kind: 'stream',
      name: 'Town hall',
      profiles: [profile],
      record: true,
      isActive: false,
      lastSeen: 0,
      suspended: false,
      multistream: { targets: [] },
      userId: ada.userId,
      createdByTokenName: 'test',
    });
    expect(stream.streamKey).toMatch(/^[a-z0-9]{4}(-[a-z0-9]{4}){3}$/);
    expect(stream.playbackId).toMatch(/^[a-z0-9]{16}$/);
    expect(Math.abs(stream.createdAt - Date.now())).toBeLessThan(60_000);
    expect(await readStream(stream.id)).toEqual(stream);
  });

  test('creates a stream without transcoding if the profiles are absent or null', async () => {
    expect((await createStream()).profiles).toEqual([]);
    expect((await createStream({ name: 'x', profiles: null })).profiles).toEqual([]);
  });

  test('ignores known read-only fields, so that an object can be sent back', async () => {
    const first = await createStream();
    const second = await createStream(first);
    expect(second.id).not.toBe(first.id);
    expect(second.streamKey).not.toBe(first.streamKey);
  });

  test.each<[string, unknown, number, string]>([
    ['no name', {}, 422, 'name: is required'],
    ['an empty name', { name: '' }, 422, 'name: must not be empty'],
    ['a number as name', { name: 5 }, 422, 'name: must be a string'],
    ['a NUL in the name', { name: 'a\0b' }, 422, 'name: must not contain NUL characters or broken Unicode'],
    [
      'half a surrogate',
      '{"name":"\\ud800"}',
      422,
      'name: must not contain NUL characters or broken Unicode',
    ],
    ['an unknown field', { name: 'x', foo: 1 }, 422, 'foo: unknown field'],
    ['a record that is text', { name: 'x', record: 'true' }, 422, 'record: must be true or false'],
    [
      'a narrow profile',
      { name: 'x', profiles: [{ ...profile, width: 100 }] },
      422,
      'profiles[0].width: must be at least 128',
    ],
    [
      'a profile without fps',
      { name: 'x', profiles: [{ ...profile, fps: undefined }] },
      422,
      'profiles[0].fps: is required',
    ],
    [
      'a profile with more',
      { name: 'x', profiles: [{ ...profile, x: 1 }] },
      422,
      'profiles[0].x: unknown field',
    ],
    ['profiles that are no list', { name: 'x', profiles: {} }, 422, 'profiles: must be an array'],
    [
      'a profile called source',
      { name: 'x', profiles: [{ ...profile, name: 'source' }] },
      400,
      'profile cannot be named "source"',
    ],
    [
      'two profiles of one name',
      { name: 'x', profiles: [profile, profile] },
      400,
      'duplicate profile name "720p"',
    ],
    ['an array', [], 422, 'must be an object'],
    ['nothing but null', 'null', 422, 'must be an object'],
    ['0 bytes', '', 422, 'name: is required'],
    ['half a JSON', '{"name":', 400, 'the body is not valid JSON'],
    ['__proto__', '{"name":"x","__proto__":{"admin":true}}', 422, '__proto__: unknown field'],
    [
      'deep nesting',
      `{"name":${'['.repeat(5_000)}${']'.repeat(5_000)}}`,
      400,
      'the body is nested deeper than 32 levels',
    ],
    ['1 MB', { name: 'x'.repeat(1_000_000) }, 413, 'the body must be at most 102400 bytes'],
  ])('rejects %s', async (_, body, status, message) => {
    const response = await api.request('POST', '/api/stream', { key: ada.key, body });
    expect(response.status).toBe(status);
    expect(await errorsOf(response)).toContain(message);
  });

  test('rejects another content type', async () => {
    const headers = { 'content-type': 'text/plain' };
    const response = await api.request('POST', '/api/stream', { key: ada.key, body: { name: 'x' }, headers });
    expect(response.status).toBe(415);
  });

  test('rejects an unknown multistream target', async () => {
    const targets = [{ id: crypto.randomUUID(), profile: 'source' }];
    const response = await api.request('POST', '/api/stream', {
      key: ada.key,
      body: { name: 'x', multistream: { targets } },
    });
    expect(response.status).toBe(400);
    expect(await errorsOf(response)).toEqual([`multistream target not found: "${targets[0]?.id ?? ''}"`]);
  });
});

describe('PATCH /api/stream/{id}', () => {
  test('changes the sent fields and keeps the others', async () => {
    const before = await createStream({ name: 'before', profiles: [profile] });
    const change = { record: true, suspended: true };
    const response = await api.request('PATCH', `/api/stream/${before.id}`, { key: ada.key, body: change });
    expect(response.status).toBe(204);
    expect(await readStream(before.id)).toEqual({ ...before, ...change });
  });

  test('accepts a whole stream object', async () => {
    const stream = await createStream();
    const response = await api.request('PATCH', `/api/stream/${stream.id}`, {
      key: ada.key,
      body: { ...stream, name: 'after' },
    });
    expect(response.status).toBe(204);
    expect(await readStream(stream.id)).toEqual({ ...stream, name: 'after' });
  });

  test('changes nothing for an empty body', async () => {
    const stream = await createStream();
    for (const body of [undefined, '', {}, { multistream: {} }]) {
      const response = await api.request('PATCH', `/api/stream/${stream.id}`, { key: ada.key, body });
      expect(response.status).toBe(204);
    }
    expect(await readStream(stream.id)).toEqual(stream);
  });

  test('writes an audit entry that says what changed, and who changed it from where', async () => {
    const { id } = await createStream();
    await api.request('PATCH', `/api/stream/${id}`, {
      key: ada.key,
      body: { record: true },
      headers: { 'user-agent': 'curl/8', 'x-forwarded-for': '192.0.2.7' },
    });
    for (const body of [
      { suspended: true },
      { suspended: false, name: 'Choir' },
      { name: 'Bells' },
      { name: 'Bells' },
    ])
      await api.request('PATCH', `/api/stream/${id}`, { key: ada.key, body });
    const lines = await api.services.db.auditEntry.findMany({
      where: { objectId: id },
      orderBy: { createdAt: 'asc' },
    });
    expect(lines.slice(2).map(({ action }) => action)).toEqual([
      'stream.suspended',
      'stream.resumed',
      'stream.renamed',
      'stream.updated',
    ]);
    expect(lines.slice(0, 2)).toMatchObject([
      { action: 'stream.created' },
      { action: 'stream.recording-switched-on', ip: '192.0.2.7', userAgent: 'curl/8', teamId: ada.teamId },
    ]);
    expect(lines[1]?.actor).toMatch(/^key:/);
  });
});

describe('PATCH /api/stream/{id}/record', () => {
  test('switches recording on and off', async () => {
    const { id } = await createStream();
    const response = await api.request('PATCH', `/api/stream/${id}/record`, {
      key: ada.key,
      body: { record: true },
    });
    expect(response.status).toBe(204);
    expect((await readStream(id)).record).toBe(true);
  });

  test.each([{}, { record: 'true' }, { record: null }])('rejects %j with 400', async (body) => {
    const { id } = await createStream();
    const response = await api.request('PATCH', `/api/stream/${id}/record`, { key: ada.key, body });
    expect(response.status).toBe(400);
    expect((await errorsOf(response))[0]).toContain('record');
  });

  test('rejects the stream object of a session', async () => {
    const parent = await createStream();
    const child = await api.services.db.stream.create({
      data: { teamId: ada.teamId, parentId: parent.id, name: 'child', playbackId: 'c'.repeat(16) },
    });
    expect(await readStream(child.id)).toMatchObject({ parentId: parent.id });
    for (const path of [`/api/stream/${child.id}`, `/api/stream/${child.id}/record`]) {
      const response = await api.request('PATCH', path, { key: ada.key, body: { record: true } });
      expect(response.status).toBe(400);
    }
  });
});

describe('DELETE /api/stream/{id}', () => {
  test('deletes a stream once, after which it is not found', async () => {
    const { id, playbackId } = await createStream();
    expect((await api.request('GET', `/api/playback/${playbackId}`)).status).toBe(200);
    expect((await api.request('DELETE', `/api/stream/${id}`, { key: ada.key })).status).toBe(204);
    expect((await api.request('DELETE', `/api/stream/${id}`, { key: ada.key })).status).toBe(404);
    expect((await api.request('GET', `/api/stream/${id}`, { key: ada.key })).status).toBe(404);
    expect((await api.request('PATCH', `/api/stream/${id}`, { key: ada.key, body: {} })).status).toBe(404);
    expect((await api.request('GET', `/api/playback/${playbackId}`)).status).toBe(404);
  });
});

describe('DELETE /api/stream/{id}/terminate', () => {
  test('stores the time, and rejects a second request within 5 s with Retry-After', async () => {
    const { id } = await createStream();
    expect((await api.request('DELETE', `/api/stream/${id}/terminate`, { key: ada.key })).status).toBe(204);
    expect(Math.abs(Number((await readStream(id)).lastTerminatedAt) - Date.now())).toBeLessThan(60_000);
    const second = await api.request('DELETE', `/api/stream/${id}/terminate`, { key: ada.key });
    expect(second.status).toBe(429);
    expect(second.headers.get('retry-after')).toBe('5');
  });
});

describe('GET /api/playback/{id}', () => {
  test('is public for pages of any origin, and reports whether the stream is live', async () => {
    const { id, playbackId } = await createStream();
    await api.services.db.stream.update({ where: { id }, data: { isActive: true } });
    const response = await api.request('GET', `/api/playback/${playbackId}`, {
      origin: 'https://anywhere.example',
    });
    expect(response.headers.get('access-control-allow-origin')).toBe('https://anywhere.example');
    expect(await response.json()).toMatchObject({
      type: 'live',
      meta: {
        live: 1,
        source: [
          { url: `http://localhost:8080/hls/${playbackId}/index.m3u8` },
          { hrn: 'Thumbnail (JPEG)', url: `http://localhost:8080/hls/${playbackId}/thumbnail.jpg` },
        ],
      },
    });
  });

  test('finds neither suspended streams, nor streams by their id, nor invalid ids', async () => {
    const { id, playbackId } = await createStream({ name: 'x', suspended: true });
    for (const name of [playbackId, id, '%00', '..%2f..', 'x'.repeat(4_000)]) {
      expect((await api.request('GET', `/api/playback/${name}`)).status).toBe(404);
    }
  });
});

describe('GET /api/playback/{id}/status', () => {
  const status = async (playbackId: string) => {
    const response = await api.request('GET', `/api/playback/${playbackId}/status`, {
      origin: 'https://anywhere.example',
    });
    expect(response.headers.get('access-control-allow-origin')).toBe('https://anywhere.example');
    return (await response.json()) as unknown;
  };

  test('reports since when a stream is live, how many watch, and when it ended', async () => {
    const { db } = api.services;
    const { id, playbackId } = await createStream();
    const never = { live: false, viewers: 0, startedAt: null, endedAt: null };
    expect(await status(playbackId)).toEqual(never);
    const { teamId } = await db.stream.findUniqueOrThrow({ where: { id } });
    const [createdAt, lastSeen] = [new Date('2026-01-01T00:00Z'), new Date('2026-01-01T01:00Z')];
    const data = { teamId, parentId: id, name: 'x', playbackId, createdAt, lastSeen };
    // A session that ended before its first segment was never visible to viewers.
    const session = await db.session.create({ data: { ...data, state: 'ended' } });
    await expect.poll(() => status(playbackId)).toEqual(never);

    await db.session.update({ where: { id: session.id }, data: { sourceSegments: 3 } });
    const endedStatus = {
      live: false,
      viewers: 0,
      startedAt: createdAt.getTime(),
      endedAt: lastSeen.getTime(),
    };
    // The status of a playback id is cached for a second.
    await expect.poll(() => status(playbackId), pollOptions).toEqual(endedStatus);

    await db.stream.update({ where: { id }, data: { isActive: true } });
    const now = new Date();
    const seenAt = new Date(now.getTime() + 3_600_000);
    const origin = { id: crypto.randomUUID(), role: 'origin', url: 'http://127.0.0.1:1', seenAt };
    await db.node.create({ data: origin });
    const viewersRow = {
      streamId: id,
      minute: now,
      nodeId: origin.id,
      viewers: 2,
      viewerSeconds: 10,
      views: 2,
      seenAt: now,
    };
    await db.streamViewers.create({ data: viewersRow });
    const watchedStatus = { ...endedStatus, live: true, viewers: 2, endedAt: null };
    await expect.poll(() => status(playbackId), pollOptions).toEqual(watchedStatus);
  });

  test('is read from the database once for each of two streams with 200 concurrent requests', async () => {
    const streams = [await createStream(), await createStream({ name: 'Another' })];
    const statements = vi.spyOn(Client.prototype, 'query');
    const statusRequests = Array.from({ length: 200 }, (_, index) =>
      status(streams[index % 2]?.playbackId ?? ''),
    );
    const statusBodies = await Promise.all(statusRequests);
    const queryCount = statements.mock.calls.length;
    statements.mockRestore();
    expect(new Set(statusBodies.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(queryCount).toBeGreaterThan(0);
    // Two queries for each of the two streams: the stream, and its latest session.
    expect(queryCount).toBeLessThanOrEqual(4);
  });

  test('becomes 404 when a stream is suspended whose status was cached', async () => {
    const { id, playbackId } = await createStream();
    const answer = async () => (await api.request('GET', `/api/playback/${playbackId}/status`)).status;
    expect(await answer()).toBe(200);
    await api.services.db.stream.update({ where: { id }, data: { suspended: true } });
    await expect.poll(answer, pollOptions).toBe(404);
  });

  test('finds neither suspended streams, nor assets, nor unknown ids', async () => {
    const { playbackId } = await createStream({ name: 'x', suspended: true });
    const assetPlaybackId = 'a'.repeat(16);
    const asset = { name: 'x', playbackId: assetPlaybackId, sourceType: 'url', phase: 'ready' } as const;
    await api.services.db.asset.create({ data: { teamId: ada.teamId, ...asset } });
    for (const id of [playbackId, assetPlaybackId, 'abcdabcdabcdabcd', '%00'])
      expect((await api.request('GET', `/api/playback/${id}/status`)).status).toBe(404);
  });
});
