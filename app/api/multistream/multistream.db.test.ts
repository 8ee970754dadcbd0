import { describe, expect, test } from 'vitest';
import type { CreatedMultistreamTarget, MultistreamTarget } from '@/lib/contract/targets/multistream';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { openTestApi, type Person } from '@/app/api/testing/test-api';

const api = openTestApi(await createTestDatabase());
const { db, secrets } = api.services;
const ada = await api.createPerson('ada');
const eve = await api.createPerson('eve');
const path = '/api/multistream/target';
const url = 'rtmp://live.example.com/app/secret-key';

async function createTarget(body: object = { url }, person: Person = ada): Promise<CreatedMultistreamTarget> {
  const response = await api.request('POST', path, { key: person.key, body });
  expect(response.status).toBe(201);
  return (await response.json()) as CreatedMultistreamTarget;
}

async function errorsOf(response: Response): Promise<string[]> {
  return ((await response.json()) as { errors: string[] }).errors;
}

async function readStoredUrl(id: string): Promise<string> {
  const row = await db.multistreamTarget.findUniqueOrThrow({ where: { id } });
  expect(Buffer.from(row.urlSealed).toString('latin1')).not.toContain('secret-key');
  return secrets.open({ kind: 'target-url', id, teamId: row.teamId }, row.urlSealed);
}

const patch = (id: string, body: unknown, person: Person = ada) =>
  api.request('PATCH', `${path}/${id}`, { key: person.key, body });

describe('POST', () => {
  test('returns the url once and stores it sealed', async () => {
    const target = await createTarget();
    expect(target).toEqual({
      id: target.id,
      userId: ada.userId,
      name: 'live.example.com',
      url,
      disabled: false,
      createdAt: target.createdAt,
    });
    expect(await readStoredUrl(target.id)).toBe(url);
    const body = await (await api.request('GET', `${path}/${target.id}`, { key: ada.key })).text();
    const listed = await (await api.request('GET', path, { key: ada.key })).text();
    for (const text of [body, listed]) {
      expect(text).toContain(target.id);
      expect(text).not.toContain('secret-key');
      expect(text).not.toContain('"url"');
    }
    expect(await db.auditEntry.count({ where: { objectId: target.id, action: 'target.created' } })).toBe(1);
  });

  test.each([
    [{ url, name: 'Twitch' }, 'Twitch'],
    [{ url, name: '' }, 'live.example.com'],
    [{ url: 'rtmps://Live.Example.com:8443/x' }, 'live.example.com:8443'],
  ])('%j is named %s', async (body, name) => {
    expect((await createTarget(body)).name).toBe(name);
  });

  test.each<[unknown, string]>([
    [{}, 'url: is required'],
    [{ url: '' }, 'url: '],
    [{ url: 5 }, 'url: must be a string'],
    [{ url: null }, 'url: must be a string'],
    [{ url: 'ftp://example.com/live' }, 'url: must be an rtmp://, rtmps://, srt:// or https:// (WHIP) URL'],
    [{ url: 'file:///etc/passwd' }, 'url: must be an rtmp://'],
    [{ url: 'RTMP://example.com/live' }, 'url: must be an rtmp://'],
    [{ url: 'rtmp://x/y|[f=mpegts]/tmp/z' }, 'url: must be an rtmp://'],
    [{ url: 'rtmp://x/y live=1' }, 'url: must be an rtmp://'],
    [{ url: 'rtmp://x/y\nz' }, 'url: must be an rtmp://'],
    [{ url: `rtmp://x/'` }, 'url: must be an rtmp://'],
    [{ url: 'rtmp://x/\\' }, 'url: must be an rtmp://'],
    [{ url: `rtmp://x/${'k'.repeat(2_000)}` }, 'url: must have at most 2000 characters'],
    [{ url: 'rtmp://localhost:1935/live/key' }, 'url: must not be the ingest address of this service'],
    [{ url: 'rtmp://127.0.0.1/live/key' }, 'url: must not be the ingest address of this service'],
    [{ url: 'rtmp://me:pass@example.com/live' }, 'url: must not contain a user name or password'],
    [{ url: 'rtmp://example.com:99999/live' }, 'url: must name a host'],
    [{ url, name: 'x'.repeat(501) }, 'name: must have at most 500 characters'],
    [{ url, name: 'a\0b' }, 'name: must not contain NUL'],
    [{ url, name: ' \t' }, 'name: must not be blank'],
    [{ url, disabled: 'no' }, 'disabled: must be true or false'],
    [{ url, extra: 1 }, 'extra: unknown field'],
  ])('%j is rejected', async (body, message) => {
    const before = await db.multistreamTarget.count();
    const response = await api.request('POST', path, { key: ada.key, body });
    expect(response.status).toBe(422);
    expect((await errorsOf(response)).join()).toContain(message);
    expect(await db.multistreamTarget.count()).toBe(before);
  });
});

