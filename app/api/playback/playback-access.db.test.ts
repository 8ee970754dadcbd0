import { createPrivateKey, createPublicKey, randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Playback } from '@/lib/contract/streams/playback';
import type { PlaybackToken } from '@/lib/contract/access/playback-token';
import type { CreatedSigningKey, SigningKey } from '@/lib/contract/access/signing-key';
import type { Stream } from '@/lib/contract/streams/stream';
import { createLimiters, limitSizes } from '@/lib/http/limits/rate-limit';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { openTestApi, type Person } from '@/app/api/testing/test-api';

const highLimit = { points: 1_000_000, seconds: 60 };
const limits = {
  ...limitSizes,
  api: highLimit,
  playbackPasswordPerIp: { points: 3, seconds: 600 },
  playbackPasswordPerStream: { points: 12, seconds: 600 },
  playbackPasswordBeyond: { points: 4, seconds: 600 },
};
const api = openTestApi(await createTestDatabase(), { limiters: createLimiters(limits) });
const { db } = api.services;

const path = '/api/access-control/signing-key';
const errorsOf = async (response: Response) => ((await response.json()) as { errors: string[] }).errors;
const readJson = async <T>(response: Response, status = 200): Promise<T> => {
  expect(response.status).toBe(status);
  return (await response.json()) as T;
};

describe('signing keys', () => {
  test('are P-256 pairs, whose private key is shown once and not stored', async () => {
    const { key, userId } = await api.createPerson();
    const created = await readJson<CreatedSigningKey>(await api.request('POST', path, { key }), 201);
    expect(created).toMatchObject({ userId, name: 'Signing key 1', disabled: false });
    const pem = Buffer.from(created.privateKey, 'base64').toString();
    expect(pem).toMatch(/^-----BEGIN PRIVATE KEY-----\n/);
    const privateKeyObject = createPrivateKey(pem);
    expect(privateKeyObject.asymmetricKeyDetails).toEqual({ namedCurve: 'prime256v1' });
    const publicKeyPem = createPublicKey(privateKeyObject).export({ type: 'spki', format: 'pem' });
    expect(Buffer.from(created.publicKey, 'base64').toString()).toBe(publicKeyPem);
    const { privateKey, ...publicFields } = created;
    expect(await readJson(await api.request('GET', `${path}/${created.id}`, { key }))).toEqual(publicFields);
    expect(await readJson(await api.request('GET', path, { key }))).toEqual([publicFields]);
    const storedRows = JSON.stringify(await db.signingKey.findMany());
    // These characters of the key are in no other key: the first ones encode the header of the PEM file.
    expect(storedRows).not.toContain(privateKey.slice(60, 100));
  });

  test('can be renamed, disabled and deleted', async () => {
    const { key } = await api.createPerson();
    const { id } = await readJson<SigningKey>(
      await api.request('POST', path, { key, body: { name: 'a' } }),
      201,
    );
    const patch = (body: object) => api.request('PATCH', `${path}/${id}`, { key, body });
    expect((await patch({ name: 'b', disabled: true })).status).toBe(204);
    const requestKey = () => api.request('GET', `${path}/${id}`, { key });
    expect(await readJson(await requestKey())).toMatchObject({ name: 'b', disabled: true });
    expect((await api.request('DELETE', `${path}/${id}`, { key })).status).toBe(204);
    expect((await requestKey()).status).toBe(404);
    expect((await patch({ disabled: false })).status).toBe(404);
  });

  test('are limited to ten, also for concurrent requests', async () => {
    const { key, userId } = await api.createPerson();
    const responses = await Promise.all(Array.from({ length: 12 }, () => api.request('POST', path, { key })));
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(10);
    const response = responses.find(({ status }) => status === 403);
    expect(response && (await errorsOf(response))[0]).toContain('10 signing keys');
    expect(await db.signingKey.count({ where: { teamId: userId } })).toBe(10);
  });
});

async function createStream(person: Person, playbackPolicy: object): Promise<Stream> {
  const body = { name: 'gated', playbackPolicy };
  return readJson(await api.request('POST', '/api/stream', { key: person.key, body }), 201);
}

