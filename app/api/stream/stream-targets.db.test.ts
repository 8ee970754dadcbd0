import { describe, expect, test } from 'vitest';
import type { Stream } from '@/lib/contract/streams/stream';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { openTestApi, type Person } from '@/app/api/testing/test-api';

const api = openTestApi(await createTestDatabase());
const { db } = api.services;
const ada = await api.createPerson('ada');
const eve = await api.createPerson('eve');
const url = 'rtmp://live.example.com/app/secret-key';
const profile = { name: '720p', width: 1280, height: 720, bitrate: 3_000_000, fps: 30 };

async function createTarget(person: Person = ada): Promise<string> {
  const response = await api.request('POST', '/api/multistream/target', { key: person.key, body: { url } });
  return ((await response.json()) as { id: string }).id;
}

const post = (body: object) => api.request('POST', '/api/stream', { key: ada.key, body });
const patch = (id: string, body: object) => api.request('PATCH', `/api/stream/${id}`, { key: ada.key, body });
const addTarget = (id: string, body: object, person: Person = ada) =>
  api.request('POST', `/api/stream/${id}/create-multistream-target`, { key: person.key, body });
const removeTarget = (id: string, targetId: string, person: Person = ada) =>
  api.request('DELETE', `/api/stream/${id}/multistream/${targetId}`, { key: person.key });

async function createStream(targets: readonly object[] = [], more: object = {}): Promise<Stream> {
  const response = await post({ name: 'x', profiles: [profile], multistream: { targets }, ...more });
  expect(response.status).toBe(201);
  return (await response.json()) as Stream;
}

async function readTargets(id: string) {
  const response = await api.request('GET', `/api/stream/${id}`, { key: ada.key });
  return ((await response.json()) as Stream).multistream.targets;
}

const errorsOf = async (response: Response) => ((await response.json()) as { errors: string[] }).errors;
const available = 'available: ["source","720p"]';

describe('the targets of a stream', () => {
  test('keep their order in every stream object', async () => {
    const [first, second] = [await createTarget(), await createTarget()];
    const targets = [
      { id: second, profile: '720p' },
      { id: first, profile: 'source', videoOnly: true },
      { id: second, profile: 'source' },
    ];
    const createdStream = await createStream(targets);
    expect(createdStream.multistream).toEqual({ targets });
    expect(await readTargets(createdStream.id)).toEqual(targets);
    const listedStreams = (await (
      await api.request('GET', '/api/stream', { key: ada.key })
    ).json()) as Stream[];
    expect(listedStreams.find(({ id }) => id === createdStream.id)?.multistream).toEqual({ targets });
  });

  test('are replaced as a whole, kept if absent, and cleared by an empty list', async () => {
    const [first, second] = [await createTarget(), await createTarget()];
    const { id } = await createStream([{ id: first, profile: 'source' }]);
    expect((await patch(id, { record: true })).status).toBe(204);
    expect(await readTargets(id)).toEqual([{ id: first, profile: 'source' }]);
    const next = [{ id: second, profile: 'source', videoOnly: false }];
    expect((await patch(id, { multistream: { targets: next } })).status).toBe(204);
    expect(await readTargets(id)).toEqual([{ id: second, profile: 'source' }]);
    expect((await patch(id, { multistream: {} })).status).toBe(204);
    expect(await readTargets(id)).toEqual([]);
    await patch(id, { multistream: { targets: next } });
    expect((await patch(id, { multistream: { targets: [] } })).status).toBe(204);
    expect(await readTargets(id)).toEqual([]);
  });

  test('with a spec are created, and the stream object does not contain their stream key', async () => {
    const createdStream = await createStream([{ profile: 'source', spec: { url, name: 'Twitch' } }]);
    const [reference] = createdStream.multistream.targets;
    expect(JSON.stringify(createdStream)).not.toContain('secret-key');
    const response = await api.request('GET', `/api/multistream/target/${reference?.id ?? ''}`, {
      key: ada.key,
    });
    expect(await response.json()).toMatchObject({ name: 'Twitch', disabled: false });
  });

  test('a stream object can be sent back whole', async () => {
    const createdStream = await createStream([{ id: await createTarget(), profile: '720p' }]);
    expect((await patch(createdStream.id, createdStream)).status).toBe(204);
    expect(await readTargets(createdStream.id)).toEqual(createdStream.multistream.targets);
  });
});

