import { expect, test } from 'vitest';
import type { TeamContext } from '@/lib/domain/context';
import { getOverview } from '@/lib/domain/overview';
import { createTarget, updateTarget } from '@/lib/domain/multistream';
import { createLiveFixtures } from '@/lib/domain/testing/live-fixtures';
import { newId } from '@/lib/infra/ids';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import {
  describePublicStatus,
  getMultistream,
  getStream,
  listShownRecordings,
  reportLateStreams,
  updateStream,
} from './index';

const { ctx: system, db, createTeam, createStream } = createLiveFixtures(await createTestDatabase());
const teamId = await createTeam();
const owner: TeamContext = { ...system, actor: { kind: 'cli', teamId } };
const minutesFromNow = (minutes: number) => Date.now() + minutes * 60_000;
const countLateEvents = (streamId: string) => db.event.count({ where: { streamId, name: 'stream.late' } });

test('a stream is reported late once per announced start, unless it is or was live since, suspended or still to start', async () => {
  const { id: lateStreamId } = await createStream(teamId);
  await updateStream(owner, { id: lateStreamId, change: { startsAt: minutesFromNow(-2) } });
  const liveStream = await createStream(teamId, { isActive: true });
  const alreadyLiveStream = await createStream(teamId);
  const announcedStream = await createStream(teamId);
  const suspendedStream = await createStream(await createTeam(), { suspended: true });
  await db.stream.updateMany({
    where: { id: { in: [liveStream.id, alreadyLiveStream.id, suspendedStream.id] } },
    data: { startsAt: new Date(minutesFromNow(-2)) },
  });
  await db.stream.update({
    where: { id: alreadyLiveStream.id },
    data: { lastSeen: new Date(minutesFromNow(-1)) },
  });
  await updateStream(owner, { id: announcedStream.id, change: { startsAt: minutesFromNow(5) } });

  // Two processes may report at the same time.
  await Promise.all([reportLateStreams(system), reportLateStreams(system)]);
  await reportLateStreams(system);
  expect(await countLateEvents(lateStreamId)).toBe(1);
  for (const other of [liveStream, alreadyLiveStream, announcedStream, suspendedStream])
    expect(await countLateEvents(other.id)).toBe(0);

  await updateStream(owner, { id: lateStreamId, change: { startsAt: minutesFromNow(-3) } });
  await reportLateStreams(system);
  expect(await countLateEvents(lateStreamId)).toBe(2);
});

test('viewers and the home page see the announced start until the session has started', async () => {
  const ctx: TeamContext = { ...system, actor: { kind: 'cli', teamId: await createTeam() } };
  const { id, playbackId } = await createStream(ctx.actor.teamId);
  const startsAt = minutesFromNow(60);
  await updateStream(ctx, { id, change: { startsAt, description: 'With choir' } });
  expect(await describePublicStatus(system, playbackId)).toEqual({ state: 'idle', startsAt });
  expect(await getStream(ctx, id)).toMatchObject({ startsAt, description: 'With choir' });
  const ready = { keyUsed: false, targetsTested: null, backup: false, slate: false };
  expect((await getOverview(ctx)).coming).toEqual([{ id, name: 'Town hall', startsAt, late: false, ready }]);
  expect((await getOverview(owner)).coming).not.toContainEqual(expect.objectContaining({ id }));
  await db.stream.update({
    where: { id },
    data: { startsAt: new Date(minutesFromNow(-5)), lastSeen: new Date() },
  });
  expect(await describePublicStatus(system, playbackId)).toEqual({ state: 'idle' });
  expect((await getOverview(ctx)).coming).toEqual([]);
  await updateStream(ctx, { id, change: { startsAt: null, description: '' } });
  const clearedStream = await getStream(ctx, id);
  expect([clearedStream.startsAt, clearedStream.description]).toEqual([undefined, undefined]);
});

test('the home page states whether the last session or test of an announced stream reached all enabled targets', async () => {
  const ctx: TeamContext = { ...system, actor: { kind: 'cli', teamId: await createTeam() } };
  const { id } = await createStream(ctx.actor.teamId);
  const url = 'rtmp://live.example.com/app/key';
  const targets = [await createTarget(ctx, { url }), await createTarget(ctx, { url })];
  const multistream = { targets: targets.map((target) => ({ id: target.id, profile: 'source' })) };
  await updateStream(ctx, { id, change: { startsAt: minutesFromNow(60), multistream } });
  const readTargetsTested = async () => (await getOverview(ctx)).coming[0]?.ready.targetsTested;
  expect(await readTargetsTested()).toBe(false);
  const [reachedTargetId = '', testedTargetId = ''] = targets.map((target) => target.id);
  await db.targetStatus.create({
    data: {
      streamId: id,
      targetId: reachedTargetId,
      profile: 'source',
      state: 'disconnected',
      since: new Date(),
      reportedEvent: 'multistream.disconnected',
    },
  });
  expect((await getMultistream(ctx, id)).map((status) => status.reached)).toEqual([true, null]);
  expect(await readTargetsTested()).toBe(false);
  const storeTest = (testOutcome: string, testedAt = new Date()) =>
    db.multistreamTarget.update({
      where: { id: testedTargetId },
      data: { testedAt, testOutcome, testMessage: 'live.example.com accepted the stream key.' },
    });
  await storeTest('publish_rejected');
  expect(await readTargetsTested()).toBe(false);
  await storeTest('accepted');
  expect(await readTargetsTested()).toBe(true);
  expect((await getMultistream(ctx, id)).map((status) => status.reached)).toEqual([true, true]);
  await updateTarget(ctx, { id: testedTargetId, change: { url: `${url}2` } });
  expect(await readTargetsTested()).toBe(false);
  expect((await getMultistream(ctx, id)).at(-1)).toMatchObject({ reached: null, lastTest: null });
  await updateTarget(ctx, { id: testedTargetId, change: { disabled: true } });
  expect(await readTargetsTested()).toBe(true);
  await updateTarget(ctx, { id: reachedTargetId, change: { disabled: true } });
  expect(await readTargetsTested()).toBeNull();
});

test('a watch page lists recordings only if the owner enables them and the stream is not suspended', async () => {
  const { id, playbackId } = await createStream(teamId);
  const createRecordedSession = (secondsAgo: number, columns: object = {}) =>
    db.session.create({
      data: {
        id: newId(),
        teamId,
        parentId: id,
        name: 'Town hall',
        playbackId: 'abcd1234efgh5678',
        state: 'ended',
        recording: 'ready',
        sourceSegments: 3,
        sourceSegmentsDuration: 12,
        createdAt: new Date(Date.now() - secondsAgo * 1_000),
        ...columns,
      },
    });
  const [olderSession, newerSession] = [await createRecordedSession(7_200), await createRecordedSession(60)];
  await createRecordedSession(30, { recording: 'none' });
  await createRecordedSession(20, { recording: 'deleted' });
  expect(await listShownRecordings(system, playbackId)).toEqual([]);
  await updateStream(owner, { id, change: { showRecordings: true } });
  expect((await listShownRecordings(system, playbackId)).map((shownRecording) => shownRecording.id)).toEqual([
    newerSession.id,
    olderSession.id,
  ]);
  await db.stream.update({ where: { id }, data: { suspended: true } });
  expect(await listShownRecordings(system, playbackId)).toEqual([]);
});
