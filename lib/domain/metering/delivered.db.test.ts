import { describe, expect, test } from 'vitest';
import type { TeamContext } from '@/lib/domain/context';
import { newId, newPlaybackId } from '@/lib/infra/ids';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { createLiveFixtures } from '@/lib/domain/testing/live-fixtures';
import {
  expireDeliveredDays,
  getAssetUsage,
  getUsage,
  recordDelivered,
  type Delivered,
  type DeliveredBatch,
} from '@/lib/domain/metering';

const now = new Date('2026-03-10T12:00:00Z');
const clock = { now: () => now, monotonic: () => 0 };
const {
  ctx: system,
  db,
  createTeam,
  createStream,
} = createLiveFixtures(await createTestDatabase(), { clock });
const day = '2026-03-09';

const createTeamContext = async (): Promise<TeamContext> => ({
  ...system,
  actor: { kind: 'key', teamId: await createTeam() },
});
const deliveryOf = (kind: Delivered['kind'], id: string, change: Partial<Delivered> = {}): Delivered => ({
  kind,
  id,
  bytes: 1_000,
  seconds: 0,
  mediaBytes: 0,
  ...change,
});
const recordBatch = (batch: Omit<DeliveredBatch, 'views'> & Partial<DeliveredBatch>) =>
  recordDelivered(system, { views: [], ...batch });
const createAsset = ({ actor: { teamId } }: TeamContext, change: object = {}) =>
  db.asset.create({
    data: { teamId, name: 'x', playbackId: newPlaybackId(), sourceType: 'url', ...change },
  });
const daysOf = async (ctx: TeamContext, from = '2026-03-08', to = '2026-03-10') =>
  (await getUsage(ctx, { from, to })).days.map(({ date, deliveredBytes, deliveredMinutes }) => [
    date,
    deliveredBytes,
    deliveredMinutes,
  ]);

