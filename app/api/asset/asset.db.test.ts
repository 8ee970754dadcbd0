import { describe, expect, test } from 'vitest';
import type { Asset } from '@/lib/contract/assets/asset';
import type { Playback } from '@/lib/contract/streams/playback';
import type { Task } from '@/lib/contract/tasks/task';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { openTestApi } from '@/app/api/testing/test-api';

const api = openTestApi(await createTestDatabase());
const { db } = api.services;
const [ada, eve] = [await api.createPerson('ada'), await api.createPerson('eve')];
const pageOrigin = 'https://page.example';
const corsKey = (await ada.newKey({ allowedOrigins: [pageOrigin] })).secret;

const url = 'https://files.example/part-1.mp4';
const profile = { name: '480p', width: 854, height: 480, bitrate: 1_000_000, fps: 30 };

interface AssetAndTask {
  readonly url: string;
  readonly asset: Asset;
  readonly task: Task;
}

const post = (path: string, body: unknown, key = ada.key) => api.request('POST', path, { key, body });
const errorsOf = async (response: Response) => ((await response.json()) as { errors: string[] }).errors;
const readAssetAndTask = async (response: Response) => (await response.json()) as AssetAndTask;

async function createReadyAsset(): Promise<Asset> {
  const { asset } = await readAssetAndTask(await post('/api/asset/request-upload', { name: 'Town hall' }));
  await db.asset.update({ where: { id: asset.id }, data: { phase: 'ready', progress: 1 } });
  await db.task.updateMany({ where: { outputAssetId: asset.id }, data: { phase: 'completed' } });
  return asset;
}

const readyAsset = await createReadyAsset();

