import { NftMetadataTemplate } from 'livepeer/models/components/spec.js';
import { Events } from 'livepeer/models/components/webhook.js';
import { ErrorT } from 'livepeer/models/errors/error.js';
import { SDKError } from 'livepeer/models/errors/sdkerror.js';
import { describe, expect, test } from 'vitest';
import type { Webhook } from '@/lib/contract/webhooks/webhook';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { createLivepeerClient, sendStudioRequest } from './testing/livepeer-client';
import { baseUrl, openTestApi } from './testing/test-api';

const api = openTestApi(await createTestDatabase());
const { db } = api.services;
const ada = await api.createPerson('ada');
const eve = await api.createPerson('eve');
const livepeer = createLivepeerClient(ada.key);
const { teamId } = ada;

const profile = { name: '480p', width: 854, height: 480, bitrate: 1_000_000, fps: 30 };
const newPlaybackId = () => crypto.randomUUID().replaceAll('-', '').slice(0, 16);

async function createStream(name = 'Town hall'): Promise<{ id: string; playbackId: string }> {
  const { stream } = await livepeer.stream.create({ name });
  return { id: stream?.id ?? '', playbackId: stream?.playbackId ?? '' };
}

describe('livepeer.stream', () => {
  test('create, get, getAll, update, delete', async () => {
    const input = { name: 'All of it', record: true, profiles: [profile], creatorId: 'someone' };
    const response = await livepeer.stream.create({ ...input, userTags: { room: 'one' } });
    expect(response.statusCode).toBe(201);
    const id = response.stream?.id ?? '';
    expect(response.stream).toMatchObject({ ...input, creatorId: { type: 'unverified', value: 'someone' } });
    expect(response.stream?.streamKey).toMatch(/^[a-z0-9]{4}(-[a-z0-9]{4}){3}$/);

    expect((await livepeer.stream.get(id)).stream).toEqual(response.stream);
    expect((await livepeer.stream.update({ name: 'Another name', record: false }, id)).statusCode).toBe(204);
    const child = { teamId, parentId: id, name: 'child', playbackId: newPlaybackId() };
    await db.stream.create({ data: child });
    const all = (await livepeer.stream.getAll()).data ?? [];
    expect(all.map(({ name }) => name)).toEqual(expect.arrayContaining(['Another name', 'child']));
    const parents = (await livepeer.stream.getAll('1')).data ?? [];
    expect(parents.find((stream) => stream.id === id)).toMatchObject({ record: false });
    expect(parents.some(({ name }) => name === 'child')).toBe(false);

    expect((await livepeer.stream.delete(id)).statusCode).toBe(204);
    await expect(livepeer.stream.get(id)).rejects.toMatchObject({ statusCode: 404 });
  });

  test('terminate succeeds once, and then exceeds its rate limit', async () => {
    const { id } = await createStream();
    expect((await livepeer.stream.terminate(id)).statusCode).toBe(204);
    await expect(livepeer.stream.terminate(id)).rejects.toMatchObject({ statusCode: 429 });
  });

  test('addMultistreamTarget and removeMultistreamTarget change the targets', async () => {
    const { id } = await createStream();
    const target = { profile: 'source', spec: { url: 'rtmp://live.example.com/app/key', name: 'there' } };
    expect((await livepeer.stream.addMultistreamTarget(target, id)).statusCode).toBe(204);
    const { stream } = await livepeer.stream.get(id);
    const [added] = stream?.multistream?.targets ?? [];
    expect(added).toEqual({ profile: 'source', videoOnly: false, id: expect.any(String) as string });
    expect((await livepeer.stream.removeMultistreamTarget(id, added?.id ?? '')).statusCode).toBe(204);
    expect((await livepeer.stream.get(id)).stream?.multistream?.targets).toEqual([]);
  });
});