describe('playback policies', () => {
  let ada: Person;
  beforeEach(async () => {
    ada = await api.createPerson();
  });

  test('are returned, and shown to viewers without context and password', async () => {
    const webhook = { name: 'gate', url: 'https://example.com/gate', events: ['stream.started'] };
    const { id: webhookId } = await readJson<{ id: string }>(
      await api.request('POST', '/api/webhook', { key: ada.key, body: webhook }),
      201,
    );
    const policy = { type: 'webhook', webhookId, webhookContext: { plan: 'gold' }, refreshInterval: 60 };
    const created = await createStream(ada, policy);
    expect(created.playbackPolicy).toEqual(policy);
    const { meta } = await readJson<Playback>(
      await api.request('GET', `/api/playback/${created.playbackId}`),
    );
    expect(meta.playbackPolicy).toEqual({ type: 'webhook', webhookId, refreshInterval: 60 });
    const body = { name: 'of another team', playbackPolicy: policy };
    const { key } = await api.createPerson();
    expect((await api.request('POST', '/api/stream', { key, body })).status).toBe(400);
  });

  test('can be sent back unchanged, and null removes them', async () => {
    const created = await createStream(ada, {
      type: 'password',
      password: 'open sesame',
      allowedOrigins: ['HTTPS://A.example'],
    });
    expect(created.playbackPolicy).toEqual({ type: 'password', allowedOrigins: ['https://a.example'] });
    const patch = (body: object) => api.request('PATCH', `/api/stream/${created.id}`, { key: ada.key, body });
    const readStreamRow = () => db.stream.findUniqueOrThrow({ where: { id: created.id } });
    const before = await readStreamRow();
    expect(before.playbackPasswordHash).toMatch(/^\$argon2id\$/);
    expect((await patch({ playbackPolicy: created.playbackPolicy })).status).toBe(204);
    expect(await readStreamRow()).toMatchObject({
      playbackPolicyVersion: before.playbackPolicyVersion,
      playbackPasswordHash: before.playbackPasswordHash,
    });
    expect((await patch({ playbackPolicy: null })).status).toBe(204);
    expect(await readStreamRow()).toMatchObject({
      playbackPolicy: null,
      playbackPasswordHash: null,
      playbackPolicyVersion: before.playbackPolicyVersion + 1,
    });
  });

  test.each([
    [422, { type: 'password' }, 'playbackPolicy.password: is required'],
    [422, { type: 'jwt', password: 'secret' }, 'playbackPolicy.password: is allowed'],
    [422, { type: 'webhook' }, 'playbackPolicy.webhookId: is required'],
    [400, { type: 'webhook', webhookId: randomUUID() }, 'playbackPolicy.webhookId: no webhook'],
    [422, { type: 'jwt', allowedOrigins: ['example.com'] }, 'playbackPolicy.allowedOrigins'],
    [400, { type: 'public', allowedCountries: ['DE'] }, 'playbackPolicy.allowedCountries: this server'],
    [400, { type: 'jwt', blockedCountries: ['DE'] }, 'playbackPolicy.blockedCountries: this server'],
    [422, { type: 'public', allowedCountries: ['UK'] }, 'playbackPolicy.allowedCountries'],
    [422, { type: 'jwt', refreshInterval: 1 }, 'playbackPolicy.refreshInterval'],
    [422, { type: 'webhook', webhookId: randomUUID(), webhookContext: { a: 'x'.repeat(2_100) } }, '2048'],
  ])('get the status %i for the invalid policy %j', async (status, playbackPolicy, message) => {
    const body = { name: 'x', playbackPolicy };
    const response = await api.request('POST', '/api/stream', { key: ada.key, body });
    expect(response.status).toBe(status);
    expect((await errorsOf(response))[0]).toContain(message);
  });

  test('of uploads apply immediately, and PATCH changes them also for the session whose recording is the asset', async () => {
    const body = { name: 'a', playbackPolicy: { type: 'jwt' } };
    const upload = await api.request('POST', '/api/asset/request-upload', { key: ada.key, body });
    const { asset } = await readJson<{ asset: { id: string; playbackPolicy?: object } }>(upload);
    expect(asset.playbackPolicy).toEqual({ type: 'jwt' });
    const parent = await createStream(ada, { type: 'public' });
    const sessionData = { teamId: ada.teamId, parentId: parent.id, name: 's', playbackId: parent.playbackId };
    const session = await db.session.create({ data: sessionData });
    const recordingFields = { sourceType: 'recording', sourceSessionId: session.id };
    await db.asset.update({ where: { id: asset.id }, data: recordingFields });
    const playbackPolicy = { type: 'password', password: '1234' };
    const response = await api.request('PATCH', `/api/asset/${asset.id}`, {
      key: ada.key,
      body: { playbackPolicy },
    });
    expect(await readJson(response)).toMatchObject({ playbackPolicy: { type: 'password' } });
    expect(await db.session.findUniqueOrThrow({ where: { id: session.id } })).toMatchObject({
      playbackPolicy: { type: 'password' },
      playbackPasswordHash: expect.stringMatching(/^\$argon2id/) as string,
      playbackPolicyVersion: 1,
    });
  });
});

test('posters are only shown to viewers with a proof, which is part of their URLs', async () => {
  const ada = await api.createPerson();
  const created = await createStream(ada, { type: 'jwt' });
  await db.stream.update({ where: { id: created.id }, data: { isActive: true } });
  const readSourceUrls = async (query = '') => {
    const response = await api.request('GET', `/api/playback/${created.playbackId}${query}`);
    const folder = `${api.services.settings.cdnUrl}/hls/${created.playbackId}/`;
    return (await readJson<Playback>(response)).meta.source.map(({ url }) => url.replace(folder, ''));
  };
  expect(await readSourceUrls()).toEqual(['index.m3u8']);
  expect(await readSourceUrls('?jwt=a.b&x=y')).toEqual(['index.m3u8?jwt=a.b', 'thumbnail.jpg?jwt=a.b']);
  expect(await readSourceUrls('?accessKey=a%26b')).toEqual([
    'index.m3u8?accessKey=a%26b',
    'thumbnail.jpg?accessKey=a%26b',
  ]);
  await api.request('PATCH', `/api/stream/${created.id}`, {
    key: ada.key,
    body: { playbackPolicy: null },
  });
  expect(await readSourceUrls('?jwt=a.b')).toEqual(['index.m3u8', 'thumbnail.jpg']);
});