describe('creating an asset', () => {
  test('by upload returns 200, and the list and both objects contain the asset', async () => {
    const response = await post('/api/asset/request-upload', { name: 'Town hall', creatorId: 'guest' });
    expect(response.status).toBe(200);
    const { url: uploadUrl, asset, task } = await readAssetAndTask(response);
    expect(uploadUrl).toMatch(/^http:\/\/localhost:8080\/api\/asset\/upload\/direct\?token=[\w-]+\.[\w-]+$/);
    expect(asset).toMatchObject({ createdByTokenName: 'test', status: { phase: 'waiting' } });
    for (const [path, object] of [
      [`/api/asset/${asset.id}`, asset],
      [`/api/task/${task.id}`, task],
    ] as const) {
      expect(await (await api.request('GET', path, { key: ada.key })).json()).toEqual(object);
    }
    const list = await api.request('GET', '/api/asset?limit=1&count=1', { key: ada.key });
    expect(await list.json()).toEqual([asset]);
    expect(list.headers.get('link')).toContain('/api/asset?limit=1&count=1&cursor=');
    expect(Number(list.headers.get('x-total-count'))).toBeGreaterThan(1);
    expect(await (await api.request('GET', '/api/task?limit=1', { key: ada.key })).json()).toEqual([task]);
  });

  test('by URL returns 201 with one asset, on both paths', async () => {
    const first = await post('/api/asset/import', { url, name: 'x' });
    const second = await post('/api/asset/upload/url', { url, name: 'x' });
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(await readAssetAndTask(second)).toEqual(await readAssetAndTask(first));
  });

  test('accepts options of other clients and names the options without effect', async () => {
    const options = {
      projectId: 'p',
      staticMp4: false,
      c2pa: true,
      targetSegmentSizeSecs: 4,
      storage: { ipfs: false },
    };
    for (const [path, body] of [
      ['request-upload', { name: 'x' }],
      ['import', { name: 'x', url: `${url}?options` }],
    ] as const) {
      const uploadResponse = (await (await post(`/api/asset/${path}`, { ...body, ...options })).json()) as {
        asset: Asset;
        warnings: string[];
      };
      expect(uploadResponse.warnings.map((message) => message.split(' ')[0])).toEqual([
        ...['projectId', 'c2pa', 'targetSegmentSizeSecs'],
      ]);
      expect(uploadResponse.asset.storage).toBeUndefined();
      expect(await (await post(`/api/asset/${path}`, body)).json()).not.toHaveProperty('warnings');
    }
  });

  test('does not export restricted content to IPFS', async () => {
    const body = { name: 'x', storage: { ipfs: true }, playbackPolicy: { type: 'jwt' } };
    const response = await post('/api/asset/request-upload', body);
    expect([response.status, (await errorsOf(response))[0]]).toEqual([
      422,
      expect.stringMatching(/^storage.ipfs: anyone can read files on IPFS/),
    ]);
  });

  test('by a URL with spaces and capital letters, as browsers accept it', async () => {
    const response = await post('/api/asset/import', {
      url: ' HTTPS://files.example/town hall.mp4\n',
      name: 'x',
    });
    expect(response.status).toBe(201);
    const source = { type: 'url', url: 'https://files.example/town%20hall.mp4' };
    expect((await readAssetAndTask(response)).asset).toMatchObject({ source });
  });

  test.each<[string, string, unknown, number, string]>([
    ['request-upload', 'no name', {}, 422, 'name: is required'],
    ['request-upload', 'an empty name', { name: '' }, 422, 'name: must not be empty'],
    [
      'request-upload',
      'an unknown field of storage',
      { name: 'x', storage: { s3: true } },
      422,
      'storage.s3: unknown field',
    ],
    ['request-upload', 'null', { name: null }, 422, 'name: must be a string'],
    ['request-upload', 'an unknown field', { name: 'x', url }, 422, 'url: unknown field'],
    [
      'request-upload',
      'a huge name',
      { name: 'x'.repeat(501) },
      422,
      'name: must have at most 500 characters',
    ],
    ['import', 'no name', { url }, 422, 'name: is required'],
    ['import', 'no url', { name: 'x' }, 422, 'url: is required'],
    ['import', 'a path', { name: 'x', url: '/etc/passwd' }, 422, 'url: must be an http:// or https:// URL'],
    [
      'import',
      'a file',
      { name: 'x', url: 'file:///etc/passwd' },
      422,
      'url: must be an http:// or https:// URL',
    ],
    ['import', 'no host', { name: 'x', url: 'http://' }, 422, 'url: must be an http:// or https:// URL'],
    [
      'import',
      'a backslash',
      { name: 'x', url: 'http://a\\@b/' },
      422,
      'url: must be an http:// or https:// URL',
    ],
    [
      'import',
      'a line break',
      { name: 'x', url: 'http://a/\r\nX:' },
      422,
      'url: must be an http:// or https:// URL',
    ],
    [
      'import',
      'a bad port',
      { name: 'x', url: 'http://a:99999/' },
      422,
      'url: must be an http:// or https:// URL',
    ],
    [
      'import',
      'a password',
      { name: 'x', url: 'http://a:b@c/' },
      422,
      'url: must not contain a user name or password',
    ],
    ['import', 'an array', [], 422, 'must be an object'],
  ])('%s rejects %s', async (endpoint, _, body, status, message) => {
    const response = await post(`/api/asset/${endpoint}`, body);
    expect(response.status).toBe(status);
    expect(await errorsOf(response)).toContain(message);
  });

  test('beyond 100 queued tasks gets 429 with Retry-After', async () => {
    const busyTeamOwner = await api.createPerson('busy');
    const row = { teamId: busyTeamOwner.teamId, type: 'import', params: {}, scheduledAt: new Date() };
    await db.task.createMany({ data: Array.from({ length: 100 }, () => row) });
    const response = await post('/api/asset/request-upload', { name: 'x' }, busyTeamOwner.key);
    expect(response.status).toBe(429);
    expect(response.headers.get('retry-after')).toBe('30');
    const [message] = await errorsOf(response);
    expect(message).toMatch(/^team .* has reached the maximum number of pending tasks: 100 wait/);
    expect(message).not.toContain(busyTeamOwner.teamId);
  });
});

describe('transcoding', () => {
  test('returns 201 with a new asset that names its source, on both paths', async () => {
    for (const response of [
      await post(`/api/asset/${readyAsset.id}/transcode`, { profile }),
      await post('/api/asset/transcode', { assetId: readyAsset.id, name: 'small', profile }),
    ]) {
      expect(response.status).toBe(201);
      expect((await readAssetAndTask(response)).asset).toMatchObject({ sourceAssetId: readyAsset.id });
    }
  });

  test.each<[string, string, unknown, number, string]>([
    [
      'assetId beside the path',
      readyAsset.id,
      { profile, assetId: readyAsset.id },
      400,
      'assetId: remove it from the body; the path names the asset',
    ],
    ['no profile', readyAsset.id, { name: 'x' }, 422, 'profile: is required'],
    [
      'a narrow profile',
      readyAsset.id,
      { profile: { ...profile, width: 1 } },
      422,
      'profile.width: must be at least 128',
    ],
    ['an unknown asset', crypto.randomUUID(), { profile }, 404, 'not found'],
  ])('rejects %s', async (_, id, body, status, message) => {
    const response = await post(`/api/asset/${id}/transcode`, body);
    expect(response.status).toBe(status);
    expect(await errorsOf(response)).toEqual([message]);
  });

  test('rejects an asset that is not ready with 412, and an invalid assetId with 422', async () => {
    const { asset } = await readAssetAndTask(await post('/api/asset/request-upload', { name: 'x' }));
    expect((await post('/api/asset/transcode', { assetId: asset.id, profile })).status).toBe(412);
    expect((await post('/api/asset/transcode', { assetId: '../x', profile })).status).toBe(422);
  });
});

