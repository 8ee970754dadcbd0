import { describe, expect, test } from 'vitest';
import type { TeamContext } from '@/lib/domain/context';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { type TargetStatusReport, createTarget, openTargets, updateTarget } from '@/lib/domain/multistream';
import { createLiveFixtures } from '@/lib/domain/testing/live-fixtures';
import { authorizePublish } from '@/lib/domain/streams/publishing/authorize-publish';
import { createStream } from '@/lib/domain/streams/create-stream';
import { getMultistream } from './get-multistream';
import { markIdle } from '@/lib/domain/streams/publishing/end-publish';
import { markActive } from '@/lib/domain/streams/publishing/mark-active';
import { releaseStreamsOfDeadNodes } from '@/lib/domain/streams/publishing/release-node';
import { reportTarget } from './report-target';
import { updateStream } from '@/lib/domain/streams/update-stream';

let nowMs = Date.now();
const clock = { now: () => new Date(nowMs), monotonic: () => nowMs };
const { ctx, db, createTeam, createNode, readStream, eventsOf } = createLiveFixtures(
  await createTestDatabase(),
  {
    clock,
  },
);
const owner: TeamContext = { ...ctx, actor: { kind: 'cli', teamId: await createTeam() } };
const secret = 'wxyz-secret-key';
const url = `rtmp://live.example.com/app/${secret}`;

/**
 * Creates a stream with a publish and targets.
 * @param count number of targets
 * @returns functions that act on the first target: `report` reports its status, `readStatus` reads it, `readEventNames` reads the
 * events of the stream, and `markStreamActive` makes the stream active if it is not
 */
async function createLiveStream(count = 1, { isActive = true } = {}) {
  const targets = await Promise.all(
    Array.from({ length: count }, (_, index) => createTarget(owner, { url, name: `target ${index}` })),
  );
  const references = targets.map(({ id }) => ({ id, profile: 'source' }));
  const { id: streamId } = await createStream(owner, { name: 'x', multistream: { targets: references } });
  const nodeId = await createNode();
  const publish = await authorizePublish(ctx, { streamId, nodeId });
  const guard = { streamId, nodeId, publishNumber: publish?.publishNumber ?? 0 };
  const markStreamActive = () => markActive(ctx, { ...guard, issues: [] });
  if (isActive) await markStreamActive();
  const targetIds = targets.map(({ id }) => id);
  const key = { streamId, nodeId, targetId: targetIds[0] ?? '', profile: 'source' };
  const report = (status: TargetStatusReport) => reportTarget(ctx, { ...key, ...status });
  const readEventNames = async () => (await eventsOf(streamId)).map(({ name }) => name);
  const readStatus = async () => (await getMultistream(owner, streamId))[0];
  return { streamId, nodeId, guard, targetIds, key, markStreamActive, report, readEventNames, readStatus };
}

const connectedReport: TargetStatusReport = { state: 'connected', bitrate: 1_000_000.4 };
const failedReport: TargetStatusReport = { state: 'error', error: 'the connection was closed' };

