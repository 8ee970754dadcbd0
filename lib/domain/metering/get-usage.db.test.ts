import { describe, expect, test } from 'vitest';
import type { TeamContext } from '@/lib/domain/context';
import { newId, newPlaybackId } from '@/lib/infra/ids';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { createLiveFixtures } from '@/lib/domain/testing/live-fixtures';
import { getUsage } from '@/lib/domain/metering';

const now = new Date('2026-03-10T12:00:00Z');
const clock = { now: () => now, monotonic: () => 0 };
const {
  ctx: system,
  db,
  createTeam,
  createStream,
} = createLiveFixtures(await createTestDatabase(), { clock });

const createTeamContext = async (): Promise<TeamContext> => ({
  ...system,
  actor: { kind: 'key', teamId: await createTeam() },
});

const createAsset = async ({ actor: { teamId } }: TeamContext, change: object = {}) =>
  (
    await db.asset.create({
      data: { id: newId(), teamId, name: 'x', playbackId: newPlaybackId(), sourceType: 'url', ...change },
    })
  ).id;

const createSession = async ({ actor: { teamId } }: TeamContext, change: object = {}) => {
  const parent = await createStream(teamId);
  const sessionData = { teamId, parentId: parent.id, name: 'x', playbackId: parent.playbackId };
  await db.session.create({ data: { ...sessionData, ...change } });
};

const createTask = ({ actor: { teamId } }: TeamContext, change: object) =>
  db.task.create({ data: { teamId, type: 'import', phase: 'completed', params: {}, ...change } });

const noDelivery = { deliveredBytes: 0, deliveredMinutes: 0 };
const emptyUsage = { ingestedMinutes: 0, transcodedMinutes: 0, importedMinutes: 0, ...noDelivery };

describe('storage', () => {
  test('is counted by kind, each file once, while it exists', async () => {
    const ctx = await createTeamContext();
    await createAsset(ctx, { storedBytes: 6_000_000_000n, size: 5_000_000_000n, phase: 'ready' });
    await createAsset(ctx, { size: 60n, phase: 'processing' });
    await createAsset(ctx, { size: 4n, ipfsBytes: 6n, phase: 'ready' });
    await createAsset(ctx, { storedBytes: 800n, sourceType: 'recording', phase: 'ready' });
    await createAsset(ctx, { storedBytes: 9n, deletedAt: now });
    await createAsset(ctx, { storedBytes: 1n, size: 5n, deletedAt: now, bytesRemovedAt: now });
    const bytes = { record: true, sourceBytes: 100n, transcodedBytes: 20n };
    for (const recording of ['recording', 'ready', 'importing', 'none'])
      await createSession(ctx, { ...bytes, recording });
    await createSession(ctx, { ...bytes, recording: 'failed', recordingRemovedAt: now });
    await createSession(ctx, { ...bytes, record: false });
    await createAsset(await createTeamContext(), { storedBytes: 1_000n });
    // Assets: 6 GB + 60 + (4 + 6). Recordings: the asset with 800, and 100 + 20 of the session in progress; a session that is
    // imported shares the files of its asset.
    expect((await getUsage(ctx, {})).storage).toEqual({
      bytes: 6_000_000_999,
      assets: 6_000_000_070,
      recordings: 920,
      dvr: 0,
      deleted: 9,
    });
  });

  test('of a new team is 0', async () => {
    const { storage, days } = await getUsage(await createTeamContext(), {});
    expect(storage).toEqual({ bytes: 0, assets: 0, recordings: 0, dvr: 0, deleted: 0 });
    expect(days).toHaveLength(30);
    expect(days.at(0)).toEqual({ date: '2026-02-09', ...emptyUsage });
    expect(days.at(-1)).toEqual({ date: '2026-03-10', ...emptyUsage });
  });
});

