import { describe, expect, test } from 'vitest';
import type { Stream } from '@/lib/contract/streams/stream';
import type { Webhook } from '@/lib/contract/webhooks/webhook';
import { accessControlEvent, eventNames } from '@/lib/core/webhooks/events';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { baseUrl, openTestApi, type Person } from '@/app/api/testing/test-api';

const api = openTestApi(await createTestDatabase());
const { db, secrets } = api.services;
const ada = await api.createPerson('ada');
const eve = await api.createPerson('eve');
const settings = {
  name: 'Chat bot',
  url: 'https://example.com/hook',
  events: ['stream.started', 'stream.idle'],
};

async function createWebhook(body: object = settings, person: Person = ada): Promise<Webhook> {
  const response = await api.request('POST', '/api/webhook', { key: person.key, body });
  expect(response.status).toBe(201);
  return (await response.json()) as Webhook;
}

async function getWebhook(id: string): Promise<Webhook> {
  const response = await api.request('GET', `/api/webhook/${id}`, { key: ada.key });
  expect(response.status).toBe(200);
  return (await response.json()) as Webhook;
}

async function createStream(person: Person = ada): Promise<Stream> {
  const response = await api.request('POST', '/api/stream', { key: person.key, body: { name: 'x' } });
  return (await response.json()) as Stream;
}

const errorsOf = async (response: Response) => ((await response.json()) as { errors: string[] }).errors;

async function readStoredSecret(id: string): Promise<string> {
  const { secretSealed, teamId } = await db.webhook.findUniqueOrThrow({ where: { id } });
  return secrets.open({ kind: 'webhook-secret', id, teamId }, secretSealed);
}

describe('POST /api/webhook', () => {
  test('returns the webhook without its secret', async () => {
    const webhook = await createWebhook();
    expect(webhook).toEqual({
      id: expect.any(String) as string,
      kind: 'webhook',
      userId: ada.userId,
      ...settings,
      createdAt: expect.any(Number) as number,
      disabled: false,
    });
    expect(await getWebhook(webhook.id)).toEqual(webhook);
    const secret = await readStoredSecret(webhook.id);
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const { secretSealed } = await db.webhook.findUniqueOrThrow({ where: { id: webhook.id } });
    expect(Buffer.from(secretSealed).includes(secret.slice(6))).toBe(false);
  });

  test('stores the secret, the stream and the enabled state, and each event once', async () => {
    const { id: streamId } = await createStream();
    const webhook = await createWebhook({
      ...settings,
      events: ['stream.idle', 'stream.idle'],
      sharedSecret: 'not to be guessed',
      streamId,
      disabled: true,
    });
    expect(webhook).toMatchObject({ events: ['stream.idle'], streamId, disabled: true });
    expect(JSON.stringify(webhook)).not.toContain('guessed');
    expect(await readStoredSecret(webhook.id)).toBe('not to be guessed');
  });

  const allowed = `must be one of ${[...eventNames, accessControlEvent].map((name) => `"${name}"`).join(', ')}`;

  test.each<[string, object, string]>([
    ['no name', { name: undefined }, 'name: is required'],
    ['an empty name', { name: '' }, 'name: must not be empty'],
    ['no url', { url: undefined }, 'url: is required'],
    ['another scheme', { url: 'ftp://example.com/' }, 'url: must be an http:// or https:// URL'],
    ['no host', { url: 'http://' }, 'url: must be an http:// or https:// URL'],
    ['white space', { url: 'https://exam ple.com/' }, 'url: must be an http:// or https:// URL'],
    ['a line break', { url: 'https://example.com/\na' }, 'url: must be an http:// or https:// URL'],
    ['a user name', { url: 'https://me@example.com/' }, 'url: must not contain a user name or password'],
    ['a password', { url: 'https://:pw@example.com/' }, 'url: must not contain a user name or password'],
    [
      'a long url',
      { url: `https://example.com/${'x'.repeat(2_000)}` },
      'url: must have at most 2000 characters',
    ],
    ['no events', { events: undefined }, 'events: is required'],
    ['an empty list of events', { events: [] }, 'events: must have at least 1 items'],
    ['an unknown event', { events: ['stream.started', 'stream.stopped'] }, `events[1]: ${allowed}`],
    ['an event that is a number', { events: [5] }, `events[0]: ${allowed}`],
    ['events that are text', { events: 'stream.started' }, 'events: must be an array'],
    ['a weak secret', { sharedSecret: 'secret' }, 'sharedSecret: must have at least 8 characters'],
    ['an unknown field', { secret: 'x' }, 'secret: unknown field'],
    ['a stream id that is not a UUID', { streamId: 'x' }, 'streamId: must be a UUID'],
  ])('rejects %s', async (_, change, message) => {
    const body = { ...settings, ...change };
    const response = await api.request('POST', '/api/webhook', { key: ada.key, body });
    expect(response.status).toBe(422);
    expect(await errorsOf(response)).toContain(message);
  });

  test.each([
    'http://127.0.0.1:9/',
    'http://localhost/',
    'http://[::1]/',
    'http://2130706433/',
    'http://db:80/',
  ])('rejects the private address %s', async (url) => {
    const response = await api.request('POST', '/api/webhook', { key: ada.key, body: { ...settings, url } });
    expect(response.status).toBe(422);
    expect((await errorsOf(response))[0]).toMatch(/^url: must be a public address/);
  });

  test("rejects streams that are missing, deleted or another team's with the same message", async () => {
    const [foreign, deletedStream] = [await createStream(eve), await createStream()];
    await api.request('DELETE', `/api/stream/${deletedStream.id}`, { key: ada.key });
    const child = await db.stream.create({
      data: { teamId: ada.teamId, parentId: deletedStream.id, name: 'child', playbackId: 'd'.repeat(16) },
    });
    for (const streamId of [crypto.randomUUID(), foreign.id, deletedStream.id, child.id]) {
      const body = { ...settings, streamId };
      const response = await api.request('POST', '/api/webhook', { key: ada.key, body });
      expect(response.status).toBe(422);
      expect(await errorsOf(response)).toEqual(['streamId: must be the id of a parent stream of this team']);
    }
  });

  test('limits a team to 50 webhooks, even with concurrent requests', async () => {
    const many = await api.createPerson('many');
    const data = {
      teamId: many.teamId,
      name: 'x',
      url: 'https://example.com',
      secretSealed: Buffer.from('x'),
    };
    await db.webhook.createMany({ data: Array.from({ length: 47 }, () => data) });
    // A deleted webhook does not count.
    await db.webhook.create({ data: { ...data, deletedAt: new Date() } });
    const responses = await Promise.all(
      Array.from({ length: 8 }, () => api.request('POST', '/api/webhook', { key: many.key, body: settings })),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 201, 201, 409, 409, 409, 409, 409]);
    expect(await db.webhook.count({ where: { teamId: many.teamId, deletedAt: null } })).toBe(50);
  });
});

