import { describe, expect, test } from 'vitest';
import type { TeamContext } from '@/lib/domain/context';
import { newId, newPlaybackId } from '@/lib/infra/ids';
import { testDatabase } from '@/lib/infra/testing/test-database';
import { createLiveFixtures } from '@/lib/domain/testing/live-fixtures';
import { dismissProblem, getOverview } from '@/lib/domain/overview';

const { ctx: system, db, createTeam, createStream } = createLiveFixtures(await testDatabase());

const createTeamContext = async (): Promise<TeamContext> => ({
  ...system,
  actor: { kind: 'session', teamId: await createTeam() },
});
const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000);

/** Creates a live stream with all the rows that an encoder and a viewer leave in the database. */
async function createLiveStream({ actor: { teamId } }: TeamContext, change: object = {}) {
  const { id } = await createStream(teamId, { isActive: true });
  await db.stream.update({ where: { id }, data: { lastSeen: new Date(), isHealthy: true, ...change } });
  const row = await db.stream.findUniqueOrThrow({ where: { id } });
  const sessionData = { teamId, parentId: id, name: row.name, playbackId: row.playbackId };
  const session = await db.session.create({
    data: { ...sessionData, createdAt: ago(10), sourceSegmentsDuration: 90 },
  });
  return { ...row, sessionId: session.id, since: session.createdAt.getTime() };
}