describe('the usage of a range of days', () => {
  const firstThreeDays = { from: '2026-03-01', to: '2026-03-03' };

  test('divides a session past midnight between its days', async () => {
    const ctx = await createTeamContext();
    await createSession(ctx, {
      createdAt: new Date('2026-03-01T23:30:00Z'),
      lastSeen: new Date('2026-03-02T01:30:00Z'),
      sourceSegmentsDuration: 7_200,
      transcodedSegmentsDuration: 14_400,
    });
    const sameDay = new Date('2026-03-02T10:00:00Z');
    await createSession(ctx, { createdAt: sameDay, lastSeen: sameDay, sourceSegmentsDuration: 30 });
    await createSession(ctx, { createdAt: sameDay, lastSeen: null });
    await createSession(await createTeamContext(), {
      createdAt: sameDay,
      lastSeen: sameDay,
      sourceSegmentsDuration: 600,
    });
    expect((await getUsage(ctx, firstThreeDays)).days).toEqual([
      { ...emptyUsage, date: '2026-03-01', ingestedMinutes: 30, transcodedMinutes: 60 },
      { ...emptyUsage, date: '2026-03-02', ingestedMinutes: 90.5, transcodedMinutes: 180 },
      { ...emptyUsage, date: '2026-03-03' },
    ]);
  });

  test('counts imports and transcodes on the day they are completed, except imports of recordings', async () => {
    const ctx = await createTeamContext();
    const videoSpec = { format: 'mp4', duration: 90, tracks: [] };
    const createdAt = new Date('2026-02-28T23:59:00Z');
    const completedOn = (day: string) => ({ createdAt, statusUpdatedAt: new Date(`${day}T00:00:00Z`) });
    await createTask(ctx, {
      ...completedOn('2026-03-01'),
      outputAssetId: await createAsset(ctx, { videoSpec }),
    });
    const recordingAsset = await createAsset(ctx, { videoSpec, sourceType: 'recording' });
    await createTask(ctx, { ...completedOn('2026-03-01'), outputAssetId: recordingAsset });
    const transcodedAsset = await createAsset(ctx, { videoSpec, sourceType: 'directUpload' });
    await createTask(ctx, {
      ...completedOn('2026-03-03'),
      type: 'transcode',
      outputAssetId: transcodedAsset,
    });
    await createTask(ctx, { ...completedOn('2026-03-03'), phase: 'failed', outputAssetId: transcodedAsset });
    await createTask(ctx, { ...completedOn('2026-02-28'), outputAssetId: transcodedAsset });
    const otherTeam = await createTeamContext();
    await createTask(otherTeam, {
      ...completedOn('2026-03-01'),
      outputAssetId: await createAsset(otherTeam, { videoSpec }),
    });
    expect((await getUsage(ctx, firstThreeDays)).days).toEqual([
      { ...emptyUsage, date: '2026-03-01', importedMinutes: 1.5 },
      { ...emptyUsage, date: '2026-03-02' },
      { ...emptyUsage, date: '2026-03-03', transcodedMinutes: 1.5 },
    ]);
  });

  test('lists streams, largest first, with the part of their sessions inside the range', async () => {
    const ctx = await createTeamContext();
    const { teamId } = ctx.actor;
    const [quietStream, busyStream] = [await createStream(teamId), await createStream(teamId)];
    await createStream(teamId);
    const inMarch = (dayAndTime: string) => new Date(`2026-03-${dayAndTime}Z`);
    const createSessionOf = (parentId: string, startedAt: string, endedAt: string, minutes: number) =>
      db.session.create({
        data: {
          teamId,
          parentId,
          name: 'x',
          playbackId: quietStream.playbackId,
          createdAt: inMarch(startedAt),
          lastSeen: inMarch(endedAt),
          sourceSegmentsDuration: minutes * 60,
          transcodedSegmentsDuration: minutes * 120,
        },
      });
    // Half of the session is before the first day of the range.
    await createSessionOf(quietStream.id, '01T00:00:00', '03T00:00:00', 40);
    await createSessionOf(busyStream.id, '02T01:00:00', '02T02:00:00', 60);
    await createSessionOf(busyStream.id, '02T05:00:00', '02T05:30:00', 30);
    await createSessionOf(busyStream.id, '04T05:00:00', '04T05:30:00', 30);
    await db.stream.update({ where: { id: busyStream.id }, data: { deletedAt: now } });
    const { streams } = await getUsage(ctx, { from: '2026-03-02', to: '2026-03-03' });
    expect(streams).toEqual([
      {
        id: busyStream.id,
        name: busyStream.name,
        deleted: true,
        ingestedMinutes: 90,
        transcodedMinutes: 180,
        ...noDelivery,
      },
      {
        id: quietStream.id,
        name: quietStream.name,
        deleted: false,
        ingestedMinutes: 20,
        transcodedMinutes: 40,
        ...noDelivery,
      },
    ]);
    expect((await getUsage(await createTeamContext(), {})).streams).toEqual([]);
  });

  test.each([
    [{ from: '2026-03-04', to: '2026-03-03' }, 'from: must not be after `to`'],
    [{ from: '2026-03-11' }, 'from: must not be after `to`'],
    [{ from: '2025-03-01', to: '2026-03-02' }, 'from: at most 366 days are allowed per request'],
  ])('is rejected for %j', async (query, message) => {
    await expect(getUsage(await createTeamContext(), query)).rejects.toMatchObject({
      code: 'invalid',
      message,
    });
  });

  test('has up to 366 days, also for the earliest and the latest date', async () => {
    const ctx = await createTeamContext();
    expect((await getUsage(ctx, { from: '2024-01-01', to: '2024-12-31' })).days).toHaveLength(366);
    expect((await getUsage(ctx, { to: '1970-01-01' })).days).toHaveLength(30);
    expect((await getUsage(ctx, { from: '9999-12-31', to: '9999-12-31' })).days).toHaveLength(1);
  });
});