test('livepeer.session reads one session, all sessions and recorded sessions', async () => {
  const { id: parentId, playbackId } = await createStream();
  const data = {
    teamId,
    parentId,
    playbackId,
    name: 'Town hall',
    lastSeen: new Date(),
    sourceSegmentsDuration: 6,
  };
  const recorded = await db.session.create({ data: { ...data, record: true } });
  const unrecorded = await db.session.create({ data });
  const { session } = await livepeer.session.get(recorded.id);
  expect(session).toMatchObject({ id: recorded.id, parentId, record: true, sourceSegmentsDuration: 6 });
  const idsOf = ({ data = [] }: { data?: { id?: string | undefined }[] | undefined }) =>
    data.map(({ id }) => id).sort();
  const allIds = [recorded.id, unrecorded.id].sort();
  expect(idsOf(await livepeer.session.getAll())).toEqual(allIds);
  expect(idsOf(await livepeer.session.getRecorded(parentId))).toEqual(allIds);
  expect(idsOf(await livepeer.session.getRecorded(parentId, true))).toEqual([recorded.id]);
  expect(idsOf(await livepeer.session.getRecorded(parentId, 1))).toEqual([recorded.id]);
});

test('livepeer.multistream: create, get, getAll, update, delete', async () => {
  const url = 'rtmp://live.example.com/app/key';
  const response = await livepeer.multistream.create({ url, name: 'there' });
  expect(response.statusCode).toBe(201);
  const target = response.multistreamTarget;
  expect(target).toMatchObject({ name: 'there', disabled: false });
  const id = target?.id ?? '';
  expect((await livepeer.multistream.get(id)).multistreamTarget).toEqual(target);
  expect((await livepeer.multistream.update({ url, disabled: true }, id)).statusCode).toBe(204);
  const all = (await livepeer.multistream.getAll()).data ?? [];
  expect(all).toContainEqual({ ...target, disabled: true });
  expect((await livepeer.multistream.delete(id)).statusCode).toBe(204);
  await expect(livepeer.multistream.get(id)).rejects.toMatchObject({ statusCode: 404 });
});

describe('livepeer.webhook', () => {
  const input = { name: 'Bot', url: 'https://example.com/hook', events: [Events.StreamStarted] };

  test('create, get, getAll, update, delete', async () => {
    const { statusCode, webhook } = await livepeer.webhook.create({ ...input, sharedSecret: 'long enough' });
    expect(statusCode).toBe(200);
    expect(webhook).toMatchObject({ ...input, kind: 'webhook', userId: teamId });
    const id = webhook?.id ?? '';
    expect((await livepeer.webhook.get(id)).webhook).toEqual(webhook);
    const changed = { ...input, name: 'Other', events: [Events.RecordingReady] };
    expect((await livepeer.webhook.update(changed, id)).webhook).toEqual({ ...webhook, ...changed });
    expect((await livepeer.webhook.getAll()).data).toEqual([{ ...webhook, ...changed }]);
    expect((await livepeer.webhook.delete(id)).webhook).toEqual({ ...webhook, ...changed });
    await expect(livepeer.webhook.delete(id)).rejects.toMatchObject({ statusCode: 404 });
    expect((await livepeer.webhook.getAll()).data).toEqual([]);
    const entries = await db.auditEntry.findMany({ where: { objectId: id, action: { contains: 'delete' } } });
    expect(entries).toHaveLength(1);
  });

  test('getLogs and getLog return the attempts, and resendLog sends one again', async () => {
    const webhookId = (await livepeer.webhook.create(input)).webhook?.id ?? '';
    const event = await db.event.create({ data: { teamId, name: 'stream.idle', payload: {} } });
    const { id: deliveryId } = await db.webhookDelivery.create({
      data: { eventId: event.id, webhookId, state: 'failed', attempt: 1 },
    });
    const request = { url: input.url, method: 'POST', headers: { 'x-y': 'z' }, body: '{}' };
    // A delivery without a response has no status, and the field must not be null.
    const data = { teamId, webhookId, deliveryId, event: event.name, attempt: 1, request, durationMs: 42 };
    const attempt = await db.webhookAttempt.create({ data: { ...data, error: 'timed out' } });
    const { webhookLog } = await livepeer.webhook.getLog(webhookId, attempt.id);
    expect(webhookLog).toMatchObject({ id: attempt.id, webhookId, duration: 0.042, success: false, request });
    expect((await livepeer.webhook.getLogs(webhookId)).data).toEqual([webhookLog]);
    const again = await livepeer.webhook.resendLog(webhookId, attempt.id);
    expect(again.webhookLog).toMatchObject({ webhookId, success: false });
    expect(again.webhookLog?.id).not.toBe(attempt.id);
  });
});

