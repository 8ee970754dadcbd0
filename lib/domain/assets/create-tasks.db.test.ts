import { describe, expect, test } from 'vitest';
import { MINUTE_MS } from '@/lib/core/units';
import type { TeamContext } from '@/lib/domain/context';
import { newPlaybackId } from '@/lib/infra/ids';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { exportAsset, importAsset, listAssets, requestUpload, transcodeAsset, transcodeAssetById } from '.';
import { createAssetFixtures } from './testing/asset-fixtures';
import { readOutputAsset } from './processing/read-work-input';
import { readUploadToken } from './uploads/upload-token';

let nowMs = Date.UTC(2026, 0, 1);
const clock = { now: () => new Date(nowMs), monotonic: () => 0 };
const { db, createTeamContext, markReady, tasksOf, auditOf } = createAssetFixtures(
  await createTestDatabase(),
  {
    clock,
  },
);

const profile = { name: '480p', width: 854, height: 480, bitrate: 1_000_000, fps: 30 };
const jwt = 'header.payload.the-secret';

async function createReadyAsset(ctx: TeamContext): Promise<string> {
  const { asset } = await requestUpload(ctx, { name: 'Town hall' });
  await markReady(asset.id);
  return asset.id;
}

describe('requestUpload', () => {
  test('creates a waiting asset, a task that is not due, and upload URLs that are valid for 12 hours', async () => {
    const ctx = await createTeamContext();
    const { url, tusEndpoint, asset, task } = await requestUpload(ctx, { name: 'Town hall' });
    expect(asset).toEqual({
      id: asset.id,
      userId: ctx.actor.teamId,
      name: 'Town hall',
      createdAt: nowMs,
      createdByTokenName: 'backend',
      playbackId: asset.playbackId,
      status: { phase: 'waiting', updatedAt: nowMs },
      source: { type: 'directUpload' },
    });
    expect(task).toEqual({
      id: task.id,
      userId: ctx.actor.teamId,
      type: 'import',
      createdAt: nowMs,
      outputAssetId: asset.id,
      params: { import: { uploadedObjectKey: `directUpload/${asset.playbackId}/source` } },
      status: { phase: 'pending', updatedAt: nowMs },
    });
    const uploadBaseUrl = 'http://localhost:8080/api/asset/upload';
    const token = new URL(url).searchParams.get('token') ?? '';
    expect([url, tusEndpoint]).toEqual([
      `${uploadBaseUrl}/direct?token=${token}`,
      `${uploadBaseUrl}/tus?token=${token}`,
    ]);
    expect(readUploadToken(ctx.secrets, token, nowMs)).toEqual({
      assetId: asset.id,
      exp: nowMs + 12 * 60 * MINUTE_MS,
    });
    expect(await auditOf(asset.id)).toEqual(['asset.created']);
  });

  test('stores the creator id', async () => {
    const creatorId = { type: 'unverified', value: 'guest 7' } as const;
    expect(
      (await requestUpload(await createTeamContext(), { name: 'x', creatorId })).asset.creatorId,
    ).toEqual(creatorId);
  });
});