describe('reportTarget', () => {
  test('writes the status, and events that are numbered with the other events of the stream', async () => {
    const { streamId, targetIds, report, readStatus } = await createLiveStream();
    await report({ state: 'connecting' });
    const nothingYet = { uptime: 0, bitrate: 0, reached: null, lastError: null };
    expect(await readStatus()).toMatchObject({ state: 'connecting', ...nothingYet });
    await report(connectedReport);
    nowMs += 61_500;
    await report({ ...connectedReport, bitrate: 2_000_000 });
    expect(await readStatus()).toMatchObject({
      state: 'connected',
      uptime: 61,
      bitrate: 2_000_000,
      reached: true,
    });
    await report(failedReport);
    expect(await readStatus()).toMatchObject({
      state: 'error',
      bitrate: 0,
      reached: false,
      lastError: { message: failedReport.error, at: nowMs },
    });
    const events = await eventsOf(streamId);
    expect(events.map(({ name, sequence }) => [name, sequence])).toEqual([
      ['stream.started', 1],
      ['multistream.connected', 2],
      ['multistream.error', 3],
    ]);
    const target = { id: targetIds[0], name: 'target 0', profile: 'source' };
    expect(events[1]?.payload).toMatchObject({ stream: { id: streamId }, payload: { target } });
    expect(events[2]?.payload).toMatchObject({ payload: { target, error: failedReport.error } });
    expect(JSON.stringify(events.map(({ payload }) => payload))).not.toContain(secret);
  });

  test('a problem starts with the first failed attempt, not with the last', async () => {
    const { key, report } = await createLiveStream();
    const readSince = async () => {
      const { streamId, targetId, profile } = key;
      const where = { streamId_targetId_profile: { streamId, targetId, profile } };
      return (await db.targetStatus.findUniqueOrThrow({ where })).since.getTime();
    };
    await report(connectedReport);
    nowMs += 5_000;
    await report(failedReport);
    const failedAtMs = nowMs;
    for (let attempt = 0; attempt < 3; attempt += 1) {
      nowMs += 10_000;
      await report({ state: 'connecting' });
      nowMs += 5_000;
      await report(failedReport);
    }
    expect(await readSince()).toBe(failedAtMs);
    nowMs += 1_000;
    await report(connectedReport);
    expect(await readSince()).toBe(nowMs);
  });

  test('writes one event per transition, even for concurrent reports', async () => {
    const { report, readEventNames } = await createLiveStream();
    await Promise.all(Array.from({ length: 8 }, () => report(connectedReport)));
    await Promise.all(Array.from({ length: 8 }, () => report(failedReport)));
    expect(await readEventNames()).toEqual(['stream.started', 'multistream.connected', 'multistream.error']);
  });

  test('a flapping target emits at most one error per 30 s, and its final status', async () => {
    const { report, readEventNames } = await createLiveStream();
    for (let second = 0; second < 10; second++) {
      await report(connectedReport);
      await report(failedReport);
      nowMs += 1_000;
    }
    const eventsSoFar = [
      'stream.started',
      'multistream.connected',
      'multistream.error',
      'multistream.connected',
    ];
    expect(await readEventNames()).toEqual(eventsSoFar);
    nowMs += 20_000;
    await report({ state: 'connecting' });
    await report(failedReport);
    expect(await readEventNames()).toEqual([...eventsSoFar, 'multistream.error']);
  });

  test('stores the status before stream.started, and emits the event after it', async () => {
    const { targetIds, key, markStreamActive, report, readEventNames, readStatus } = await createLiveStream(
      3,
      {
        isActive: false,
      },
    );
    await report(connectedReport);
    await report(connectedReport);
    await reportTarget(ctx, { ...key, targetId: targetIds[1] ?? '', ...failedReport });
    await reportTarget(ctx, { ...key, targetId: targetIds[2] ?? '', state: 'connecting' });
    expect(await readStatus()).toMatchObject({ state: 'connected', bitrate: 1_000_000 });
    expect(await readEventNames()).toEqual([]);
    await markStreamActive();
    const emittedEvents = await readEventNames();
    expect(emittedEvents[0]).toBe('stream.started');
    expect(emittedEvents.slice(1).sort()).toEqual(['multistream.connected', 'multistream.error']);
    await report(connectedReport);
    expect(await readEventNames()).toEqual(emittedEvents);
  });

  test('emits no event for a publish that was never active', async () => {
    const { guard, report, readEventNames, readStatus } = await createLiveStream(1, { isActive: false });
    await report(connectedReport);
    await markIdle(ctx, guard);
    expect(await readEventNames()).toEqual([]);
    expect(await readStatus()).toMatchObject({ state: 'disconnected' });
  });

  test('a target that never connected emits an error and no disconnect, once per session', async () => {
    const { guard, key, report, readEventNames } = await createLiveStream();
    await report(failedReport);
    await report({ state: 'connecting' });
    await markIdle(ctx, guard);
    expect(await readEventNames()).toEqual(['stream.started', 'multistream.error', 'stream.idle']);
    expect((await getMultistream(owner, key.streamId))[0]).toMatchObject({ reached: false });
    nowMs += 31_000;
    const nextPublish = await authorizePublish(ctx, { streamId: key.streamId, nodeId: key.nodeId });
    await markActive(ctx, { ...guard, publishNumber: nextPublish?.publishNumber ?? 0, issues: [] });
    await report(failedReport);
    expect((await readEventNames()).slice(3)).toEqual(['stream.started', 'multistream.error']);
  });

  test('ignores a node that does not hold the stream', async () => {
    const { key, readEventNames, readStatus } = await createLiveStream();
    expect(await reportTarget(ctx, { ...key, nodeId: await createNode(), ...connectedReport })).toBe(false);
    expect(await readEventNames()).toEqual(['stream.started']);
    expect(await readStatus()).toMatchObject({ state: 'disconnected', since: 0 });
  });

  test('the status of a removed reference is deleted after its last event', async () => {
    const { streamId, report, readEventNames } = await createLiveStream();
    await report(connectedReport);
    await updateStream(owner, { id: streamId, change: { multistream: { targets: [] } } });
    expect(await db.targetStatus.count({ where: { streamId } })).toBe(1);
    await report({ state: 'disconnected' });
    expect(await db.targetStatus.count({ where: { streamId } })).toBe(0);
    expect(await readEventNames()).toEqual([
      'stream.started',
      'multistream.connected',
      'multistream.disconnected',
    ]);
  });
});