describe('a browser key', () => {
  const origin = 'https://page.example';
  const spec = { profile: 'source', spec: { url } };

  test('cannot create a target, neither for a stream nor with a new stream', async () => {
    const { secret: key } = await ada.newKey({ allowedOrigins: [origin] });
    const existing = await createTarget();
    const { id } = await createStream([{ id: existing, profile: 'source' }]);
    const before = [await db.multistreamTarget.count(), await db.stream.count()];
    const body = { name: 'x', multistream: { targets: [{ id: existing, profile: 'source' }, spec] } };
    const responses = [
      await api.request('POST', '/api/stream', { key, origin, body }),
      await api.request('PATCH', `/api/stream/${id}`, { key, origin, body }),
      // Without the header Origin the key is restricted in the same way.
      await api.request('PATCH', `/api/stream/${id}`, { key, body: { multistream: { targets: [spec] } } }),
    ];
    for (const response of responses) {
      expect(response.status).toBe(403);
      expect((await errorsOf(response))[0]).toMatch(
        /^multistream\.targets\[[01]\]\.spec: a CORS-enabled API key with restricted access cannot create/,
      );
    }
    expect([await db.multistreamTarget.count(), await db.stream.count()]).toEqual(before);
    expect(await readTargets(id)).toEqual([{ id: existing, profile: 'source' }]);
  });

  test('can refer to existing targets, and create them with full access', async () => {
    const { secret: key } = await ada.newKey({ allowedOrigins: [origin] });
    const { secret: fullKey } = await ada.newKey({ allowedOrigins: [origin], fullAccess: true });
    const existing = await createTarget();
    const create = (secret: string, reference: object) =>
      api.request('POST', '/api/stream', {
        key: secret,
        origin,
        body: { name: 'x', multistream: { targets: [reference] } },
      });
    expect((await create(key, { id: existing, profile: 'source' })).status).toBe(201);
    expect((await create(fullKey, spec)).status).toBe(201);
  });
});

