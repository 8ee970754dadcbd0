import { describe, expect, test } from 'vitest';
import type { TeamContext } from '@/lib/domain/context';
import { newId, newPlaybackId } from '@/lib/infra/ids';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { createLiveFixtures } from '@/lib/domain/testing/live-fixtures';
import { dismissProblem, getOverview } from '@/lib/domain/overview';

const { ctx: system, db, createTeam, createStream } = createLiveFixtures(await createTestDatabase());

const createTeamContext = async (): Promise<TeamContext> => ({
  ...system,
  actor: { kind: 'session', teamId: await createTeam() },
});
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);

/** Creates a live stream with a session. `columns` are those of the stream that differ from a healthy one. */
async function createLiveStream({ actor: { teamId } }: TeamContext, columns: object = {}) {
  const { id } = await createStream(teamId, { isActive: true });
  await db.stream.update({ where: { id }, data: { lastSeen: new Date(), isHealthy: true, ...columns } });
  const row = await db.stream.findUniqueOrThrow({ where: { id } });
  const sessionData = { teamId, parentId: id, name: row.name, playbackId: row.playbackId };
  const session = await db.session.create({
    data: { ...sessionData, createdAt: minutesAgo(10), sourceSegmentsDuration: 90 },
  });
  return { ...row, sessionId: session.id, since: session.createdAt.getTime() };
}

const readProblems = async (ctx: TeamContext) => (await getOverview(ctx)).attention;

describe('problems', () => {
  test('of streams, targets, recordings, tasks and webhooks have a message; those without a time are first', async () => {
    const ctx = await createTeamContext();
    const { teamId } = ctx.actor;
    const unhealthyStream = await createLiveStream(ctx, {
      isHealthy: false,
      issues: ['Hint: no sound', 'Keyframes every 8 s'],
    });
    const target = await db.multistreamTarget.create({
      data: { teamId, name: 'YouTube', urlSealed: Buffer.from('x') },
    });
    const status = {
      streamId: unhealthyStream.id,
      targetId: target.id,
      profile: 'source',
      state: 'error',
    } as const;
    await db.targetStatus.create({ data: { ...status, since: minutesAgo(1), error: 'connection refused' } });
    const session = await db.session.create({
      data: {
        teamId,
        parentId: unhealthyStream.id,
        name: 'Matinee',
        playbackId: unhealthyStream.playbackId,
        endedAt: minutesAgo(2),
        state: 'ended',
        recording: 'failed',
        recordingError: 'the disk was full',
      },
    });
    const asset = await db.asset.create({
      data: { teamId, name: 'Holiday', playbackId: newPlaybackId(), sourceType: 'url', phase: 'failed' },
    });
    const failedTask = { teamId, type: 'import', phase: 'failed', params: {} } as const;
    const task = await db.task.create({
      data: {
        ...failedTask,
        outputAssetId: asset.id,
        statusUpdatedAt: minutesAgo(3),
        errorMessage: 'not a video',
      },
    });
    const webhookData = { teamId, url: 'https://x.example', events: [], secretSealed: Buffer.from('x') };
    const webhook = await db.webhook.create({
      data: {
        ...webhookData,
        name: 'Chat bot',
        failingSince: minutesAgo(20),
        lastFailure: { timestamp: 1, error: 'the receiver answered 500' },
      },
    });
    const { attention } = await getOverview(ctx);
    expect(attention.map(({ at: _at, reason: _reason, ...item }) => item)).toEqual([
      { kind: 'stream', id: unhealthyStream.id, name: 'Town hall', message: 'Keyframes every 8 s' },
      {
        kind: 'target',
        id: unhealthyStream.id,
        targetId: target.id,
        name: 'YouTube',
        message: 'connection refused',
      },
      { kind: 'recording', id: session.id, name: 'Matinee', message: 'the disk was full' },
      {
        kind: 'task',
        id: task.id,
        assetId: asset.id,
        name: 'Holiday',
        message: 'not a video',
        retry: 'again',
      },
      {
        kind: 'webhook',
        id: webhook.id,
        name: 'Chat bot',
        message: 'Deliveries are failing: the receiver answered 500',
      },
    ]);
    expect(attention[0]?.at).toBeNull();
    expect((await getOverview(await createTeamContext())).attention).toEqual([]);
  });

  test('exclude deleted assets, idle streams, old failures, and webhooks that are disabled or just began to fail', async () => {
    const ctx = await createTeamContext();
    const { teamId } = ctx.actor;
    const idleStream = await createStream(teamId);
    await db.stream.update({ where: { id: idleStream.id }, data: { isHealthy: false, issues: ['x'] } });
    const failedAsset = { teamId, playbackId: newPlaybackId(), sourceType: 'url', phase: 'failed' } as const;
    const asset = await db.asset.create({ data: { ...failedAsset, name: 'Gone', deletedAt: new Date() } });
    const existingAsset = await db.asset.create({
      data: { ...failedAsset, name: 'Kept', playbackId: newPlaybackId() },
    });
    const failedTask = { teamId, type: 'import', phase: 'failed', params: {} } as const;
    await db.task.create({ data: { ...failedTask, outputAssetId: asset.id } });
    await db.task.create({
      data: { ...failedTask, outputAssetId: existingAsset.id, statusUpdatedAt: minutesAgo(5 * 24 * 60) },
    });
    const webhookData = {
      teamId,
      name: 'x',
      url: 'https://x.example',
      events: [],
      secretSealed: Buffer.from('x'),
    };
    await db.webhook.create({ data: { ...webhookData, disabled: true, failingSince: minutesAgo(60) } });
    await db.webhook.create({ data: { ...webhookData, failingSince: minutesAgo(1) } });
    expect((await getOverview(ctx)).attention).toEqual([]);
  });
});