describe('livepeer.asset and livepeer.task', () => {
  const assetSpec = {
    name: 'part-1.mp4',
    size: 20,
    type: 'video',
    hash: [{ hash: '00', algorithm: 'md5' }],
    videoSpec: {
      format: 'mp4',
      duration: 1.5,
      tracks: [
        { type: 'audio', codec: 'aac', bitrate: 128_000, channels: 2, duration: 1.5, sampleRate: 48_000 },
      ],
    },
  };
  const output = { videoFilePath: 'a/video', metadataFilePath: 'a/video.json', assetSpec };

  async function insertReadyAsset() {
    const data = {
      teamId,
      name: 'Ready',
      playbackId: newPlaybackId(),
      phase: 'ready' as const,
      sourceType: 'directUpload',
    };
    const ipfs = { cid: 'bafy', url: 'ipfs://bafy', gatewayUrl: 'https://gateway.example/ipfs/bafy' };
    const storage = { ipfs, status: { phase: 'ready', tasks: { last: crypto.randomUUID() } } };
    const { hash, videoSpec } = assetSpec;
    return db.asset.create({ data: { ...data, size: 20, hash, videoSpec, storage, cid: 'bafy' } });
  }

  test('create returns upload URLs; its task is an upload', async () => {
    const { statusCode, data } = await livepeer.asset.create({ name: 'Part 1', creatorId: 'someone' });
    expect(statusCode).toBe(200);
    expect(data).toMatchObject({
      url: expect.stringContaining('/api/asset/upload/direct') as string,
      tusEndpoint: expect.stringContaining('/api/asset/upload/tus') as string,
      asset: { name: 'Part 1', source: { type: 'directUpload' }, status: { phase: 'waiting' } },
    });
    const { task } = await livepeer.task.get(data?.task.id ?? '');
    expect(task).toMatchObject({ type: 'upload', outputAssetId: data?.asset.id, params: { upload: {} } });
  });

  test('create accepts options without effect and requests the export to IPFS', async () => {
    const options = { staticMp4: true, c2pa: true, targetSegmentSizeSecs: 4, storage: { ipfs: true } };
    const { data } = await livepeer.asset.create({ name: 'Part 3', ...options });
    expect(data?.asset.storage?.status).toMatchObject({ phase: 'waiting', tasks: {} });
    const spec = { nftMetadataTemplate: NftMetadataTemplate.Player };
    const url = 'https://files.example.com/part-3.mp4';
    const importResult = await livepeer.asset.createViaUrl({ name: 'x', url, storage: { ipfs: { spec } } });
    const { asset } = importResult.twoHundredAndOneApplicationJsonData ?? {};
    expect(asset?.storage?.ipfs?.spec).toMatchObject(spec);
  });

  test('createViaUrl returns the asset and its upload task', async () => {
    const url = 'https://files.example.com/part-2.mp4';
    const response = await livepeer.asset.createViaUrl({ name: 'Part 2', url });
    expect(response.statusCode).toBe(201);
    const data = response.twoHundredAndOneApplicationJsonData ?? response.twoHundredApplicationJsonData;
    expect(data?.asset).toMatchObject({ name: 'Part 2', source: { type: 'url', url } });
    const { task } = await livepeer.task.get(data?.task.id ?? '');
    expect(task).toMatchObject({ type: 'upload', params: { upload: { url } } });
  });

  test('get, getAll, update, delete', async () => {
    const { id } = await insertReadyAsset();
    const { asset } = await livepeer.asset.get(id);
    expect(asset).toMatchObject({ id, name: 'Ready', size: 20, videoSpec: assetSpec.videoSpec });
    expect(asset?.storage?.status?.phase).toBe('ready');
    const updated = await livepeer.asset.update({ name: 'Better' }, id);
    expect(updated.asset).toMatchObject({ id, name: 'Better' });
    expect((await livepeer.asset.getAll()).data?.find((candidate) => candidate.id === id)?.name).toBe(
      'Better',
    );
    expect((await livepeer.asset.delete(id)).statusCode).toBe(204);
    await expect(livepeer.asset.get(id)).rejects.toMatchObject({ statusCode: 404 });
  });

  test('get reads an asset that was transcoded from another one, and its task', async () => {
    const { id } = await insertReadyAsset();
    const body = { name: 'Small', profile };
    const response = await api.request('POST', `/api/asset/${id}/transcode`, { key: ada.key, body });
    const { asset: small, task } = (await response.json()) as Record<'asset' | 'task', { id: string }>;
    expect((await livepeer.asset.get(small.id)).asset).toMatchObject({
      source: { type: 'directUpload', sourceId: id, assetId: id },
    });
    expect((await livepeer.task.get(task.id)).task).toMatchObject({
      type: 'transcode-file',
      inputAssetId: id,
      params: { transcodeFile: { profiles: [profile] } },
    });
  });

  test('task.get and task.getAll return completed tasks of every type', async () => {
    const { id: assetId } = await insertReadyAsset();
    const profiles = { profile };
    const metadata = { name: 'A token', image: null };
    const kinds = [
      { type: 'import', params: { import: { url: 'https://a.example/x.mp4' } }, output: { import: output } },
      { type: 'import', params: { import: { recordedSessionId: assetId } }, output: { import: output } },
      { type: 'import', params: { import: { uploadedObjectKey: 'key' } }, output: { import: output } },
      { type: 'transcode', params: { transcode: profiles }, output: { transcode: { asset: output } } },
      {
        type: 'export',
        params: { export: { ipfs: { pinning: { jwt: '***' }, nftMetadata: metadata } } },
        output: { export: { ipfs: { videoFileCid: 'c', videoFileUrl: 'u', videoFileGatewayUrl: 'g' } } },
      },
      {
        type: 'export',
        params: { export: { custom: { url: 'https://b.example/', headers: { authorization: '***' } } } },
        output: { export: { custom: { url: 'https://b.example/' } } },
      },
    ];
    for (const kind of kinds) {
      const data = { ...kind, teamId, phase: 'completed' as const, progress: 1, outputAssetId: assetId };
      const { id } = await db.task.create({ data });
      const { task } = await livepeer.task.get(id);
      expect(task).toMatchObject({ id, status: { phase: 'completed', progress: 1 } });
      if (kind.type === 'import')
        expect(task?.output?.upload?.assetSpec).toMatchObject({ id: assetId, ...assetSpec });
      else if (kind.type === 'export') expect(task?.output?.export).toBeDefined();
    }
    const { data = [] } = await livepeer.task.getAll();
    expect(new Set(data.map(({ type }) => type))).toEqual(new Set(['upload', 'transcode-file', 'export']));
    expect(data.length).toBeGreaterThanOrEqual(kinds.length);
  });
});