test('IPFS, which is public, is rejected for restricted assets', async () => {
  const { key, teamId } = await api.createPerson();
  const playbackPolicy = { type: 'jwt' };
  const assetRow = { teamId, name: 'a', sourceType: 'directUpload', phase: 'ready' } as const;
  const { id } = await db.asset.create({
    data: { ...assetRow, playbackId: 'ipfs0000ipfs0000', playbackPolicy },
  });
  const body = { ipfs: { pinning: { jwt: 'eyJhbGciOiJIUzI1NiJ9.e30.c2ln' } } };
  const response = await api.request('POST', `/api/asset/${id}/export`, { key, body });
  expect([response.status, (await errorsOf(response))[0]]).toEqual([
    412,
    expect.stringContaining('playbackPolicy'),
  ]);
  const publicResponse = await api.request('PATCH', `/api/asset/${id}`, {
    key,
    body: { playbackPolicy: null },
  });
  expect(publicResponse.status).toBe(200);
  expect((await api.request('POST', `/api/asset/${id}/export`, { key, body })).status).toBe(201);
});

describe('playback tokens', () => {
  test('are issued for the password, and guesses are limited', async () => {
    const ada = await api.createPerson();
    const { playbackId } = await createStream(ada, { type: 'password', password: 'Café au lait' });
    const enterPassword = (password: string) =>
      api.request('POST', `/api/playback/${playbackId}/password`, {
        body: { password },
        origin: 'https://a.example',
      });
    const tokenResponse = await enterPassword('Cafe\u0301 au lait');
    expect(tokenResponse.headers.get('access-control-allow-origin')).toBe('https://a.example');
    const { token, expiresAt } = await readJson<PlaybackToken>(tokenResponse);
    expect(token).toMatch(/^[\w-]{40}$/);
    expect(expiresAt).toBeGreaterThan(Date.now());
    for (const guess of ['one', 'two', 'three']) {
      const rejectedResponse = await enterPassword(guess);
      expect([rejectedResponse.status, await errorsOf(rejectedResponse)]).toEqual([
        403,
        ['password: is wrong'],
      ]);
    }
    expect((await enterPassword('Café au lait')).status).toBe(429);
  });

  test('guesses are limited for each stream, while viewers who know the password still get a token', async () => {
    const ada = await api.createPerson();
    const { playbackId } = await createStream(ada, { type: 'password', password: 'open sesame' });
    const otherStream = await createStream(ada, { type: 'password', password: 'open sesame' });
    const enterPassword = async (address: number, password: string, id = playbackId) => {
      const options = { body: { password }, headers: { 'x-forwarded-for': `192.0.2.${address}` } };
      return (await api.request('POST', `/api/playback/${id}/password`, options)).status;
    };
    for (let guess = 0; guess < 12; guess += 1) expect(await enterPassword(guess % 6, 'x')).toBe(403);
    // Each IP address has one guess left, whether the service has seen it before or not.
    expect([await enterPassword(0, 'x'), await enterPassword(0, 'x')]).toEqual([403, 429]);
    expect([await enterPassword(10, 'x'), await enterPassword(10, 'open sesame')]).toEqual([403, 429]);
    expect([await enterPassword(20, 'open sesame'), await enterPassword(20, 'open sesame')]).toEqual([
      200, 200,
    ]);
    expect([await enterPassword(11, 'x'), await enterPassword(12, 'x')]).toEqual([403, 403]);
    // Attackers get this number of guesses in total, however many IP addresses they use.
    expect([await enterPassword(13, 'x'), await enterPassword(21, 'open sesame')]).toEqual([429, 429]);
    expect(await enterPassword(13, 'x', otherStream.playbackId)).toBe(403);
  });

  test('are created and revoked by the owner only', async () => {
    const [ada, eve] = [await api.createPerson(), await api.createPerson()];
    const { playbackId } = await createStream(ada, { type: 'jwt' });
    const createToken = ({ key }: Person) =>
      api.request('POST', `/api/playback/${playbackId}/token`, { key, body: {} });
    const { token } = await readJson<PlaybackToken>(await createToken(ada), 201);
    expect((await createToken(eve)).status).toBe(404);
    const revoke = ({ key }: Person) =>
      api.request('POST', `/api/playback/${playbackId}/token/revoke`, { key, body: { token } });
    expect((await revoke(eve)).status).toBe(404);
    expect([(await revoke(ada)).status, (await revoke(ada)).status]).toEqual([204, 204]);
    expect(await db.revokedPlayback.count({ where: { playbackId } })).toBe(1);
  });
});