describe('a failed task', () => {
  const failedColumns = { type: 'import', phase: 'failed', errorMessage: 'the file is empty' } as const;
  const uploadParams = { import: { uploadedObjectKey: 'k' } };

  async function createFailedImport(ctx: TeamContext, columns: object = {}) {
    const { teamId } = ctx.actor;
    const asset = await db.asset.create({
      data: {
        teamId,
        name: 'Holiday',
        playbackId: newPlaybackId(),
        sourceType: 'directUpload',
        phase: 'failed',
      },
    });
    const task = {
      teamId,
      ...failedColumns,
      outputAssetId: asset.id,
      statusUpdatedAt: minutesAgo(3),
      createdAt: minutesAgo(4),
    };
    return db.task.create({ data: { ...task, params: uploadParams, ...columns } });
  }

  test('offers to convert a file that the service may convert, and no retry that would fail again', async () => {
    const settings = { ...system.settings, acceptMedia: 'convert' } as const;
    const ctx = { ...(await createTeamContext()), settings };
    await createFailedImport(ctx);
    await createFailedImport(ctx, { errorMessage: 'the file is not an MP4', statusUpdatedAt: minutesAgo(2) });
    const conversionParams = { import: { uploadedObjectKey: 'k', convert: true } };
    const errorMessage = 'the file is not an MP4';
    await createFailedImport(ctx, { errorMessage, params: conversionParams, statusUpdatedAt: minutesAgo(1) });
    expect((await readProblems(ctx)).map(({ retry }) => retry)).toEqual([undefined, 'convert', undefined]);
    const withoutConversion = { ...ctx, settings: { ...settings, acceptMedia: 'mp4' } as const };
    const retries = (await readProblems(withoutConversion)).map(({ retry }) => retry);
    expect(retries).toEqual([undefined, undefined, undefined]);
  });

  test('is no problem once it was retried, unless the retry fails', async () => {
    const ctx = await createTeamContext();
    const task = await createFailedImport(ctx);
    expect(await readProblems(ctx)).toHaveLength(1);
    const { teamId, type, outputAssetId } = task;
    const retryData = { teamId, type, outputAssetId, params: { import: { convert: true } } };
    const { id } = await db.task.create({ data: retryData });
    expect(await readProblems(ctx)).toEqual([]);
    await db.task.update({ where: { id }, data: { phase: 'failed', statusUpdatedAt: new Date() } });
    expect((await readProblems(ctx)).map((problem) => problem.id)).toEqual([id]);
  });
});

describe('rejected encoders', () => {
  let sequence = 0;
  /** Name of an event, its age in minutes, and its message. */
  type PastEvent = readonly [string, number, string?];
  async function createEvents(teamId: string, streamId: string, events: readonly PastEvent[]) {
    for (const [name, minutes, message = 'x'] of events)
      await db.event.create({
        data: {
          teamId,
          streamId,
          name,
          sequence: (sequence += 1),
          createdAt: minutesAgo(minutes),
          payload: { payload: { message } },
        },
      });
  }

  test('are one problem, with the time of the first rejection after a pause, until the stream is live again', async () => {
    const ctx = await createTeamContext();
    const { teamId } = ctx.actor;
    const [rejectedStream, solvedStream] = [await createStream(teamId), await createStream(teamId)];
    const rejections = [
      ['stream.rejected', 60, 'no video'],
      ['stream.rejected', 9, 'VP9 is not supported'],
      ['stream.rejected', 8, 'VP9 is not supported'],
      ['stream.rejected', 1, 'H.265 is not supported'],
    ] as const;
    await createEvents(teamId, rejectedStream.id, rejections);
    await createEvents(teamId, solvedStream.id, [...rejections, ['stream.started', 1]]);
    const { attention } = await getOverview(ctx);
    expect(attention).toEqual([
      {
        kind: 'rejection',
        id: rejectedStream.id,
        name: 'Town hall',
        message: 'H.265 is not supported',
        // Equal to within 5 s.
        at: expect.closeTo(minutesAgo(9).getTime(), -4) as number,
      },
    ]);
    const [item] = attention;
    if (!item) throw new Error('nothing needs attention');
    await dismissProblem(ctx, item);
    expect((await getOverview(ctx)).attention).toEqual([]);
    // A problem that continues stays dismissed. After a pause it counts as a new problem.
    await createEvents(teamId, rejectedStream.id, [['stream.rejected', 0]]);
    expect((await getOverview(ctx)).attention).toEqual([]);
    await db.event.updateMany({
      where: { streamId: rejectedStream.id },
      data: { createdAt: minutesAgo(20) },
    });
    await createEvents(teamId, rejectedStream.id, [['stream.rejected', 0, 'again']]);
    expect((await getOverview(ctx)).attention).toMatchObject([{ message: 'again' }]);
  });
});