describe('livepeer.playback.get', () => {
  test('returns the HLS source of a stream', async () => {
    const { playbackId } = await createStream();
    const { playbackInfo } = await livepeer.playback.get(playbackId);
    expect(playbackInfo).toMatchObject({ type: 'live', meta: { source: [{ hrn: 'HLS (TS)' }] } });
  });

  test('throws a typed error with the reasons for an unknown id', async () => {
    const error: unknown = await livepeer.playback.get('nothing').catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ErrorT);
    expect((error as ErrorT).errors).toEqual([expect.any(String)]);
  });
});

describe('the Studio paths', () => {
  const call = (method: string, path: string, headers: Record<string, string> = {}, body?: object) =>
    sendStudioRequest(
      new Request(`${baseUrl}/api/studio${path}`, {
        method,
        headers: { authorization: `Bearer ${ada.key}`, 'content-type': 'application/json', ...headers },
        ...(body && { body: JSON.stringify(body) }),
      }),
    );
  const hook = { name: 'Bot', url: 'https://example.com/hook', events: ['stream.idle'] };

  test('reject strangers, other accounts, invalid input, unknown paths and unknown methods like /api', async () => {
    const { id } = await createStream();
    const eves = createLivepeerClient(eve.key);
    await expect(eves.stream.get(id)).rejects.toBeInstanceOf(SDKError);
    await expect(eves.webhook.delete(id)).rejects.toMatchObject({ statusCode: 404 });
    await expect(createLivepeerClient('hw_garbage').stream.get(id)).rejects.toMatchObject({
      statusCode: 401,
    });
    for (const [method, path, status, body] of [
      ['POST', '/stream', 422, {}],
      ['POST', '/room', 404, {}],
      ['GET', '/dashboard/api-keys', 404],
      ['PUT', '/stream', 405, {}],
    ] as const) {
      const response = await call(method, path, {}, body);
      expect([path, response.status]).toEqual([path, status]);
      expect(await response.json()).toMatchObject({ errors: [expect.any(String)] });
      expect(response.headers.get('x-request-id')).not.toBeNull();
    }
    expect((await call('PUT', '/stream', {}, {})).headers.get('allow')).toBe('GET, HEAD, POST, OPTIONS');
  });

  test('answer CORS preflights, and accept a browser key for its origins and endpoints', async () => {
    const origin = 'https://app.example.com';
    const preflight = await call('OPTIONS', '/stream', { origin });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-origin')).toBe(origin);
    const { secret } = await ada.newKey({ allowedOrigins: [origin] });
    const headers = { authorization: `Bearer ${secret}`, origin };
    const response = await call('POST', '/stream', headers, { name: 'from a page' });
    expect(response.status).toBe(201);
    expect(response.headers.get('access-control-allow-origin')).toBe(origin);
    expect((await call('POST', '/webhook', headers, hook)).status).toBe(403);
    expect((await call('GET', '/stream', { origin })).status).toBe(403);
  });

  test('link to pages under the same prefix, and answer HEAD with the headers', async () => {
    await Promise.all([createStream(), createStream()]);
    const page = await call('GET', '/stream?limit=1&count=1');
    const next = /^<(.+)>; rel="next"$/.exec(page.headers.get('link') ?? '')?.[1] ?? '';
    expect(next.startsWith(`${baseUrl}/api/studio/stream?`)).toBe(true);
    const second = await call('GET', next.slice(`${baseUrl}/api/studio`.length));
    expect(second.status).toBe(200);
    expect(await second.json()).not.toEqual(await page.json());
    const head = await call('HEAD', '/task?count=1');
    expect([head.status, await head.text()]).toEqual([200, '']);
    expect(head.headers.get('x-total-count')).not.toBeNull();
  });

  test('answer a repeated request with the same Idempotency-Key with the same field names', async () => {
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const [first, second] = [
      await call('POST', '/webhook', headers, hook),
      await call('POST', '/webhook', headers, hook),
    ];
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expect(await second.json()).toEqual(await first.json());
  });

  test('leave the names and statuses of /api unchanged', async () => {
    const { key } = ada;
    const response = await api.request('POST', '/api/webhook', { key, body: hook });
    expect(response.status).toBe(201);
    const { id } = (await response.json()) as Webhook;
    expect((await api.request('DELETE', `/api/webhook/${id}`, { key })).status).toBe(204);
    const tasks = (await (await api.request('GET', '/api/task', { key })).json()) as { type: string }[];
    expect(tasks.every(({ type }) => ['import', 'transcode', 'export'].includes(type))).toBe(true);
  });
});