describe('importAsset', () => {
  const url = 'https://files.example/part-1.mp4?sig=abc';
  const maskedUrl = 'https://files.example/part-1.mp4?sig=***';

  test('creates an asset with its source and a due task', async () => {
    const { asset, task } = await importAsset(await createTeamContext(), { url, name: 'Part 1' });
    expect(asset).toMatchObject({ source: { type: 'url', url: maskedUrl }, status: { phase: 'waiting' } });
    expect(task).toMatchObject({
      params: { import: { url: maskedUrl } },
      scheduledAt: nowMs,
      outputAssetId: asset.id,
    });
  });

  test('a signed URL is shown and stored without its secrets, and the worker gets the whole URL', async () => {
    const ctx = await createTeamContext();
    const { asset } = await importAsset(ctx, { url, name: 'Part 1' });
    const { teamId } = ctx.actor;
    const events = await db.event.findMany({ where: { teamId } });
    const storedRows = [await db.asset.findMany({ where: { teamId } }), await tasksOf(teamId), events];
    const text = JSON.stringify(storedRows, (_, value: unknown) =>
      typeof value === 'bigint' || value instanceof Uint8Array
        ? Buffer.from(String(value)).toString()
        : value,
    );
    expect(text).toContain('part-1.mp4');
    expect(text).not.toContain('sig=abc');
    const system = { ...ctx, actor: { kind: 'system' } } as const;
    expect((await readOutputAsset(system, { work: null, teamId }, asset.id)).url).toBe(url);
    const find = async (sourceUrl: string) =>
      (await listAssets(ctx, { sourceUrl })).items.map(({ id }) => id);
    expect(await find(url)).toEqual([asset.id]);
    expect(await find('https://files.example/part-1.mp4?sig=other')).toEqual([]);
  });

  test('rows with an unsealed URL are masked in the API and can still be imported', async () => {
    const ctx = await createTeamContext();
    const { asset, task } = await importAsset(ctx, { url, name: 'Part 1' });
    const unsealedUrl = { sourceUrl: url, sourceUrlSealed: null, sourceUrlHash: null };
    await db.asset.update({ where: { id: asset.id }, data: unsealedUrl });
    await db.task.update({ where: { id: task.id }, data: { params: { import: { url } } } });
    expect(await importAsset(ctx, { url, name: 'Part 1' })).toEqual({ asset, task });
    const system = { ...ctx, actor: { kind: 'system' } } as const;
    const { teamId } = ctx.actor;
    expect((await readOutputAsset(system, { work: null, teamId }, asset.id)).url).toBe(url);
  });

  test('ten concurrent imports of one URL return the same asset, and another team gets another asset', async () => {
    const ctx = await createTeamContext();
    const imports = await Promise.all(Array.from({ length: 10 }, () => importAsset(ctx, { url, name: 'x' })));
    const firstImport = imports[0];
    for (const repeatedImport of imports) expect(repeatedImport).toEqual(firstImport);
    expect(await tasksOf(ctx.actor.teamId)).toHaveLength(1);
    const otherImport = await importAsset(await createTeamContext(), { url, name: 'x' });
    expect(otherImport.asset.id).not.toBe(firstImport?.asset.id);
  });

  test.each<[string, (taskId: string, assetId: string) => Promise<unknown>]>([
    ['after 16 minutes', () => Promise.resolve((nowMs += 15 * MINUTE_MS))],
    ['once the task has failed', (id) => db.task.update({ where: { id }, data: { phase: 'failed' } })],
    ['once the task is completed', (id) => db.task.update({ where: { id }, data: { phase: 'completed' } })],
    [
      'once the asset is deleted',
      (_, id) => db.asset.update({ where: { id }, data: { deletedAt: clock.now() } }),
    ],
  ])('%s, an import of the same URL creates another task', async (_, change) => {
    const ctx = await createTeamContext();
    const firstImport = await importAsset(ctx, { url, name: 'x' });
    nowMs += MINUTE_MS;
    expect((await importAsset(ctx, { url, name: 'x' })).task.id).toBe(firstImport.task.id);
    await change(firstImport.task.id, firstImport.asset.id);
    expect((await importAsset(ctx, { url, name: 'x' })).task.id).not.toBe(firstImport.task.id);
  });
});

describe('transcodeAsset', () => {
  test('creates a waiting asset that names its input, and a due task; a name can be given', async () => {
    const ctx = await createTeamContext();
    const input = await createReadyAsset(ctx);
    const { asset, task } = await transcodeAsset(ctx, { assetId: input, profile });
    expect(asset).toMatchObject({
      name: 'Town hall',
      status: { phase: 'waiting' },
      source: { type: 'directUpload', sourceId: input, assetId: input },
      sourceAssetId: input,
    });
    expect(task).toMatchObject({
      type: 'transcode',
      inputAssetId: input,
      outputAssetId: asset.id,
      params: { transcode: { profile } },
      scheduledAt: nowMs,
    });
    const namedTranscode = await transcodeAssetById(ctx, { id: input, name: 'small', profile });
    expect(namedTranscode.asset.name).toBe('small');
  });

  test('requires one ready asset of the team', async () => {
    const ctx = await createTeamContext();
    const { asset } = await requestUpload(ctx, { name: 'x' });
    const ready = await createReadyAsset(ctx);
    await expect(transcodeAsset(ctx, { assetId: asset.id, profile })).rejects.toMatchObject({
      code: 'precondition_failed',
      message: 'asset is not ready to be transcoded: its phase is waiting',
    });
    await expect(transcodeAssetById(ctx, { id: ready, assetId: ready, profile })).rejects.toMatchObject({
      code: 'bad_request',
    });
    const otherTeam = await createTeamContext();
    await expect(transcodeAsset(otherTeam, { assetId: ready, profile })).rejects.toMatchObject({
      code: 'not_found',
    });
    expect(await tasksOf(otherTeam.actor.teamId)).toEqual([]);
  });
});