describe('PATCH and DELETE /api/asset/{id}', () => {
  test('accept a whole asset object with another name', async () => {
    const asset = await createReadyAsset();
    const path = `/api/asset/${asset.id}`;
    const before = (await (await api.request('GET', path, { key: ada.key })).json()) as Asset;
    const response = await api.request('PATCH', path, { key: ada.key, body: { ...before, name: 'after' } });
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ ...before, name: 'after' });
    const rejectedResponse = await api.request('PATCH', path, {
      key: ada.key,
      body: { name: '', phase: 'ready' },
    });
    expect(rejectedResponse.status).toBe(422);
    expect(await errorsOf(rejectedResponse)).toEqual(['name: must not be empty', 'phase: unknown field']);
  });

  test('replace the chapters as a whole, show them to players, and remove them with an empty list', async () => {
    const { id, playbackId } = await createReadyAsset();
    const path = `/api/asset/${id}`;
    const patch = (chapters: unknown) => api.request('PATCH', path, { key: ada.key, body: { chapters } });
    const readShownChapters = async () =>
      ((await (await api.request('GET', `/api/playback/${playbackId}`)).json()) as Playback).meta.chapters;
    const chapters = [
      { start: 0, title: 'The spring' },
      { start: 61.5, title: 'The weir' },
    ];
    expect(await readShownChapters()).toBeUndefined();
    const response = await patch(chapters);
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ id, chapters });
    expect(await readShownChapters()).toEqual(chapters);
    const rejectedResponse = await patch([
      ...chapters,
      { start: 61.5, title: ' ' },
      { start: -1, title: 'a\nb', end: 3 },
    ]);
    expect(rejectedResponse.status).toBe(422);
    const errors = await errorsOf(rejectedResponse);
    expect(errors.map((error) => error.split(':', 1)[0]).toSorted()).toEqual([
      'chapters[2].start',
      'chapters[2].title',
      'chapters[3].end',
      'chapters[3].start',
      'chapters[3].title',
    ]);
    const orderErrors = await errorsOf(await patch(chapters.toReversed()));
    expect(orderErrors).toEqual(['chapters[1].start: must be later than the chapter before']);
    expect(await readShownChapters()).toEqual(chapters);
    expect(await (await patch([])).json()).not.toHaveProperty('chapters');
    expect(await readShownChapters()).toBeUndefined();
  });

  test('delete an asset once, after which it is not found and does not play', async () => {
    const { id, playbackId } = await createReadyAsset();
    const path = `/api/asset/${id}`;
    const playback = async () => (await api.request('GET', `/api/playback/${playbackId}`)).status;
    expect(await playback()).toBe(200);
    expect((await api.request('DELETE', path, { key: ada.key })).status).toBe(204);
    expect(await playback()).toBe(404);
    for (const method of ['GET', 'DELETE', 'PATCH']) {
      expect((await api.request(method, path, { key: ada.key, body: {} })).status).toBe(404);
    }
  });
});

describe('GET /api/playback/{id} of an asset', () => {
  test('returns 404 with the reason until the asset is ready, and then 200 without a key', async () => {
    const response = await api.request('GET', `/api/playback/${readyAsset.playbackId}`, {
      origin: pageOrigin,
    });
    expect(response.headers.get('access-control-allow-origin')).toBe(pageOrigin);
    expect(await response.json()).toMatchObject({
      type: 'vod',
      meta: { source: [{ hrn: 'MP4' }, { hrn: 'HLS (TS)' }, { hrn: 'Thumbnail (JPEG)' }] },
    });
    const { asset } = await readAssetAndTask(await post('/api/asset/request-upload', { name: 'x' }));
    const earlyResponse = await api.request('GET', `/api/playback/${asset.playbackId}`);
    expect(earlyResponse.status).toBe(404);
    expect(await errorsOf(earlyResponse)).toEqual(['asset is not ready for playback']);
  });
});