describe('PUT /api/webhook/{id}', () => {
  test('replaces everything but the secret, and returns the whole object', async () => {
    const { id: streamId } = await createStream();
    const before = await createWebhook({
      ...settings,
      streamId,
      disabled: true,
      sharedSecret: 'keep me please',
    });
    const body = { name: 'After', url: 'https://example.org/x', events: ['recording.ready'] };
    const response = await api.request('PUT', `/api/webhook/${before.id}`, { key: ada.key, body });
    expect(response.status).toBe(200);
    const { id, kind, userId, createdAt } = before;
    const after = { id, kind, userId, createdAt, ...body, disabled: false };
    expect(await response.json()).toEqual(after);
    expect(await getWebhook(id)).toEqual(after);
    expect(await readStoredSecret(id)).toBe('keep me please');
  });

  test('accepts a new secret, and the object as it was read, even if its stream is gone', async () => {
    const { id: streamId } = await createStream();
    const webhook = await createWebhook({ ...settings, streamId });
    await api.request('DELETE', `/api/stream/${streamId}`, { key: ada.key });
    const response = await api.request('PUT', `/api/webhook/${webhook.id}`, {
      key: ada.key,
      body: { ...webhook, status: { lastTriggeredAt: 1 }, sharedSecret: 'another secret' },
    });
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual(webhook);
    expect(await readStoredSecret(webhook.id)).toBe('another secret');
  });

  test('ignores the id in the body, and requires the fields of creation', async () => {
    const [first, second] = [await createWebhook(), await createWebhook({ ...settings, name: 'second' })];
    const body = { ...second, name: 'changed' };
    expect((await api.request('PUT', `/api/webhook/${first.id}`, { key: ada.key, body })).status).toBe(200);
    expect(await getWebhook(second.id)).toEqual(second);
    const partial = await api.request('PUT', `/api/webhook/${first.id}`, {
      key: ada.key,
      body: { name: 'x' },
    });
    expect(partial.status).toBe(422);
    expect(await errorsOf(partial)).toEqual(['url: is required', 'events: is required']);
  });
});