describe('PATCH', () => {
  test('keeps absent fields, and the name when it is empty', async () => {
    const { id } = await createTarget({ url, name: 'Twitch' });
    expect((await patch(id, { disabled: true })).status).toBe(204);
    expect((await patch(id, { name: '' })).status).toBe(204);
    expect((await patch(id, {})).status).toBe(204);
    const body = await api.request('GET', `${path}/${id}`, { key: ada.key });
    expect(await body.json()).toMatchObject({ name: 'Twitch', disabled: true });
    expect(await readStoredUrl(id)).toBe(url);
    expect((await patch(id, { name: 'Tube', url: 'rtmp://b.example.com/x/secret-key' })).status).toBe(204);
    expect(await readStoredUrl(id)).toBe('rtmp://b.example.com/x/secret-key');
  });

  test('accepts the object as it was returned', async () => {
    const { id } = await createTarget();
    const object: unknown = await (await api.request('GET', `${path}/${id}`, { key: ada.key })).json();
    expect((await patch(id, object)).status).toBe(204);
  });

  test.each([{ url: '' }, { url: 'http://x' }, { url: 'rtmp://localhost/live/x' }, { name: 5 }, { x: 1 }])(
    '%j is rejected with 422',
    async (body) => {
      const { id } = await createTarget();
      expect((await patch(id, body)).status).toBe(422);
      expect(await readStoredUrl(id)).toBe(url);
    },
  );

  test('applies two concurrent requests for different fields', async () => {
    const { id } = await createTarget({ url, name: 'before' });
    await Promise.all([patch(id, { name: 'after' }), patch(id, { disabled: true })]);
    const body = await api.request('GET', `${path}/${id}`, { key: ada.key });
    expect(await body.json()).toMatchObject({ name: 'after', disabled: true });
  });
});

test('a name derived from the host of the url follows a new url; other names stay', async () => {
  const [derivedName, chosenName] = [
    await createTarget({ url }),
    await createTarget({ url, name: 'Backup' }),
  ];
  for (const { id } of [derivedName, chosenName])
    await patch(id, { url: 'rtmp://ingest.example.org:1936/app/key' });
  const nameOf = async (id: string) =>
    ((await (await api.request('GET', `${path}/${id}`, { key: ada.key })).json()) as MultistreamTarget).name;
  expect([await nameOf(derivedName.id), await nameOf(chosenName.id)]).toEqual([
    'ingest.example.org:1936',
    'Backup',
  ]);
});