describe('another team', () => {
  test('finds nothing, whether the id is in the path or in the body', async () => {
    const { task } = await readAssetAndTask(
      await post('/api/asset/import', { url: `${url}?own`, name: 'x' }),
    );
    const before = await db.asset.findUniqueOrThrow({ where: { id: readyAsset.id } });
    for (const [method, path, body] of [
      ['GET', `/api/asset/${readyAsset.id}`, undefined],
      ['PATCH', `/api/asset/${readyAsset.id}`, { name: 'mine' }],
      ['DELETE', `/api/asset/${readyAsset.id}`, undefined],
      ['POST', `/api/asset/${readyAsset.id}/export`, { ipfs: {} }],
      ['POST', `/api/asset/${readyAsset.id}/transcode`, { profile }],
      ['POST', '/api/asset/transcode', { assetId: readyAsset.id, profile }],
      ['GET', `/api/task/${task.id}`, undefined],
    ] as const) {
      const response = await api.request(method, path, { key: eve.key, body });
      expect([path, response.status, await errorsOf(response)]).toEqual([path, 404, ['not found']]);
    }
    for (const path of ['/api/asset', '/api/task', `/api/asset?playbackId=${readyAsset.playbackId}`]) {
      expect(await (await api.request('GET', path, { key: eve.key })).json()).toEqual([]);
    }
    expect(await db.asset.findUniqueOrThrow({ where: { id: readyAsset.id } })).toEqual(before);
    expect(await db.asset.count({ where: { teamId: eve.teamId } })).toBe(0);
    expect(await db.task.count({ where: { teamId: eve.teamId } })).toBe(0);
  });
});

describe('a browser key', () => {
  test.each<[string, string, unknown, number]>([
    ['POST', '/api/asset/request-upload', { name: 'x' }, 200],
    ['GET', `/api/asset/${readyAsset.id}`, undefined, 200],
    ['POST', `/api/asset/${readyAsset.id}/export`, { ipfs: {} }, 201],
    ['POST', `/api/asset/${readyAsset.id}/transcode`, { profile }, 201],
    ['POST', '/api/asset/transcode', { assetId: readyAsset.id, profile }, 403],
    ['GET', '/api/asset', undefined, 403],
    ['PATCH', `/api/asset/${readyAsset.id}`, { name: 'x' }, 403],
    ['DELETE', `/api/asset/${readyAsset.id}`, undefined, 403],
    ['POST', '/api/asset/import', { url, name: 'x' }, 403],
    ['POST', '/api/asset/upload/url', { url, name: 'x' }, 403],
    ['GET', '/api/task', undefined, 403],
  ])('%s %s', async (method, path, body, status) => {
    const response = await api.request(method, path, { key: corsKey, origin: pageOrigin, body });
    expect(response.status).toBe(status);
    expect(response.headers.get('access-control-allow-origin')).toBe(pageOrigin);
  });
});

describe('lists', () => {
  test.each(['/api/asset', '/api/task'])('%s rejects invalid parameters', async (path) => {
    const status = async (query: string) =>
      (await api.request('GET', `${path}?${query}`, { key: ada.key })).status;
    expect(await status('limit=0')).toBe(422);
    expect(await status('cursor=skip20')).toBe(400);
    expect(await status('filters=[{')).toBe(400);
    expect(await status(`filters=${encodeURIComponent('[{"id":"userId","value":"x"}]')}`)).toBe(400);
    expect(await status('order=name-false,unknown-true&name=desc')).toBe(200);
  });

  test('with a parameter that PostgreSQL cannot store are rejected', async () => {
    for (const name of ['playbackId', 'phase', 'cid', 'sourceUrl']) {
      const response = await api.request('GET', `/api/asset?${name}=%00`, { key: ada.key });
      expect(response.status).toBe(422);
    }
  });
});

describe('tracks', () => {
  const createCue = (text: string) => `00:00:01,000 --> 00:00:02,000\n${text}\n\n`;
  const addTrack = (body: string, more = {}) =>
    post(`/api/asset/${readyAsset.id}/tracks`, { language: 'en', label: crypto.randomUUID(), body, ...more });

  test('may be larger than other request bodies, up to a limit', async () => {
    // A file may have 500,000 characters, and the body of the request 800,000 bytes. A cue has 32 characters besides its text.
    expect((await addTrack(createCue('x'.repeat(90)).repeat(3_900))).status).toBe(201);
    expect((await addTrack(createCue('x').repeat(16_000))).status).toBe(422);
    expect((await addTrack('x'.repeat(900_000))).status).toBe(413);
  });

  test.each([
    [{ language: 'english' }, 'language: must be a BCP 47 language tag, such as en or pt-BR'],
    [{ url: 'https://files.example/a.srt' }, 'body: either body or url is required, and not both'],
    [{ kind: 'chapters' }, 'kind: must be one of "subtitles", "captions"'],
    [{ label: 'a\nb' }, 'label: must be one line that is not empty'],
  ])('with %j are rejected', async (more, message) => {
    const response = await addTrack(createCue('x'), more);
    expect([response.status, await errorsOf(response)]).toEqual([422, [message]]);
  });
});