describe('PATCH and DELETE /api/webhook/{id}', () => {
  test('PATCH changes only the fields that are sent', async () => {
    const webhook = await createWebhook();
    const { id: streamId } = await createStream();
    const patch = (body: object) =>
      api.request('PATCH', `/api/webhook/${webhook.id}`, { key: ada.key, body });
    expect((await patch({ disabled: true, streamId })).status).toBe(204);
    expect(await getWebhook(webhook.id)).toEqual({ ...webhook, disabled: true, streamId });
    expect((await patch({ streamId: null, disabled: false })).status).toBe(204);
    expect((await patch({})).status).toBe(204);
    expect(await getWebhook(webhook.id)).toEqual(webhook);
    const invalidBodies = [
      { url: 'http://10.0.0.1/' },
      { events: [] },
      { name: null },
      { streamId: (await createStream(eve)).id },
    ];
    for (const body of invalidBodies) expect((await patch(body)).status).toBe(422);
    expect(await getWebhook(webhook.id)).toEqual(webhook);
    const entries = await db.auditEntry.findMany({
      where: { objectId: webhook.id },
      orderBy: { createdAt: 'asc' },
    });
    expect(entries.map(({ action }) => action)).toEqual([
      'webhook.created',
      'webhook.updated',
      'webhook.updated',
    ]);
  });

  test('DELETE deletes a webhook once, after which neither the webhook nor its log is found', async () => {
    const { id } = await createWebhook();
    const path = `/api/webhook/${id}`;
    expect((await api.request('DELETE', path, { key: ada.key })).status).toBe(204);
    expect((await api.request('DELETE', path, { key: ada.key })).status).toBe(404);
    expect((await api.request('PATCH', path, { key: ada.key, body: { name: 'x' } })).status).toBe(404);
    expect((await api.request('PUT', path, { key: ada.key, body: settings })).status).toBe(404);
    expect((await api.request('GET', `${path}/log`, { key: ada.key })).status).toBe(404);
    const list = (await (await api.request('GET', '/api/webhook', { key: ada.key })).json()) as Webhook[];
    expect(list.map((webhook) => webhook.id)).not.toContain(id);
  });
});

test('GET /api/webhook lists from the newest, filters and pages', async () => {
  const lister = await api.createPerson('lister');
  const createdWebhooks = [
    await createWebhook({ ...settings, name: 'b' }, lister),
    await createWebhook({ ...settings, name: 'a' }, lister),
  ];
  const list = async (query: string) => {
    const response = await api.request('GET', `/api/webhook${query}`, { key: lister.key });
    const webhooks = (await response.clone().json()) as Webhook[];
    return { response, ids: webhooks.map(({ id }) => id) };
  };
  const newestFirst = createdWebhooks.map(({ id }) => id).reverse();
  expect((await list('')).ids).toEqual(newestFirst);
  expect((await list('?order=name-false')).ids).toEqual([createdWebhooks[1]?.id, createdWebhooks[0]?.id]);
  const filters = encodeURIComponent(JSON.stringify([{ id: 'url', value: 'EXAMPLE.com/h' }]));
  expect((await list(`?filters=${filters}&count=1`)).response.headers.get('x-total-count')).toBe('2');
  const { response, ids } = await list('?limit=1');
  const link = /<(.*)>/.exec(response.headers.get('link') ?? '')?.[1] ?? '';
  expect([...ids, ...(await list(new URL(link).search)).ids]).toEqual(newestFirst);
});

describe('POST /api/dashboard/webhooks/{id}/reveal', () => {
  test('returns the secret to its owner with the password, and writes an audit entry', async () => {
    const { id } = await createWebhook();
    const reveal = (person: Person, password: string) =>
      api.request('POST', `/api/dashboard/webhooks/${id}/reveal`, {
        cookie: person.cookie,
        origin: baseUrl,
        body: { password },
      });
    expect((await reveal(ada, 'wrong')).status).toBe(403);
    expect((await reveal(eve, eve.password)).status).toBe(404);
    const response = await reveal(ada, ada.password);
    expect(await response.json()).toEqual({ secret: await readStoredSecret(id) });
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await db.auditEntry.count({ where: { objectId: id, action: 'webhook.secret-revealed' } })).toBe(1);
  });
});