describe('targets that cannot be used', () => {
  const unknownId = crypto.randomUUID();
  test.each<[string, () => Promise<object[]> | object[], number, string]>([
    ['an unknown target', () => [{ id: unknownId, profile: 'source' }], 400, `multistream target not found: "${unknownId}"`],
    ['an id that is not a UUID', () => [{ id: 'x', profile: 'source' }], 400, 'multistream target not found: "x"'],
    ['neither id nor spec', () => [{ profile: 'source' }], 400, 'multistream target must have either an "id" or a "spec"'],
    ['both id and spec', () => [{ id: unknownId, spec: { url }, profile: 'source' }], 400, 'multistream target must have either an "id" or a "spec"'],
    ['an unknown rendition', () => [{ id: unknownId, profile: '4k' }], 400, `multistream target profile not found: "4k". ${available}`],
    ['one pair of target and rendition twice', async () => {
      const id = await createTarget();
      return [{ id, profile: 'source' }, { id: id.toUpperCase(), profile: 'source' }];
    }, 400, 'multistream target {id,profile} must be unique'],
    ['no profile', () => [{ id: unknownId }], 422, 'multistream.targets[0].profile: is required'],
    ['a bad url', () => [{ spec: { url: 'ftp://x' }, profile: 'source' }], 422, 'multistream.targets[0].spec.url: must be an rtmp://, rtmps://, srt:// or https:// (WHIP) URL'],
    ['the ingest URL of this service', () => [{ spec: { url: 'rtmp://localhost/live/x' }, profile: 'source' }], 422, 'multistream.targets[0].spec.url: must not be the ingest address of this service'],
    ['more than 20 targets', () => Array.from({ length: 21 }, () => ({ spec: { url }, profile: 'source' })), 422, 'multistream.targets: must have at most 20 items'],
    ['an unknown field', () => [{ id: unknownId, profile: 'source', x: 1 }], 422, 'multistream.targets[0].x: unknown field'],
  ])('%s is rejected on create and on change, and nothing is written', async (_, targetsFor, status, message) => {
    const targets = await targetsFor();
    const keptTargets = [{ id: await createTarget(), profile: '720p' }];
    const { id } = await createStream(keptTargets);
    const rows = async () => [await db.stream.count(), await db.multistreamTarget.count(), await db.streamTarget.count()];
    const before = await rows();
    const response = await post({ name: 'x', profiles: [profile], multistream: { targets } });
    expect([response.status, await errorsOf(response)]).toEqual([status, [message]]);
    const changed = await patch(id, { name: 'changed', multistream: { targets } });
    expect([changed.status, await errorsOf(changed)]).toEqual([status, [message]]);
    expect(await rows()).toEqual(before);
    expect(await readTargets(id)).toEqual(keptTargets);
  }); // prettier-ignore

  test('a target of another team or a deleted one is treated as missing', async () => {
    const foreign = await createTarget(eve);
    const deleted = await createTarget();
    await api.request('DELETE', `/api/multistream/target/${deleted}`, { key: ada.key });
    const { id } = await createStream();
    for (const missingId of [foreign, deleted]) {
      const reference = { id: missingId, profile: 'source' };
      for (const response of [
        await patch(id, { multistream: { targets: [reference] } }),
        await addTarget(id, reference),
      ]) {
        expect(response.status).toBe(400);
        expect(await errorsOf(response)).toEqual([`multistream target not found: "${missingId}"`]);
      }
    }
    expect(await db.streamTarget.count({ where: { targetId: foreign } })).toBe(0);
  });

  test('a rendition that is sent to a target cannot be removed', async () => {
    const { id } = await createStream([{ id: await createTarget(), profile: '720p' }]);
    const response = await patch(id, { profiles: [] });
    expect(response.status).toBe(400);
    expect(await errorsOf(response)).toEqual([
      'multistream target profile not found: "720p". available: ["source"]',
    ]);
    expect((await patch(id, { profiles: [], multistream: {} })).status).toBe(204);
  });
});

