import { signAccessJwt } from '@livepeer/core/crypto';
import { Type } from 'livepeer/models/components/playbackpolicy.js';
import { Events } from 'livepeer/models/components/webhook.js';
import { describe, expect, test } from 'vitest';
import { PlaybackAdmission, findAccessRules } from '@/lib/domain/access';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { createLivepeerClient, sendStudioRequest } from './testing/livepeer-client';
import { baseUrl, openTestApi } from './testing/test-api';

const api = openTestApi(await createTestDatabase());
const { services } = api;
const ada = await api.createPerson('ada');
const eve = await api.createPerson('eve');
const livepeer = createLivepeerClient(ada.key);

/** Creates a signing key without the client, which leaves the private key out of its result. */
async function createSigningKey(): Promise<Record<'id' | 'publicKey' | 'privateKey', string>> {
  const path = `${baseUrl}/api/studio/access-control/signing-key`;
  const headers = { authorization: `Bearer ${ada.key}` };
  const response = await sendStudioRequest(new Request(path, { method: 'POST', headers }));
  expect(response.status).toBe(200);
  return (await response.json()) as Record<'id' | 'publicKey' | 'privateKey', string>;
}

describe('livepeer.accessControl', () => {
  test('creates, lists, reads, updates and deletes signing keys', async () => {
    const created = await livepeer.accessControl.create();
    expect(created.statusCode).toBe(200);
    const key = created.signingKey;
    expect(key).toMatchObject({ disabled: false, userId: ada.teamId });
    expect(Buffer.from(key?.publicKey ?? '', 'base64').toString()).toMatch(/^-----BEGIN PUBLIC KEY-----\n/);
    const id = key?.id ?? '';
    expect((await livepeer.accessControl.get(id)).signingKey).toEqual(key);
    expect((await livepeer.accessControl.getAll()).data).toEqual([key]);
    const updated = await livepeer.accessControl.update({ name: 'Website', disabled: true }, id);
    expect(updated.statusCode).toBe(204);
    const { signingKey } = await livepeer.accessControl.get(id);
    expect(signingKey).toEqual({ ...key, name: 'Website', disabled: true });
    await expect(createLivepeerClient(eve.key).accessControl.get(id)).rejects.toMatchObject({
      statusCode: 404,
    });
    expect((await livepeer.accessControl.delete(id)).statusCode).toBe(204);
    await expect(livepeer.accessControl.delete(id)).rejects.toMatchObject({ statusCode: 404 });
    expect((await livepeer.accessControl.getAll()).data).toEqual([]);
  });
});

