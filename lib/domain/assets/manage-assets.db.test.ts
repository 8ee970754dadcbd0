import { describe, expect, test } from 'vitest';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import {
  deleteAsset,
  findAssetPlayback,
  getAsset,
  importAsset,
  requestUpload,
  transcodeAsset,
  updateAsset,
} from '.';
import { createAssetFixtures, processedColumns } from './testing/asset-fixtures';

const { db, createTeamContext, markReady, tasksOf, auditOf } = createAssetFixtures(
  await createTestDatabase(),
);
const profile = { name: '480p', width: 854, height: 480, bitrate: 1_000_000, fps: 30 };
const cdnUrl = 'http://localhost:8080';

describe('getAsset', () => {
  test('a ready asset has the facts about its file and its URLs', async () => {
    const ctx = await createTeamContext();
    const { asset } = await requestUpload(ctx, { name: 'x' });
    await markReady(asset.id);
    expect(await getAsset(ctx, asset.id)).toMatchObject({
      type: 'video',
      status: { phase: 'ready', progress: 1 },
      size: 5_000_000_000,
      hash: processedColumns.hash,
      videoSpec: processedColumns.videoSpec,
      playbackUrl: `${cdnUrl}/asset/${asset.playbackId}/index.m3u8`,
      downloadUrl: `${cdnUrl}/asset/${asset.playbackId}/video`,
    });
  });

  test.each(['waiting', 'uploading', 'processing', 'failed'] as const)(
    'an asset in phase %s has no URLs',
    async (phase) => {
      const ctx = await createTeamContext();
      const { asset } = await requestUpload(ctx, { name: 'x' });
      await db.asset.update({ where: { id: asset.id }, data: { phase, errorMessage: 'no video track' } });
      const unreadyAsset = await getAsset(ctx, asset.id);
      expect(unreadyAsset.status).toMatchObject({ phase, errorMessage: 'no video track' });
      expect(unreadyAsset).not.toHaveProperty('playbackUrl');
      expect(unreadyAsset).not.toHaveProperty('downloadUrl');
    },
  );

  test('the source of a recording contains its session id', async () => {
    const ctx = await createTeamContext();
    const sessionId = crypto.randomUUID();
    const { id } = await db.asset.create({
      data: {
        teamId: ctx.actor.teamId,
        name: 'live',
        playbackId: 'r'.repeat(16),
        sourceType: 'recording',
        sourceSessionId: sessionId,
      },
    });
    expect((await getAsset(ctx, id)).source).toEqual({ type: 'recording', sessionId });
  });
});

describe('updateAsset', () => {
  test('changes the fields in the body and keeps the others', async () => {
    const ctx = await createTeamContext();
    const { asset } = await requestUpload(ctx, { name: 'before' });
    const creatorId = { type: 'unverified', value: 'guest' } as const;
    const change = { name: 'after', description: 'By the river', creatorId };
    expect(await updateAsset(ctx, { id: asset.id, change })).toEqual({ ...asset, ...change });
    expect(await updateAsset(ctx, { id: asset.id, change: {} })).toEqual({ ...asset, ...change });
    const clearedAsset = await updateAsset(ctx, { id: asset.id, change: { description: '' } });
    expect(clearedAsset.description).toBeUndefined();
    expect(await auditOf(asset.id)).toEqual(['asset.created', 'asset.updated', 'asset.updated']);
  });
});