describe('a dismissed problem', () => {
  test('is hidden until it happens again with another message, at a later time or in a later session', async () => {
    const ctx = await createTeamContext();
    const unhealthyStream = await createLiveStream(ctx, {
      isHealthy: false,
      issues: ['Keyframes every 8 s'],
    });
    const target = await db.multistreamTarget.create({
      data: { teamId: ctx.actor.teamId, name: 'YouTube', urlSealed: Buffer.from('x') },
    });
    const key = { streamId: unhealthyStream.id, targetId: target.id, profile: 'source' };
    await db.targetStatus.create({ data: { ...key, state: 'error', since: minutesAgo(1), error: 'x' } });
    const problems = await readProblems(ctx);
    expect((await getOverview(ctx)).dismissed).toEqual([]);
    for (const item of problems) await dismissProblem(ctx, item);
    expect(await readProblems(ctx)).toEqual([]);
    expect((await getOverview(ctx)).dismissed).toEqual(problems);
    expect((await getOverview(await createTeamContext())).dismissed).toEqual([]);
    await db.stream.update({ where: { id: unhealthyStream.id }, data: { issues: ['Keyframes every 12 s'] } });
    expect(await readProblems(ctx)).toEqual([]);

    await db.stream.update({ where: { id: unhealthyStream.id }, data: { issues: ['No video'] } });
    await db.targetStatus.updateMany({ where: key, data: { since: new Date() } });
    expect((await readProblems(ctx)).map(({ kind }) => kind)).toEqual(['stream', 'target']);
    for (const item of await readProblems(ctx)) await dismissProblem(ctx, item);
    const nextSession = {
      teamId: ctx.actor.teamId,
      parentId: unhealthyStream.id,
      name: 'x',
      playbackId: unhealthyStream.playbackId,
    };
    await db.session.create({ data: { ...nextSession, createdAt: new Date(Date.now() + 1_000) } });
    expect((await readProblems(ctx)).map(({ kind }) => kind)).toEqual(['stream']);
  });

  test('does not use up the limit of its kind, and at most 200 are stored', async () => {
    const ctx = await createTeamContext();
    const { teamId } = ctx.actor;
    const session = { teamId, playbackId: newPlaybackId(), state: 'ended', recording: 'failed' } as const;
    const { id: parentId } = await createStream(teamId);
    for (let count = 0; count < 7; count += 1)
      await db.session.create({
        data: { ...session, parentId, name: `Session ${count}`, createdAt: minutesAgo(60 - count) },
      });
    const openProblems = await readProblems(ctx);
    // At most five problems of a kind are listed.
    expect(openProblems).toHaveLength(5);
    for (const item of openProblems) await dismissProblem(ctx, item);
    expect((await readProblems(ctx)).map(({ name }) => name)).toEqual(['Session 1', 'Session 0']);
    const rows = Array.from({ length: 220 }, (_, index) => ({
      teamId,
      kind: 'task',
      objectId: parentId,
      name: `${index}`,
      message: 'x',
      until: minutesAgo(5_000 + index),
    }));
    await db.dismissedProblem.createMany({ data: rows });
    for (const item of await readProblems(ctx)) await dismissProblem(ctx, item);
    expect(await db.dismissedProblem.count({ where: { teamId } })).toBe(200);
    expect(await readProblems(ctx)).toEqual([]);
  });
});

test('completed setup steps stay completed after their objects were deleted', async () => {
  const [ctx, otherTeam] = [await createTeamContext(), await createTeamContext()];
  const { teamId } = ctx.actor;
  const readSetup = async (context: TeamContext) => (await getOverview(context)).setup;
  const noSteps = {
    streamCreated: false,
    videoReceived: false,
    videoStored: false,
    watched: false,
    memberInvited: false,
  };
  expect(await readSetup(ctx)).toEqual(noSteps);
  const { id } = await createStream(teamId);
  await db.stream.update({ where: { id }, data: { lastSeen: new Date(), deletedAt: new Date() } });
  expect(await readSetup(ctx)).toEqual({ ...noSteps, streamCreated: true, videoReceived: true });
  await db.asset.create({
    data: {
      teamId,
      name: 'Gone',
      playbackId: newPlaybackId(),
      sourceType: 'url',
      phase: 'ready',
      deletedAt: new Date(),
    },
  });
  await db.invitation.create({
    data: { id: newId(), teamId, role: 'viewer', createdAt: new Date(), expiresAt: new Date() },
  });
  await db.stream.update({ where: { id }, data: { views: 1 } });
  expect(await readSetup(ctx)).toEqual({
    streamCreated: true,
    videoReceived: true,
    videoStored: true,
    watched: true,
    memberInvited: true,
  });
  expect(await readSetup(otherTeam)).toEqual(noSteps);
});