describe('the end of a publish', () => {
  test('disconnects every target, whatever was reported', async () => {
    const { streamId, guard, key, targetIds, report, readEventNames } = await createLiveStream(3);
    await report(connectedReport);
    await reportTarget(ctx, { ...key, targetId: targetIds[1] ?? '', ...failedReport });
    await reportTarget(ctx, { ...key, targetId: targetIds[2] ?? '', state: 'waiting' });
    await markIdle(ctx, guard);
    await markIdle(ctx, guard);
    // The failed target was never connected, so it emits no disconnect.
    expect((await readEventNames()).slice(3)).toEqual(['stream.idle', 'multistream.disconnected']);
    const states = (await getMultistream(owner, streamId)).map(({ state }) => state);
    expect(states).toEqual(['disconnected', 'disconnected', 'disconnected']);
    expect((await readStream(streamId)).eventSequence).toBe(5);
    expect(await report(connectedReport)).toBe(false);
  });

  test('disconnects the connected target of a stream on a dead node', async () => {
    const { nodeId, report, readEventNames } = await createLiveStream();
    await report(connectedReport);
    await db.node.update({ where: { id: nodeId }, data: { seenAt: new Date(Date.now() - 60_000) } });
    await releaseStreamsOfDeadNodes(ctx);
    expect((await readEventNames()).slice(2)).toEqual(['stream.idle', 'multistream.disconnected']);
  });
});

describe('openTargets', () => {
  test('returns the enabled targets in order', async () => {
    const { streamId, targetIds } = await createLiveStream(2);
    const [firstTargetId = '', secondTargetId = ''] = targetIds;
    expect(await openTargets(ctx, streamId)).toEqual([
      { targetId: firstTargetId, profile: 'source', videoOnly: false, url },
      { targetId: secondTargetId, profile: 'source', videoOnly: false, url },
    ]);
    await updateTarget(owner, { id: firstTargetId, change: { disabled: true } });
    expect(await openTargets(ctx, streamId)).toMatchObject([{ targetId: secondTargetId }]);
    expect(await getMultistream(owner, streamId)).toMatchObject([{ disabled: true }, { disabled: false }]);
  });
});