describe('delivered media', () => {
  test('is reported per asset to its owner', async () => {
    const [ctx, otherTeam] = [await createTeamContext(), await createTeamContext()];
    const [{ id }, { id: secondId }] = [await createAsset(ctx), await createAsset(ctx)];
    const batch = (number: number, on: string, delivered: Delivered[]) =>
      recordBatch({ nodeId: newId(), number, day: on, delivered });
    await batch(1, '2026-03-08', [
      deliveryOf('asset', id, { seconds: 90 }),
      deliveryOf('asset', secondId, { seconds: 30 }),
    ]);
    await batch(1, day, [deliveryOf('asset', id, { seconds: 30 })]);
    await batch(2, day, [deliveryOf('asset', id, { seconds: 60 })]);
    expect(await getAssetUsage(ctx, { id })).toEqual({
      views: 0,
      deliveredBytes: 3_000,
      deliveredMinutes: 3,
      days: [
        { date: '2026-03-08', views: 0, deliveredBytes: 1_000, deliveredMinutes: 1.5 },
        { date: day, views: 0, deliveredBytes: 2_000, deliveredMinutes: 1.5 },
      ],
    });
    expect((await getAssetUsage(ctx, { id, from: day })).deliveredMinutes).toBe(1.5);
    await expect(getAssetUsage(otherTeam, { id })).rejects.toMatchObject({ code: 'not_found' });
    await expect(getAssetUsage(ctx, { id, from: '2026-04-01', to: day })).rejects.toMatchObject({
      code: 'invalid',
    });
  });

  test('counts for the owner of the stream, recording or asset, from every origin', async () => {
    const [ctx, otherTeam] = [await createTeamContext(), await createTeamContext()];
    const stream = await createStream(ctx.actor.teamId);
    const session = await db.session.create({
      data: {
        teamId: ctx.actor.teamId,
        parentId: stream.id,
        name: 'x',
        playbackId: stream.playbackId,
        sourceBytes: 8_000n,
        sourceSegmentsDuration: 240,
      },
    });
    const ownAsset = await createAsset(ctx, { size: 4_000n, videoSpec: { duration: 600 } });
    const foreignAsset = await createAsset(otherTeam);
    const delivered = [
      deliveryOf('stream', stream.playbackId, { bytes: 6_000_000_000, seconds: 60 }),
      deliveryOf('session', session.id, { seconds: 30, mediaBytes: 1_000 }),
      deliveryOf('asset', ownAsset.id, { mediaBytes: 1_000 }),
      deliveryOf('asset', foreignAsset.id, { mediaBytes: 1_000 }),
      deliveryOf('asset', newId()),
      deliveryOf('stream', 'unknownunknown00'),
    ];
    await recordBatch({ nodeId: newId(), number: 1, day, delivered });
    await recordBatch({
      nodeId: newId(),
      number: 1,
      day,
      delivered: [deliveryOf('asset', ownAsset.id, { bytes: 5, mediaBytes: 0 })],
    });
    expect(await daysOf(ctx)).toEqual([
      ['2026-03-08', 0, 0],
      // 60 s live, 30 s and one eighth of 240 s recorded, one quarter of 600 s.
      [day, 6_000_002_005, 4.5],
      ['2026-03-10', 0, 0],
    ]);
    expect(await daysOf(otherTeam)).toContainEqual([day, 1_000, 0]);
    expect((await getUsage(ctx, {})).streams).toEqual([
      {
        id: stream.id,
        name: stream.name,
        deleted: false,
        ingestedMinutes: 0,
        transcodedMinutes: 0,
        deliveredBytes: 6_000_001_000,
        deliveredMinutes: 2,
      },
    ]);
  });

  test('is the sum of all batches, and a repeated batch counts once', async () => {
    const ctx = await createTeamContext();
    const [firstAsset, secondAsset] = [await createAsset(ctx), await createAsset(ctx)];
    const nodeId = newId();
    const firstBatch = {
      nodeId,
      number: 1,
      day,
      delivered: [deliveryOf('asset', firstAsset.id, { seconds: 6 })],
    };
    const secondBatch = {
      ...firstBatch,
      number: 2,
      delivered: [deliveryOf('asset', firstAsset.id), deliveryOf('asset', secondAsset.id)],
    };
    await recordBatch(firstBatch);
    await recordBatch(firstBatch);
    await Promise.all([recordBatch(secondBatch), recordBatch(secondBatch)]);
    // A retry after midnight is part of the same batch and counts for its day.
    await recordBatch(secondBatch);
    expect(await daysOf(ctx, day, day)).toEqual([[day, 3_000, 0.1]]);
    await recordBatch({ ...secondBatch, number: 3, day: '2026-03-10' });
    expect(await daysOf(ctx, day)).toEqual([
      [day, 3_000, 0.1],
      ['2026-03-10', 2_000, 0],
    ]);
  });

  test('with views is added to the totals of assets once', async () => {
    const ctx = await createTeamContext();
    const [firstAsset, secondAsset] = [await createAsset(ctx), await createAsset(ctx)];
    const readTotals = async () =>
      (await db.asset.findMany({ where: { teamId: ctx.actor.teamId }, orderBy: { createdAt: 'asc' } })).map(
        ({ views, deliveredMinutes }) => [views, deliveredMinutes],
      );
    const firstBatch = {
      nodeId: newId(),
      number: 1,
      day,
      delivered: [deliveryOf('asset', firstAsset.id, { seconds: 90 })],
      views: [
        { playbackId: firstAsset.playbackId, count: 2 },
        { playbackId: secondAsset.playbackId, count: 1 },
      ],
    };
    await Promise.all([
      recordBatch(firstBatch),
      recordBatch(firstBatch),
      recordBatch({ ...firstBatch, nodeId: newId() }),
    ]);
    await recordBatch(firstBatch);
    // From two origins, each with 2 views and 1.5 minutes of the first asset and 1 view of the second.
    const expectedTotals = [
      [4, 3],
      [2, 0],
    ];
    expect(await readTotals()).toEqual(expectedTotals);
    // Pictures were delivered, but no media.
    await recordBatch({
      ...firstBatch,
      number: 2,
      delivered: [deliveryOf('asset', firstAsset.id)],
      views: [],
    });
    expect(await readTotals()).toEqual(expectedTotals);
    expect(await getAssetUsage(ctx, { id: firstAsset.id })).toMatchObject({
      views: 4,
      deliveredMinutes: 3,
      days: [{ date: day, views: 4, deliveredBytes: 3_000, deliveredMinutes: 3 }],
    });
  });

  test('excludes the views of deleted and unknown assets, and is counted per owner', async () => {
    const [ctx, otherTeam] = [await createTeamContext(), await createTeamContext()];
    const [ownAsset, foreignAsset, deletedAsset] = [
      await createAsset(ctx),
      await createAsset(otherTeam),
      await createAsset(ctx, { deletedAt: now }),
    ];
    const ids = [ownAsset.playbackId, foreignAsset.playbackId, deletedAsset.playbackId, newPlaybackId()];
    const views = ids.map((playbackId, index) => ({ playbackId, count: index + 1 }));
    await recordBatch({ nodeId: newId(), number: 1, day, delivered: [], views });
    const rows = await db.deliveredDay.findMany({
      where: { teamId: { in: [ctx.actor.teamId, otherTeam.actor.teamId] } },
      orderBy: { views: 'asc' },
    });
    expect(rows.map((row) => [row.teamId, row.objectId, row.views])).toEqual([
      [ctx.actor.teamId, ownAsset.id, 1],
      [otherTeam.actor.teamId, foreignAsset.id, 2],
    ]);
    expect(await db.asset.findUnique({ where: { id: deletedAsset.id } })).toMatchObject({ views: 0 });
    expect((await getAssetUsage(ctx, { id: ownAsset.id })).views).toBe(1);
    await expect(getAssetUsage(ctx, { id: foreignAsset.id })).rejects.toMatchObject({ code: 'not_found' });
  });

  test('of a stream and its sessions is summed per day', async () => {
    const ctx = await createTeamContext();
    const stream = await createStream(ctx.actor.teamId);
    const sessionData = {
      teamId: ctx.actor.teamId,
      parentId: stream.id,
      name: 'x',
      playbackId: stream.playbackId,
    };
    const [firstSession, secondSession] = [
      await db.session.create({ data: sessionData }),
      await db.session.create({ data: sessionData }),
    ];
    const delivered = [
      deliveryOf('stream', stream.playbackId),
      deliveryOf('session', firstSession.id),
      deliveryOf('session', secondSession.id),
    ];
    await recordBatch({ nodeId: newId(), number: 1, day, delivered });
    expect(await daysOf(ctx, day, day)).toEqual([[day, 3_000, 0]]);
  });

  test('is deleted after 400 days, and with its team', async () => {
    const ctx = await createTeamContext();
    const { id } = await createAsset(ctx);
    const dayBefore = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
    for (const [index, days] of [402, 399].entries()) {
      const batch = { nodeId: newId(), number: index + 1, day: dayBefore(days) };
      await recordBatch({ ...batch, delivered: [deliveryOf('asset', id)] });
    }
    expect(await expireDeliveredDays(system)).toBe(1);
    expect(await db.deliveredDay.count({ where: { objectId: id } })).toBe(1);
    await db.team.delete({ where: { id: ctx.actor.teamId } });
    expect(await db.deliveredDay.count({ where: { objectId: id } })).toBe(0);
  });

  test('may be an empty batch', async () => {
    await expect(recordBatch({ nodeId: newId(), number: 1, day, delivered: [] })).resolves.toBeUndefined();
  });
});