test('livepeer.metrics.getPublicViewership returns views and minutes, and hides restricted streams of other teams', async () => {
  const { id, playbackId } = await createStream();
  await db.stream.update({ where: { id }, data: { views: 7 } });
  const deliveredRow = { objectId: id, nodeId: crypto.randomUUID(), bytes: 1, batch: 1, seconds: 45 };
  for (const day of ['2026-01-30', '2026-01-31'])
    await db.deliveredDay.create({ data: { ...deliveredRow, teamId, day: new Date(day) } });
  // Two days with 45 s each: 1.5 minutes.
  const readViewership = async (mediaId: string) =>
    (await livepeer.metrics.getPublicViewership(mediaId)).data;
  expect(await readViewership(playbackId)).toEqual({ playbackId, viewCount: 7, playtimeMins: 1.5 });
  const film = { teamId, playbackId: newPlaybackId(), name: 'Film', sourceType: 'url' };
  await db.asset.create({ data: { ...film, views: 3, deliveredMinutes: 61.504 } });
  expect(await readViewership(film.playbackId)).toEqual({
    playbackId: film.playbackId,
    viewCount: 3,
    playtimeMins: 61.5,
  });
  const ofOtherTeam = (mediaId: string) => createLivepeerClient(eve.key).metrics.getPublicViewership(mediaId);
  expect((await ofOtherTeam(playbackId)).data).toMatchObject({ viewCount: 7 });
  await db.stream.update({ where: { id }, data: { playbackPolicy: { type: 'jwt' } } });
  await expect(ofOtherTeam(playbackId)).rejects.toMatchObject({ statusCode: 404 });
});
