import { describe, expect, test } from 'vitest';
import type { TeamContext } from '@/lib/domain/context';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { createLiveFixtures } from '@/lib/domain/testing/live-fixtures';
import { getOverview } from '@/lib/domain/overview';

const {
  ctx: system,
  db,
  createTeam,
  createStream,
  createNode,
} = createLiveFixtures(await createTestDatabase());

const createTeamContext = async (): Promise<TeamContext> => ({
  ...system,
  actor: { kind: 'session', teamId: await createTeam() },
});
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);

/** Creates a live stream with a session. */
async function createLiveStream({ actor: { teamId } }: TeamContext) {
  const { id } = await createStream(teamId, { isActive: true });
  await db.stream.update({ where: { id }, data: { lastSeen: new Date(), isHealthy: true } });
  const row = await db.stream.findUniqueOrThrow({ where: { id } });
  const sessionData = { teamId, parentId: id, name: row.name, playbackId: row.playbackId };
  const session = await db.session.create({
    data: { ...sessionData, createdAt: minutesAgo(10), sourceSegmentsDuration: 90 },
  });
  return { ...row, sessionId: session.id, since: session.createdAt.getTime() };
}

/** Creates an origin whose last heartbeat is in the future, so that it stays alive during the test. */
const createOrigin = () => createNode({ role: 'origin', silentMs: -3_600_000 });

const sample = { minute: true, videoBitrate: 0, audioBitrate: 0, reorder: 0, jumps: 0, speed: 1 };

describe('live streams', () => {
  test('have viewers, start and bitrate; an old bitrate is not shown', async () => {
    const ctx = await createTeamContext();
    const [measuredStream, silentStream] = [await createLiveStream(ctx), await createLiveStream(ctx)];
    await createStream(ctx.actor.teamId);
    const otherTeamStream = await createLiveStream(await createTeamContext());
    for (const [stream, at] of [
      [measuredStream, new Date()],
      [silentStream, minutesAgo(1)],
    ] as const)
      await db.streamHealth.create({
        data: { ...sample, streamId: stream.id, sessionId: stream.sessionId, at, bitrate: 3_000_000 },
      });
    const nodeId = await createOrigin();
    for (const { id: streamId } of [measuredStream, otherTeamStream])
      await db.streamViewers.create({
        data: {
          streamId,
          minute: minutesAgo(0),
          nodeId,
          seenAt: new Date(),
          viewers: 7,
          viewerSeconds: 60,
          views: 9,
        },
      });
    const { live, today } = await getOverview(ctx);
    const sharedFields = { name: 'Town hall', isHealthy: true, issues: null, onAirSeconds: 90 };
    expect(live).toEqual({
      count: 2,
      streams: [measuredStream, silentStream].map(({ id, playbackId, since }) => ({
        ...sharedFields,
        id,
        playbackId,
        since,
        ...(id === measuredStream.id ? { viewers: 7, bitrate: 3_000_000 } : { viewers: 0, bitrate: null }),
      })),
      viewers: 7,
      bitrate: 3_000_000,
    });
    expect(today.views).toBe(9);
  });

  test('have their connected and enabled targets, each and in sum, and none of other teams', async () => {
    const [ctx, otherTeam] = [await createTeamContext(), await createTeamContext()];
    const states = [['connected', 'error'], ['connected'], []] as const;
    const ids: string[] = [];
    for (const [context, targetStates] of [
      ...states.map((statesOfStream) => [ctx, statesOfStream] as const),
      [otherTeam, states[0]] as const,
    ]) {
      const { teamId } = context.actor;
      const { id: streamId } = await createLiveStream(context);
      if (context === ctx) ids.push(streamId);
      for (const [position, state] of [...targetStates, 'disabled' as const].entries()) {
        const { id: targetId } = await db.multistreamTarget.create({
          data: { teamId, name: state, urlSealed: Buffer.from('x'), disabled: state === 'disabled' },
        });
        const key = { streamId, targetId, profile: 'source' };
        await db.streamTarget.create({ data: { ...key, position } });
        if (state !== 'disabled')
          await db.targetStatus.create({ data: { ...key, state, since: minutesAgo(1) } });
      }
    }
    const { live } = await getOverview(ctx);
    const targetsById = new Map(live.streams.map(({ id, targets }) => [id, targets]));
    expect(ids.map((id) => targetsById.get(id))).toEqual([
      { connected: 1, count: 2 },
      { connected: 1, count: 1 },
      undefined,
    ]);
    expect(live.targets).toEqual({ connected: 2, count: 3 });
    expect([live.viewers, live.bitrate]).toEqual([0, null]);
  });

  test('are sorted by their viewers, and have the time of the last one when none is live', async () => {
    const ctx = await createTeamContext();
    expect((await getOverview(ctx)).live).toEqual({ count: 0, streams: [], lastLiveAt: null });
    const [unwatchedStream, watchedStream] = [await createLiveStream(ctx), await createLiveStream(ctx)];
    const nodeId = await createOrigin();
    const row = { minute: minutesAgo(0), nodeId, seenAt: new Date(), viewerSeconds: 60, views: 9 };
    await db.streamViewers.create({ data: { ...row, streamId: watchedStream.id, viewers: 2 } });
    const { live } = await getOverview(ctx);
    expect(live.streams.map(({ id }) => id)).toEqual([watchedStream.id, unwatchedStream.id]);
    expect(live.lastLiveAt).toBeUndefined();
    await db.stream.updateMany({
      where: { teamId: ctx.actor.teamId },
      data: { isActive: false, lastSeen: minutesAgo(60) },
    });
    await db.stream.update({ where: { id: watchedStream.id }, data: { lastSeen: minutesAgo(30) } });
    await createLiveStream(await createTeamContext());
    const { lastLiveAt } = (await getOverview(ctx)).live;
    expect(Math.round((Date.now() - (lastLiveAt ?? 0)) / 60_000)).toBe(30);
  });

  test('have a playback policy without the context that is sent to its webhook', async () => {
    const ctx = await createTeamContext();
    const { id } = await createStream(ctx.actor.teamId, { isActive: true });
    const playbackPolicy = { type: 'webhook', webhookId: id, webhookContext: { plan: 'gold' } };
    await db.stream.update({ where: { id }, data: { playbackPolicy } });
    const { live } = await getOverview(ctx);
    expect(live.streams[0]?.playbackPolicy).toEqual({ type: 'webhook', webhookId: id });
  });

  test('are listed up to 12, and all are counted', async () => {
    const ctx = await createTeamContext();
    for (let count = 0; count < 13; count += 1) await createStream(ctx.actor.teamId, { isActive: true });
    const { live } = await getOverview(ctx);
    expect([live.count, live.streams.length]).toEqual([13, 12]);
  });
});