describe('problems', () => {
  test('include each kind with its reason, current ones first', async () => {
    const ctx = await createTeamContext();
    const { teamId } = ctx.actor;
    const ill = await createLiveStream(ctx, {
      isHealthy: false,
      issues: ['Hint: no sound', 'Keyframes every 8 s'],
    });
    const target = await db.multistreamTarget.create({
      data: { teamId, name: 'YouTube', urlSealed: Buffer.from('x') },
    });
    const status = { streamId: ill.id, targetId: target.id, profile: 'source', state: 'error' } as const;
    await db.targetStatus.create({ data: { ...status, since: ago(1), error: 'connection refused' } });
    const session = await db.session.create({
      data: {
        teamId,
        parentId: ill.id,
        name: 'Matinee',
        playbackId: ill.playbackId,
        endedAt: ago(2),
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
      data: { ...failedTask, outputAssetId: asset.id, statusUpdatedAt: ago(3), errorMessage: 'not a video' },
    });
    const hook = { teamId, url: 'https://x.example', events: [], secretSealed: Buffer.from('x') };
    const webhook = await db.webhook.create({
      data: {
        ...hook,
        name: 'Chat bot',
        failingSince: ago(20),
        lastFailure: { timestamp: 1, error: 'the receiver answered 500' },
      },
    });
    const { attention } = await getOverview(ctx);
    expect(attention.map(({ at: _at, reason: _reason, ...item }) => item)).toEqual([
      { kind: 'stream', id: ill.id, name: 'Town hall', message: 'Keyframes every 8 s' },
      { kind: 'target', id: ill.id, targetId: target.id, name: 'YouTube', message: 'connection refused' },
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

  test('exclude deleted objects, idle streams, old failures and webhooks that their owner disabled', async () => {
    const ctx = await createTeamContext();
    const { teamId } = ctx.actor;
    const idle = await createStream(teamId);
    await db.stream.update({ where: { id: idle.id }, data: { isHealthy: false, issues: ['x'] } });
    const failedAsset = { teamId, playbackId: newPlaybackId(), sourceType: 'url', phase: 'failed' } as const;
    const asset = await db.asset.create({ data: { ...failedAsset, name: 'Gone', deletedAt: new Date() } });
    const existingAsset = await db.asset.create({
      data: { ...failedAsset, name: 'Kept', playbackId: newPlaybackId() },
    });
    const failedTask = { teamId, type: 'import', phase: 'failed', params: {} } as const;
    await db.task.create({ data: { ...failedTask, outputAssetId: asset.id } });
    await db.task.create({
      data: { ...failedTask, outputAssetId: existingAsset.id, statusUpdatedAt: ago(5 * 24 * 60) },
    });
    const hook = { teamId, name: 'x', url: 'https://x.example', events: [], secretSealed: Buffer.from('x') };
    await db.webhook.create({ data: { ...hook, disabled: true, failingSince: ago(60) } });
    await db.webhook.create({ data: { ...hook, failingSince: ago(1) } });
    expect((await getOverview(ctx)).attention).toEqual([]);
  });
});

describe('a failed task', () => {
  const problems = async (ctx: TeamContext) => (await getOverview(ctx)).attention;
  const failed = { type: 'import', phase: 'failed', errorMessage: 'the file is empty' } as const;
  const uploaded = { import: { uploadedObjectKey: 'k' } };

  async function failedImport(ctx: TeamContext, change: object = {}) {
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
    const task = { teamId, ...failed, outputAssetId: asset.id, statusUpdatedAt: ago(3), createdAt: ago(4) };
    return db.task.create({ data: { ...task, params: uploaded, ...change } });
  }

  test('offers to convert a file that the service may convert, and no retry that would fail again', async () => {
    const settings = { ...system.settings, acceptMedia: 'convert' } as const;
    const ctx = { ...(await createTeamContext()), settings };
    await failedImport(ctx);
    await failedImport(ctx, { errorMessage: 'the file is not an MP4', statusUpdatedAt: ago(2) });
    const converted = { import: { uploadedObjectKey: 'k', convert: true } };
    const errorMessage = 'the file is not an MP4';
    await failedImport(ctx, { errorMessage, params: converted, statusUpdatedAt: ago(1) });
    expect((await problems(ctx)).map(({ retry }) => retry)).toEqual([undefined, 'convert', undefined]);
    const strict = { ...ctx, settings: { ...settings, acceptMedia: 'mp4' } as const };
    expect((await problems(strict)).map(({ retry }) => retry)).toEqual([undefined, undefined, undefined]);
  });

  test('is no problem after it was started again', async () => {
    const ctx = await createTeamContext();
    const task = await failedImport(ctx);
    expect(await problems(ctx)).toHaveLength(1);
    const { teamId, type, outputAssetId } = task;
    const again = { teamId, type, outputAssetId, params: { import: { convert: true } } };
    const { id } = await db.task.create({ data: again });
    expect(await problems(ctx)).toEqual([]);
    await db.task.update({ where: { id }, data: { phase: 'failed', statusUpdatedAt: new Date() } });
    expect((await problems(ctx)).map((problem) => problem.id)).toEqual([id]);
  });
});

describe('rejected encoders', () => {
  let sequence = 0;
  /** Name of an event, its age in minutes, and its message. */
  type PastEvent = readonly [string, number, string?];
  async function eventsFor(teamId: string, streamId: string, events: readonly PastEvent[]) {
    for (const [name, minutes, message = 'x'] of events)
      await db.event.create({
        data: {
          teamId,
          streamId,
          name,
          sequence: (sequence += 1),
          createdAt: ago(minutes),
          payload: { payload: { message } },
        },
      });
  }

  test('are one problem, with the time of the first rejection, until the stream is live again', async () => {
    const ctx = await createTeamContext();
    const { teamId } = ctx.actor;
    const [rejectedStream, solvedStream] = [await createStream(teamId), await createStream(teamId)];
    const tries = [
      ['stream.rejected', 60, 'no video'],
      ['stream.rejected', 9, 'VP9 is not supported'],
      ['stream.rejected', 8, 'VP9 is not supported'],
      ['stream.rejected', 1, 'H.265 is not supported'],
    ] as const;
    await eventsFor(teamId, rejectedStream.id, tries);
    await eventsFor(teamId, solvedStream.id, [...tries, ['stream.started', 1]]);
    const { attention } = await getOverview(ctx);
    expect(attention).toEqual([
      {
        kind: 'rejection',
        id: rejectedStream.id,
        name: 'Town hall',
        message: 'H.265 is not supported',
        at: expect.closeTo(ago(9).getTime(), -4) as number,
      },
    ]);
    const [item] = attention;
    if (!item) throw new Error('nothing needs attention');
    await dismissProblem(ctx, item);
    expect((await getOverview(ctx)).attention).toEqual([]);
    // A problem that continues stays dismissed. After a pause it counts as a new problem.
    await eventsFor(teamId, rejectedStream.id, [['stream.rejected', 0]]);
    expect((await getOverview(ctx)).attention).toEqual([]);
    await db.event.updateMany({ where: { streamId: rejectedStream.id }, data: { createdAt: ago(20) } });
    await eventsFor(teamId, rejectedStream.id, [['stream.rejected', 0, 'again']]);
    expect((await getOverview(ctx)).attention).toMatchObject([{ message: 'again' }]);
  });
});

describe('a dismissed problem', () => {
  const problem = async (ctx: TeamContext) => (await getOverview(ctx)).attention;

  test('is hidden until it happens again with another message, at a later time or in a later session', async () => {
    const ctx = await createTeamContext();
    const ill = await createLiveStream(ctx, { isHealthy: false, issues: ['Keyframes every 8 s'] });
    const target = await db.multistreamTarget.create({
      data: { teamId: ctx.actor.teamId, name: 'YouTube', urlSealed: Buffer.from('x') },
    });
    const key = { streamId: ill.id, targetId: target.id, profile: 'source' };
    await db.targetStatus.create({ data: { ...key, state: 'error', since: ago(1), error: 'x' } });
    const problems = await problem(ctx);
    expect((await getOverview(ctx)).dismissed).toEqual([]);
    for (const item of problems) await dismissProblem(ctx, item);
    expect(await problem(ctx)).toEqual([]);
    expect((await getOverview(ctx)).dismissed).toEqual(problems);
    expect((await getOverview(await createTeamContext())).dismissed).toEqual([]);
    await db.stream.update({ where: { id: ill.id }, data: { issues: ['Keyframes every 12 s'] } });
    expect(await problem(ctx)).toEqual([]);

    await db.stream.update({ where: { id: ill.id }, data: { issues: ['No video'] } });
    await db.targetStatus.updateMany({ where: key, data: { since: new Date() } });
    expect((await problem(ctx)).map(({ kind }) => kind)).toEqual(['stream', 'target']);
    for (const item of await problem(ctx)) await dismissProblem(ctx, item);
    const next = { teamId: ctx.actor.teamId, parentId: ill.id, name: 'x', playbackId: ill.playbackId };
    await db.session.create({ data: { ...next, createdAt: new Date(Date.now() + 1_000) } });
    expect((await problem(ctx)).map(({ kind }) => kind)).toEqual(['stream']);
  });

  test('does not use up the limit of its kind, and at most 200 are stored', async () => {
    const ctx = await createTeamContext();
    const { teamId } = ctx.actor;
    const session = { teamId, playbackId: newPlaybackId(), state: 'ended', recording: 'failed' } as const;
    const { id: parentId } = await createStream(teamId);
    for (let count = 0; count < 7; count += 1)
      await db.session.create({
        data: { ...session, parentId, name: `Session ${count}`, createdAt: ago(60 - count) },
      });
    const openProblem = await problem(ctx);
    expect(openProblem).toHaveLength(5);
    for (const item of openProblem) await dismissProblem(ctx, item);
    expect((await problem(ctx)).map(({ name }) => name)).toEqual(['Session 1', 'Session 0']);
    const rows = Array.from({ length: 220 }, (_, index) => ({
      teamId,
      kind: 'task',
      objectId: parentId,
      name: `${index}`,
      message: 'x',
      until: ago(5_000 + index),
    }));
    await db.dismissedProblem.createMany({ data: rows });
    for (const item of await problem(ctx)) await dismissProblem(ctx, item);
    expect(await db.dismissedProblem.count({ where: { teamId } })).toBe(200);
    expect(await problem(ctx)).toEqual([]);
  });
});

test('completed setup steps stay completed after their objects were deleted', async () => {
  const [ctx, other] = [await createTeamContext(), await createTeamContext()];
  const { teamId } = ctx.actor;
  const setup = async (context: TeamContext) => (await getOverview(context)).setup;
  const none = {
    streamCreated: false,
    videoReceived: false,
    videoStored: false,
    watched: false,
    memberInvited: false,
  };
  expect(await setup(ctx)).toEqual(none);
  const { id } = await createStream(teamId);
  await db.stream.update({ where: { id }, data: { lastSeen: new Date(), deletedAt: new Date() } });
  expect(await setup(ctx)).toEqual({ ...none, streamCreated: true, videoReceived: true });
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
  expect(await setup(ctx)).toEqual({
    streamCreated: true,
    videoReceived: true,
    videoStored: true,
    watched: true,
    memberInvited: true,
  });
  expect(await setup(other)).toEqual(none);
});