describe('deleteAsset', () => {
  test('cancels the task that produces the asset, and no other task', async () => {
    const ctx = await createTeamContext();
    const input = await requestUpload(ctx, { name: 'x' });
    await markReady(input.asset.id);
    await db.task.update({ where: { id: input.task.id }, data: { phase: 'completed' } });
    const pendingTranscode = await transcodeAsset(ctx, { assetId: input.asset.id, profile });
    const deletedImport = await importAsset(ctx, { url: 'https://files.example/a.mp4', name: 'x' });
    await deleteAsset(ctx, deletedImport.asset.id);
    await deleteAsset(ctx, input.asset.id);
    const phases = Object.fromEntries((await tasksOf(ctx.actor.teamId)).map(({ id, phase }) => [id, phase]));
    expect(phases).toEqual({
      [input.task.id]: 'completed',
      [pendingTranscode.task.id]: 'pending',
      [deletedImport.task.id]: 'cancelled',
    });
    await expect(getAsset(ctx, input.asset.id)).rejects.toMatchObject({ code: 'not_found' });
    expect(await auditOf(input.asset.id)).toEqual(['asset.created', 'asset.deleted']);
  });

  test('of ten concurrent deletions one succeeds, the others get not_found', async () => {
    const ctx = await createTeamContext();
    const { asset } = await requestUpload(ctx, { name: 'x' });
    const deletions = await Promise.allSettled(Array.from({ length: 10 }, () => deleteAsset(ctx, asset.id)));
    const failures = deletions.filter((result) => result.status === 'rejected');
    expect(failures.map(({ reason }) => reason as unknown)).toMatchObject(
      Array(9).fill({ code: 'not_found' }),
    );
    expect(await auditOf(asset.id)).toEqual(['asset.created', 'asset.deleted']);
  });
});

describe('the assets of another team', () => {
  test('cannot be read, changed or deleted', async () => {
    const [owner, otherTeam] = [await createTeamContext(), await createTeamContext()];
    const { asset } = await requestUpload(owner, { name: 'x' });
    const rowBefore = await db.asset.findUniqueOrThrow({ where: { id: asset.id } });
    const { id } = asset;
    for (const attempt of [
      () => getAsset(otherTeam, id),
      () => updateAsset(otherTeam, { id, change: {} }),
      () => updateAsset(otherTeam, { id, change: { name: 'mine' } }),
      () => deleteAsset(otherTeam, id),
    ]) {
      await expect(attempt()).rejects.toMatchObject({ code: 'not_found', message: 'not found' });
    }
    expect(await db.asset.findUniqueOrThrow({ where: { id } })).toEqual(rowBefore);
    expect(await tasksOf(owner.actor.teamId)).toMatchObject([{ phase: 'pending' }]);
  });
});

describe('findAssetPlayback', () => {
  test('returns the MP4, then HLS, then the poster, once the asset is ready', async () => {
    const ctx = await createTeamContext();
    const { id, playbackId } = (await requestUpload(ctx, { name: 'x' })).asset;
    await expect(findAssetPlayback(ctx, playbackId)).rejects.toThrow('asset is not ready for playback');
    await markReady(id);
    const playback = await findAssetPlayback(ctx, playbackId);
    expect(playback?.name).toBe('x');
    expect(playback?.playback).toEqual({
      type: 'vod',
      meta: {
        source: [
          {
            hrn: 'MP4',
            type: 'html5/video/mp4',
            url: `${cdnUrl}/asset/${playbackId}/video/download.mp4`,
            size: 5_000_000_000,
            width: 1280,
            height: 720,
            bitrate: 2_500_000,
          },
          {
            hrn: 'HLS (TS)',
            type: 'html5/application/vnd.apple.mpegurl',
            url: `${cdnUrl}/asset/${playbackId}/index.m3u8`,
          },
          {
            hrn: 'Thumbnail (JPEG)',
            type: 'image/jpeg',
            url: `${cdnUrl}/asset/${playbackId}/poster.jpg`,
          },
        ],
      },
    });
  });

  test('returns null for an asset of a suspended team, a deleted asset and an unknown playback id', async () => {
    const ctx = await createTeamContext();
    const { id, playbackId } = (await requestUpload(ctx, { name: 'x' })).asset;
    await markReady(id);
    await db.team.update({ where: { id: ctx.actor.teamId }, data: { suspended: true } });
    expect(await findAssetPlayback(ctx, playbackId)).toBeNull();
    await db.team.update({ where: { id: ctx.actor.teamId }, data: { suspended: false } });
    await deleteAsset(ctx, id);
    expect(await findAssetPlayback(ctx, playbackId)).toBeNull();
    expect(await findAssetPlayback(ctx, 'unknown0unknown0')).toBeNull();
  });
});