describe('DELETE', () => {
  const remove = (id: string) => api.request('DELETE', `${path}/${id}`, { key: ada.key });

  test('deletes a target once, after which it is not found and its row is only marked', async () => {
    const { id } = await createTarget();
    expect((await remove(id)).status).toBe(204);
    expect((await remove(id)).status).toBe(404);
    expect((await api.request('GET', `${path}/${id}`, { key: ada.key })).status).toBe(404);
    expect((await patch(id, { disabled: true })).status).toBe(404);
    expect(
      await (
        await api.request('GET', `${path}?filters=[{"id":"id","value":"${id}"}]`, { key: ada.key })
      ).json(),
    ).toEqual([]);
    expect(await db.multistreamTarget.count({ where: { id, deletedAt: { not: null } } })).toBe(1);
  });

  test('removes the references from streams and keeps the other data of the streams', async () => {
    const [{ id }, other] = [await createTarget(), await createTarget()];
    const streams: string[] = [];
    for (const name of ['a', 'b']) {
      const targets = [
        { id, profile: 'source' },
        { id: other.id, profile: 'source' },
      ];
      const body = { name, multistream: { targets } };
      const creation = await api.request('POST', '/api/stream', { key: ada.key, body });
      streams.push(((await creation.json()) as { id: string }).id);
    }
    expect((await remove(id)).status).toBe(204);
    for (const stream of streams) {
      const body = await api.request('GET', `/api/stream/${stream}`, { key: ada.key });
      const targets = [{ id: other.id, profile: 'source' }];
      expect(await body.json()).toMatchObject({ multistream: { targets } });
    }
    expect(await db.streamTarget.count({ where: { targetId: id } })).toBe(0);
  });

  test('leaves no reference that was added concurrently', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { id } = await createTarget();
      const body = { name: 'x', multistream: { targets: [{ id, profile: 'source' }] } };
      const [removed, creation] = await Promise.all([
        remove(id),
        api.request('POST', '/api/stream', { key: ada.key, body }),
      ]);
      expect([`204 400`, `204 201`]).toContain(`${removed.status} ${creation.status}`);
      expect(await db.streamTarget.count({ where: { targetId: id } })).toBe(0);
    }
  });
});

describe('GET', () => {
  test('returns pages from the newest with a Link header, filters, order and a total count', async () => {
    const person = await api.createPerson('pager');
    const createdIds: string[] = [];
    for (const name of ['c', 'a', 'b', 'Ab', 'd'])
      createdIds.push((await createTarget({ url, name }, person)).id);
    const list = async (query: string) => {
      const response = await api.request('GET', `${path}${query}`, { key: person.key });
      expect(response.status).toBe(200);
      return { response, items: (await response.json()) as MultistreamTarget[] };
    };
    const listedIds: string[] = [];
    let query: string | null = '?limit=2&count=1';
    while (query !== null) {
      const { response, items } = await list(query);
      listedIds.push(...items.map(({ id }) => id));
      expect(response.headers.get('x-total-count')).toBe('5');
      const link: string | null = response.headers.get('link');
      query = link === null ? null : new URL(link.slice(1, link.indexOf('>'))).search;
    }
    expect(listedIds).toEqual(createdIds.toReversed());
    const readNames = async (text: string) => (await list(text)).items.map(({ name }) => name);
    expect(await readNames('?order=name-true&limit=2')).toHaveLength(2);
    expect((await readNames('?filters=[{"id":"name","value":"A"}]')).sort()).toEqual(['Ab', 'a']);
    expect(await readNames('?filters=[{"id":"disabled","value":true}]')).toEqual([]);
    expect(await readNames(`?userId=${ada.userId}`)).toHaveLength(5);
    const rejectedResponse = await api.request('GET', `${path}?filters=[{"id":"urlSealed","value":"x"}]`, {
      key: person.key,
    });
    expect(rejectedResponse.status).toBe(400);
  });

  test('finds no target of another team, and no other method changes one', async () => {
    const { id } = await createTarget();
    expect((await api.request('GET', `${path}/${id}`, { key: eve.key })).status).toBe(404);
    expect((await patch(id, { url: 'rtmp://evil.example/x' }, eve)).status).toBe(404);
    expect((await api.request('DELETE', `${path}/${id}`, { key: eve.key })).status).toBe(404);
    expect(await (await api.request('GET', path, { key: eve.key })).json()).toEqual([]);
    expect(await readStoredUrl(id)).toBe(url);
  });
});
