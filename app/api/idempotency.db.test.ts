import { describe, expect, test } from 'vitest';
import type { Stream } from '@/lib/contract/streams/stream';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { baseUrl, openTestApi, type Person } from './testing/test-api';

const api = openTestApi(await createTestDatabase());
const { db } = api.services;
const ada = await api.createPerson('ada');

let keyCount = 0;
const createKey = () => `key-${(keyCount += 1)}`;

function post(
  key: string,
  body: unknown = { name: 'Town hall' },
  path = '/api/stream',
  person: Person = ada,
) {
  return api.request('POST', path, { key: person.key, body, headers: { 'idempotency-key': key } });
}

const readStream = async (response: Response) => (await response.json()) as Stream;
const countStreams = (person: Person) => db.stream.count({ where: { teamId: person.teamId } });
const errorsOf = async (response: Response) => ((await response.json()) as { errors: string[] }).errors;

const whereKey = (key: string, person: Person = ada) => ({ teamId_key: { teamId: person.teamId, key } });

/**
 * Sets the time at which the request with a key arrived.
 * @param change `status: null` makes the request look as if its process had crashed
 */
function backdateRequest(key: string, ms: number, change: { status?: null } = {}) {
  const createdAt = new Date(Date.now() - ms);
  return db.idempotentRequest.update({ where: whereKey(key), data: { ...change, createdAt } });
}

describe('the same key', () => {
  test('with the same request gets the same response, and the object is created once', async () => {
    const before = await countStreams(ada);
    const key = createKey();
    const first = await post(key);
    const repeatedResponse = await post(key);
    expect([first.status, repeatedResponse.status]).toEqual([201, 201]);
    expect(first.headers.get('idempotency-replayed')).toBeNull();
    expect(repeatedResponse.headers.get('idempotency-replayed')).toBe('true');
    expect(repeatedResponse.headers.get('content-type')).toBe(first.headers.get('content-type'));
    expect(repeatedResponse.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'));
    expect(await readStream(repeatedResponse)).toEqual(await readStream(first));
    expect(await countStreams(ada)).toBe(before + 1);
    expect(await db.auditEntry.count({ where: { teamId: ada.teamId, action: 'stream.created' } })).toBe(1);
  });

  test('gets the same response to a body with other white space or another order of fields', async () => {
    const key = createKey();
    const first = await readStream(await post(key, '{"name":"x","record":true}'));
    expect(await readStream(await post(key, '{ "record": true, "name": "x" }'))).toEqual(first);
  });

  test.each<[string, unknown, string]>([
    ['another body', { name: 'Another' }, '/api/stream'],
    ['one field more', { name: 'Town hall', record: true }, '/api/stream'],
    ['another path', { name: 'x', url: 'https://example.com', events: ['stream.idle'] }, '/api/webhook'],
  ])('with %s is rejected', async (_, body, path) => {
    const key = createKey();
    const first = await readStream(await post(key));
    const response = await post(key, body, path);
    expect(response.status).toBe(422);
    expect((await errorsOf(response))[0]).toMatch(/^Idempotency-Key: was used for another request/);
    expect(await readStream(await post(key))).toEqual(first);
  });

  test('belongs to the team, with each of its API keys', async () => {
    const eve = await api.createPerson('eve');
    const key = createKey();
    const adaStream = await readStream(await post(key));
    const evesResponse = await post(key, { name: 'hers' }, '/api/stream', eve);
    expect(evesResponse.status).toBe(201);
    expect((await readStream(evesResponse)).id).not.toBe(adaStream.id);
    const { secret } = await ada.newKey();
    expect(await readStream(await post(key, undefined, undefined, { ...ada, key: secret }))).toEqual(
      adaStream,
    );
  });

  test('sent 20 times concurrently creates one stream', async () => {
    const many = await api.createPerson('many');
    const key = createKey();
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => post(key, { name: 'one' }, '/api/stream', many)),
    );
    const created = responses.filter(({ status }) => status === 201);
    const waiting = responses.filter(({ status }) => status === 409);
    expect(created.length + waiting.length).toBe(20);
    expect(
      new Set(await Promise.all(created.map(async (response) => (await readStream(response)).id))).size,
    ).toBe(1);
    expect(created.filter(({ headers }) => !headers.has('idempotency-replayed')).length).toBe(1);
    for (const { headers } of waiting) expect(headers.get('retry-after')).toBe('1');
    expect(await countStreams(many)).toBe(1);
  });

  test('can be reused after 24 hours', async () => {
    const key = createKey();
    const first = await readStream(await post(key));
    await backdateRequest(key, 86_400_000 - 60_000);
    expect((await readStream(await post(key))).id).toBe(first.id);
    await backdateRequest(key, 86_400_000 + 1_000);
    const second = await post(key, { name: 'a day later' });
    expect(second.status).toBe(201);
    expect((await readStream(second)).id).not.toBe(first.id);
  });

  test('of a request whose process crashed is rejected for a minute; then the same request runs again', async () => {
    const key = createKey();
    const first = await readStream(await post(key));
    await backdateRequest(key, 30_000, { status: null });
    expect((await post(key)).status).toBe(409);
    await backdateRequest(key, 61_000, { status: null });
    expect((await post(key, { name: 'Another' })).status).toBe(422);
    const second = await post(key);
    expect(second.headers.get('idempotency-replayed')).toBeNull();
    expect((await readStream(second)).id).not.toBe(first.id);
  });

  test('can be reused after a rejection', async () => {
    const key = createKey();
    const profile = { name: 'source', width: 640, height: 360, bitrate: 1_000_000, fps: 30 };
    expect((await post(key, { name: 'x', profiles: [profile] })).status).toBe(400);
    expect((await post(key, { name: 5 })).status).toBe(422);
    expect(await db.idempotentRequest.findUnique({ where: whereKey(key) })).toBeNull();
    expect((await post(key, { name: 'x', profiles: [{ ...profile, name: '360p' }] })).status).toBe(201);
  });
});