describe('a single reference', () => {
  test('is appended and removed', async () => {
    const [first, second] = [await createTarget(), await createTarget()];
    const { id } = await createStream([{ id: first, profile: 'source' }]);
    expect((await addTarget(id, { id: second, profile: 'source', videoOnly: false })).status).toBe(204);
    expect((await addTarget(id, { id: second, profile: '720p', videoOnly: true })).status).toBe(204);
    expect((await addTarget(id, { spec: { url }, profile: 'source' })).status).toBe(204);
    const [, , , createdStream] = await readTargets(id);
    expect(await readTargets(id)).toEqual([
      { id: first, profile: 'source' },
      { id: second, profile: 'source' },
      { id: second, profile: '720p', videoOnly: true },
      { id: createdStream?.id, profile: 'source' },
    ]);
    expect((await removeTarget(id, second)).status).toBe(204);
    expect((await removeTarget(id, second)).status).toBe(404);
    expect((await readTargets(id)).map((reference) => reference.id)).toEqual([first, createdStream?.id]);
    expect((await api.request('GET', `/api/multistream/target/${second}`, { key: ada.key })).status).toBe(
      200,
    );
  });

  test('is rejected if it exists already, beyond 20, with an unknown rendition or our own ingest, and for strangers', async () => {
    const first = await createTarget();
    const { id } = await createStream([{ id: first, profile: 'source' }]);
    expect(await errorsOf(await addTarget(id, { id: first, profile: 'source' }))).toEqual([
      'multistream target {id,profile} must be unique',
    ]);
    expect((await addTarget(id, { id: first, profile: '4k' })).status).toBe(400);
    expect(
      await errorsOf(await addTarget(id, { spec: { url: 'rtmp://localhost/x' }, profile: 'source' })),
    ).toEqual(['spec.url: must not be the ingest address of this service']);
    expect((await addTarget(id, { id: await createTarget(eve), profile: 'source' }, eve)).status).toBe(404);
    expect((await removeTarget(id, first, eve)).status).toBe(404);
    const fullStream = await createStream(
      Array.from({ length: 20 }, () => ({ spec: { url }, profile: 'source' })),
    );
    expect(await errorsOf(await addTarget(fullStream.id, { id: first, profile: 'source' }))).toEqual([
      'a stream has at most 20 multistream targets',
    ]);
    expect(await readTargets(id)).toEqual([{ id: first, profile: 'source' }]);
  });

  test('of many concurrent requests is added: none is lost', async () => {
    const { id } = await createStream();
    const ids = await Promise.all(Array.from({ length: 8 }, () => createTarget()));
    const responses = await Promise.all([
      ...ids.map((targetId) => addTarget(id, { id: targetId, profile: 'source' })),
      patch(id, { name: 'renamed' }),
      patch(id, { record: true }),
    ]);
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 204));
    expect((await readTargets(id)).map((reference) => reference.id).sort()).toEqual([...ids].sort());
    const rows = await db.streamTarget.findMany({ where: { streamId: id } });
    expect(new Set(rows.map(({ position }) => position)).size).toBe(8);
    expect(await db.stream.count({ where: { id, name: 'renamed', record: true } })).toBe(1);
  });

  test('of many concurrent lists, one takes effect as a whole', async () => {
    const { id } = await createStream();
    const lists = await Promise.all(
      Array.from({ length: 6 }, async () => [
        { id: await createTarget(), profile: 'source' },
        { id: await createTarget(), profile: '720p' },
      ]),
    );
    const responses = await Promise.all(lists.map((targets) => patch(id, { multistream: { targets } })));
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 204));
    expect(lists).toContainEqual(await readTargets(id));
  });
});

describe('labels', () => {
  test('creatorId is sent as text or object and returned as object; tags and policy are returned as sent', async () => {
    const userTags = { team: 'red', numbers: [1, 2.5, 'three'], level: 3 };
    const createdStream = await createStream([], {
      creatorId: 'ada-1',
      userTags,
      playbackPolicy: { type: 'public' },
    });
    const creatorId = { type: 'unverified', value: 'ada-1' };
    expect(createdStream).toMatchObject({ creatorId, userTags, playbackPolicy: { type: 'public' } });
    expect(
      (await patch(createdStream.id, { ...createdStream, userTags: {}, playbackPolicy: null })).status,
    ).toBe(204);
    const response = await api.request('GET', `/api/stream/${createdStream.id}`, { key: ada.key });
    const { playbackPolicy, ...otherFields } = (await response.json()) as Stream;
    expect(playbackPolicy).toBeUndefined();
    expect(otherFields).toMatchObject({ creatorId, userTags: {} });
    const unlabelledStream = await createStream();
    for (const field of ['creatorId', 'userTags', 'playbackPolicy'])
      expect(unlabelledStream).not.toHaveProperty(field);
  });

  test.each<[object, string]>([
    [{ creatorId: 5 }, 'creatorId'],
    [{ creatorId: '' }, 'creatorId'],
    [{ creatorId: { type: 'verified', value: 'x' } }, 'creatorId'],
    [{ userTags: { a: { b: 1 } } }, 'userTags'],
    [{ userTags: { a: null } }, 'userTags'],
    [{ userTags: { a: 'x'.repeat(499), b: Array.from({ length: 10 }, () => 'y'.repeat(300)) } }, 'userTags'],
    [{ userTags: { 'a\0': 1 } }, 'userTags'],
    [{ userTags: [] }, 'userTags'],
    [{ playbackPolicy: { type: 'secret' } }, 'playbackPolicy.type: must be one of "public", "jwt"'],
  ])('%j is rejected', async (more, start) => {
    const response = await post({ name: 'x', ...more });
    expect(response.status).toBe(422);
    expect((await errorsOf(response))[0]).toContain(start);
  });
});