describe('playbackPolicy', () => {
  test('of a stream is created, read, listed and updated, and is in the playback info', async () => {
    const playbackPolicy = { type: Type.Jwt, allowedOrigins: ['https://a.example'], refreshInterval: 60 };
    const { statusCode, stream } = await livepeer.stream.create({ name: 'Gated', playbackPolicy });
    expect([statusCode, stream?.playbackPolicy]).toEqual([201, playbackPolicy]);
    const id = stream?.id ?? '';
    expect((await livepeer.stream.get(id)).stream?.playbackPolicy).toEqual(playbackPolicy);
    const listed = (await livepeer.stream.getAll()).data ?? [];
    expect(listed.find((item) => item.id === id)?.playbackPolicy).toEqual(playbackPolicy);
    const { playbackInfo } = await livepeer.playback.get(stream?.playbackId ?? '');
    expect(playbackInfo?.meta.playbackPolicy).toEqual(playbackPolicy);
    const updateResult = await livepeer.stream.update({ playbackPolicy: { type: Type.Public } }, id);
    expect(updateResult.statusCode).toBe(204);
    expect((await livepeer.stream.get(id)).stream?.playbackPolicy).toEqual({ type: 'public' });
  });

  test('of a stream can be a webhook policy', async () => {
    const { webhook } = await livepeer.webhook.create({
      name: 'Gate',
      url: 'https://example.com/gate',
      events: [Events.PlaybackAccessControl],
    });
    expect(webhook?.events).toEqual(['playback.accessControl']);
    const webhookId = webhook?.id ?? '';
    const playbackPolicy = {
      type: Type.Webhook,
      webhookId,
      refreshInterval: 600,
      webhookContext: { streamerId: 'ada' },
    };
    const { stream } = await livepeer.stream.create({ name: 'Asks', playbackPolicy });
    expect(stream?.playbackPolicy).toEqual(playbackPolicy);
    // Viewers do not see the context for the webhook.
    const { playbackInfo } = await livepeer.playback.get(stream?.playbackId ?? '');
    expect(playbackInfo?.meta.playbackPolicy).toEqual({ type: 'webhook', webhookId, refreshInterval: 600 });
  });

  test('of an asset is created, read, listed and updated', async () => {
    const playbackPolicy = { type: Type.Jwt };
    const { data } = await livepeer.asset.create({ name: 'Film', playbackPolicy });
    expect(data?.asset.playbackPolicy).toEqual(playbackPolicy);
    const id = data?.asset.id ?? '';
    expect((await livepeer.asset.get(id)).asset?.playbackPolicy).toEqual(playbackPolicy);
    const url = 'https://files.example.com/film.mp4';
    const importResult = await livepeer.asset.createViaUrl({ name: 'Film', url, playbackPolicy });
    expect(importResult.twoHundredAndOneApplicationJsonData?.asset.playbackPolicy).toEqual(playbackPolicy);
    const { asset } = await livepeer.asset.update({ playbackPolicy: { type: Type.Public } }, id);
    expect(asset?.playbackPolicy).toEqual({ type: 'public' });
    expect((await livepeer.asset.getAll()).data?.find((item) => item.id === id)?.playbackPolicy).toEqual({
      type: 'public',
    });
  });

  test('with a password, which the client does not know, appears as a token policy', async () => {
    const body = { name: 'Locked', playbackPolicy: { type: 'password', password: 'open sesame' } };
    const response = await api.request('POST', '/api/stream', { key: ada.key, body });
    const { id, playbackId } = (await response.json()) as Record<'id' | 'playbackId', string>;
    expect((await livepeer.stream.get(id)).stream?.playbackPolicy).toEqual({ type: 'jwt' });
    expect((await livepeer.playback.get(playbackId)).playbackInfo?.meta.playbackPolicy).toEqual({
      type: 'jwt',
    });
    const upload = { ...body, name: 'Locked film' };
    const uploadRequest = await api.request('POST', '/api/asset/request-upload', {
      key: ada.key,
      body: upload,
    });
    const { asset } = (await uploadRequest.json()) as { asset: { id: string } };
    expect((await livepeer.asset.get(asset.id)).asset?.playbackPolicy).toEqual({ type: 'jwt' });
    const ownResponse = await api.request('GET', `/api/stream/${id}`, { key: ada.key });
    expect(await ownResponse.json()).toMatchObject({ playbackPolicy: { type: 'password' } });
  });
});

test('tokens signed by Livepeer’s helper are accepted, unless they expired or another key signed them', async () => {
  const { id: keyId, publicKey, privateKey } = await createSigningKey();
  const { stream } = await livepeer.stream.create({ name: 'Gated', playbackPolicy: { type: Type.Jwt } });
  const playbackId = stream?.playbackId ?? '';
  const rules = await findAccessRules(services, playbackId);
  if (!rules) throw new Error('no rules');
  const admission = new PlaybackAdmission(services);
  const noProof = { token: null, accessKey: null, origin: null, referer: null };
  const admit = (jwt: string) => admission.admit(rules, { jwt, ...noProof });
  const issuer = 'https://shop.example';
  const options = { privateKey, publicKey, issuer, playbackId };
  const source = { by: 'jwt', keyId };
  expect(await admit(await signAccessJwt(options))).toMatchObject({ source });
  const customClaims = { userId: 'user-id-1' };
  expect(
    await admit(await signAccessJwt({ ...options, expiration: 3_600, custom: customClaims })),
  ).toMatchObject({
    source,
  });
  expect(await admit(await signAccessJwt({ ...options, expiration: -10 }))).toMatchObject({
    code: 'expired',
  });
  const other = await createSigningKey();
  expect(await admit(await signAccessJwt({ ...options, privateKey: other.privateKey }))).toMatchObject({
    code: 'signature',
  });
});