describe('exportAsset', () => {
  test('to IPFS marks the storage as waiting for the task, and seals and masks the credentials', async () => {
    const ctx = await createTeamContext();
    const id = await createReadyAsset(ctx);
    const nftMetadata = { name: 'Town hall', image: null };
    const { task } = await exportAsset(ctx, { id, body: { ipfs: { pinata: { jwt }, nftMetadata } } });
    expect(task).toMatchObject({
      type: 'export',
      inputAssetId: id,
      params: { export: { ipfs: { pinning: { jwt: '***' }, nftMetadata } } },
      scheduledAt: nowMs,
    });
    expect(task).not.toHaveProperty('outputAssetId');
    const row = await db.task.findUniqueOrThrow({ where: { id: task.id } });
    const owner = { kind: 'export-credentials', id: task.id, teamId: ctx.actor.teamId } as const;
    expect(JSON.parse(ctx.secrets.open(owner, row.credentialsSealed ?? Buffer.of()))).toEqual({
      pinning: { jwt },
    });
    expect(JSON.stringify({ ...row, credentialsSealed: null })).not.toContain('the-secret');
    const asset = await db.asset.findUniqueOrThrow({ where: { id } });
    expect(asset.storage).toEqual({
      ipfs: { spec: { nftMetadata } },
      status: { phase: 'waiting', tasks: { pending: task.id } },
    });
    expect(await auditOf(id)).toEqual(['asset.created', 'asset.exported']);
  });

  test('keeps the result of an earlier export, and leaves one of two concurrent exports pending', async () => {
    const ctx = await createTeamContext();
    const id = await createReadyAsset(ctx);
    const ipfs = { cid: 'bafy1', url: 'ipfs://bafy1', gatewayUrl: 'http://localhost:8080/ipfs/bafy1' };
    const lastExportId = crypto.randomUUID();
    await db.asset.update({
      where: { id },
      data: { storage: { ipfs, status: { phase: 'ready', tasks: { last: lastExportId } } } },
    });
    const exports = await Promise.all([1, 2].map(() => exportAsset(ctx, { id, body: { ipfs: {} } })));
    const { storage } = await db.asset.findUniqueOrThrow({ where: { id } });
    expect(storage).toMatchObject({
      ipfs: { ...ipfs, spec: {} },
      status: { phase: 'waiting', tasks: { last: lastExportId } },
    });
    const { pending } = (storage as { status: { tasks: { pending: string } } }).status.tasks;
    expect(exports.map(({ task }) => task.id)).toContain(pending);
  });

  test('to a URL leaves the storage unchanged, and seals the query and headers', async () => {
    const ctx = await createTeamContext();
    const id = await createReadyAsset(ctx);
    const custom = {
      url: 'https://bucket.example/a?sig=the-secret',
      headers: { Authorization: 'the-secret' },
    };
    const { task } = await exportAsset(ctx, { id, body: { custom } });
    expect(task.params).toEqual({
      export: {
        custom: { url: 'https://bucket.example/a?sig=***', method: 'PUT', headers: { Authorization: '***' } },
      },
    });
    const row = await db.task.findUniqueOrThrow({ where: { id: task.id } });
    const owner = { kind: 'export-credentials', id: task.id, teamId: ctx.actor.teamId } as const;
    expect(JSON.parse(ctx.secrets.open(owner, row.credentialsSealed ?? Buffer.of()))).toEqual(custom);
    expect((await db.asset.findUniqueOrThrow({ where: { id } })).storage).toBeNull();
  });

  test('requires a ready asset of the team', async () => {
    const ctx = await createTeamContext();
    const { asset } = await requestUpload(ctx, { name: 'x' });
    const body = { ipfs: {} };
    await expect(exportAsset(ctx, { id: asset.id, body })).rejects.toMatchObject({
      code: 'precondition_failed',
      message: 'asset is not ready to be exported: its phase is waiting',
    });
    const id = await createReadyAsset(ctx);
    await expect(exportAsset(await createTeamContext(), { id, body })).rejects.toMatchObject({
      code: 'not_found',
    });
    await db.asset.update({ where: { id }, data: { deletedAt: clock.now() } });
    await expect(exportAsset(ctx, { id, body })).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('the limit of 100 queued tasks', () => {
  /** @param columns values that differ from those of a queued task */
  async function createQueuedTasks(ctx: TeamContext, count: number, columns: object = {}): Promise<void> {
    const queuedTask = { createdAt: clock.now(), scheduledAt: clock.now() };
    const task = { teamId: ctx.actor.teamId, type: 'import', params: {}, ...queuedTask };
    await db.task.createMany({ data: Array.from({ length: count }, () => ({ ...task, ...columns })) });
  }
  const importBody = (name: string | number) => ({ name: 'x', url: `https://files.example.com/${name}.mp4` });
  const limitMessage = (count: number, whose = '') =>
    `team test has reached the maximum number of pending tasks${whose}: ${count} wait for a worker or for the rest of ` +
    `their file; the limit is ${count}. Try again when some have ended, or cancel them: they are on the Tasks page and in GET /api/task.`;

  test('holds for concurrent requests, and a rejected request leaves no rows', async () => {
    const ctx = await createTeamContext();
    await createQueuedTasks(ctx, 95);
    const results = await Promise.allSettled(
      Array.from({ length: 12 }, (_, index) => importAsset(ctx, importBody(index))),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
    const rateLimited = { code: 'rate_limited', message: limitMessage(100), retryAfter: 30 };
    await expect(importAsset(ctx, importBody('y'))).rejects.toMatchObject(rateLimited);
    await expect(requestUpload(ctx, { name: 'x' })).rejects.toMatchObject(rateLimited);
    expect(await db.asset.count({ where: { teamId: ctx.actor.teamId } })).toBe(5);
    await expect(requestUpload(await createTeamContext(), { name: 'x' })).resolves.toBeDefined();
  });

  test('does not count running or finished tasks, or tasks that are not scheduled', async () => {
    const ctx = await createTeamContext();
    await createQueuedTasks(ctx, 50, { phase: 'running' });
    await createQueuedTasks(ctx, 100, { phase: 'completed' });
    await createQueuedTasks(ctx, 100, { scheduledAt: null });
    await expect(requestUpload(ctx, { name: 'x' })).resolves.toBeDefined();
    // Tasks that have been queued for a long time count.
    await createQueuedTasks(ctx, 100, { createdAt: new Date(0), scheduledAt: new Date(0) });
    await expect(requestUpload(ctx, { name: 'x' })).rejects.toMatchObject({ code: 'rate_limited' });
  });

  test('is 50 for a CORS-enabled API key', async () => {
    const ctx = await createTeamContext();
    const corsKeyContext = { ...ctx, actor: { ...ctx.actor, keyName: 'page', corsKey: true } };
    await createQueuedTasks(ctx, 50);
    const message = limitMessage(50, ' for a CORS-enabled API key');
    await expect(requestUpload(corsKeyContext, { name: 'x' })).rejects.toMatchObject({
      code: 'rate_limited',
      message,
    });
    await expect(requestUpload(ctx, { name: 'x' })).resolves.toBeDefined();
  });
});

describe('uploads without data', () => {
  async function createWaitingUploads(ctx: TeamContext, count: number, columns: object = {}): Promise<void> {
    const { teamId, keyName = null } = ctx.actor;
    const row = { teamId, name: 'x', sourceType: 'directUpload', createdByKeyName: keyName, ...columns };
    const statusUpdatedAt = clock.now();
    const data = Array.from({ length: count }, () => ({
      statusUpdatedAt,
      ...row,
      playbackId: newPlaybackId(),
    }));
    await db.asset.createMany({ data });
  }

  test('do not count against the limit of queued tasks', async () => {
    const ctx = await createTeamContext();
    for (let count = 0; count < 101; count += 1) await requestUpload(ctx, { name: 'x' });
    await expect(
      importAsset(ctx, { name: 'x', url: 'https://files.example.com/a.mp4' }),
    ).resolves.toBeDefined();
  });

  test('are limited to 1,000 per key; the dashboard and other keys have their own limit', async () => {
    const ctx = await createTeamContext();
    await createWaitingUploads(ctx, 1_000);
    await expect(requestUpload(ctx, { name: 'x' })).rejects.toMatchObject({
      code: 'rate_limited',
      message:
        'uploads: 1000 that were requested with the API key "backend" wait for their file; the limit is 1000. Send the files or ' +
        'delete the assets: they are on the Assets page and in GET /api/asset with the phase "waiting". Those without any ' +
        'bytes expire after an hour.',
    });
    const { keyName: _, ...dashboard } = ctx.actor;
    await expect(requestUpload({ ...ctx, actor: dashboard }, { name: 'x' })).resolves.toBeDefined();
    const otherKey = { ...ctx, actor: { ...ctx.actor, keyName: 'other' } };
    await expect(requestUpload(otherKey, { name: 'x' })).resolves.toBeDefined();
  });

  test('do not count once they have started or expired', async () => {
    const ctx = await createTeamContext();
    await createWaitingUploads(ctx, 1_000, { reservedBytes: 1n });
    await createWaitingUploads(ctx, 1_000, { statusUpdatedAt: new Date(nowMs - 60 * MINUTE_MS) });
    await expect(requestUpload(ctx, { name: 'x' })).resolves.toBeDefined();
  });
});