describe('the stored response', () => {
  test('contains neither the stream key nor the name of the stream in readable form', async () => {
    const key = createKey();
    const { streamKey = '' } = await readStream(await post(key));
    expect(streamKey).toMatch(/^[a-z0-9-]{19}$/);
    const row = await db.idempotentRequest.findUniqueOrThrow({ where: whereKey(key) });
    expect(row.headers).toEqual({ 'content-type': 'application/json; charset=utf-8' });
    for (const bytes of [row.bodySealed, row.fingerprint]) {
      expect(Buffer.from(bytes ?? '').toString('latin1')).not.toContain(streamKey);
      expect(Buffer.from(bytes ?? '').toString('latin1')).not.toContain('Town hall');
    }
  });

  test('returns the secret of a new API key again to its session, but not to an API key', async () => {
    const options = { body: { name: 'once' }, headers: { 'idempotency-key': createKey() } };
    const session = { ...options, cookie: ada.cookie, origin: baseUrl };
    const response = await api.request('POST', '/api/dashboard/api-keys', session);
    const repeatedResponse = await api.request('POST', '/api/dashboard/api-keys', session);
    expect(repeatedResponse.headers.get('idempotency-replayed')).toBe('true');
    expect(await repeatedResponse.json()).toEqual(await response.json());
    expect(await db.apiKey.count({ where: { teamId: ada.teamId, name: 'once' } })).toBe(1);
    expect((await api.request('POST', '/api/dashboard/api-keys', { ...options, key: ada.key })).status).toBe(
      403,
    );
  });
});

describe('the header', () => {
  test.each([
    ['an empty value', ''],
    ['a space', 'a b'],
    ['256 characters', 'x'.repeat(256)],
    ['an umlaut', 'schlüssel'],
    ['two values', 'a, b'],
  ])('with %s is rejected', async (_, key) => {
    const before = await countStreams(ada);
    const response = await post(key);
    expect(response.status).toBe(400);
    expect(await errorsOf(response)).toEqual([
      'Idempotency-Key: must have 1 to 255 visible ASCII characters',
    ]);
    expect(await countStreams(ada)).toBe(before);
  });

  test.each(['!', '~'.repeat(255), '"quoted"', "a'; drop table x --".replaceAll(' ', '_')])(
    'with %s is a key',
    async (key) => {
      const first = await readStream(await post(key));
      expect(await readStream(await post(key))).toEqual(first);
    },
  );

  test('applies to POST requests of an account only, and not to revealing a secret', async () => {
    const headers = { 'idempotency-key': createKey() };
    const session = { cookie: ada.cookie, origin: baseUrl, headers };
    const { id } = await ada.newKey();
    const signUpOptions = {
      origin: baseUrl,
      headers,
      body: { email: 'new@example.com', password: 'a long pass phrase' },
    };
    expect((await api.request('POST', '/api/dashboard/accounts', signUpOptions)).status).toBe(201);
    expect((await api.request('GET', '/api/stream', { key: ada.key, headers })).status).toBe(200);
    for (let time = 0; time < 2; time += 1) {
      const path = `/api/dashboard/api-keys/${id}/reveal`;
      const response = await api.request('POST', path, { ...session, body: { password: ada.password } });
      expect(response.headers.get('idempotency-replayed')).toBeNull();
    }
    expect(await db.auditEntry.count({ where: { objectId: id, action: 'api-key.revealed' } })).toBe(2);
    const key = headers['idempotency-key'];
    expect(await db.idempotentRequest.findUnique({ where: whereKey(key) })).toBeNull();
  });
});
