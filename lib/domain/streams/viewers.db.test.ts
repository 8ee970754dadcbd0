import { describe, expect, test } from 'vitest';
import { DAY_MS, MINUTE_MS } from '@/lib/core/units';
import type { TeamContext } from '@/lib/domain/context';
import { newId } from '@/lib/infra/ids';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { createLiveFixtures } from '@/lib/domain/testing/live-fixtures';
import {
  deleteStream,
  expireViewers,
  getViewers,
  listViewers,
  recordViewers,
  type ViewersSeen,
} from './index';

const {
  ctx: system,
  db,
  createTeam,
  createStream,
  createNode,
  readStream,
} = createLiveFixtures(await createTestDatabase());
const teamId = await createTeam();
const contextOf = (id: string): TeamContext => ({ ...system, actor: { kind: 'cli', teamId: id } });
const ctx = contextOf(teamId);
/** An origin that runs longer than these tests. */
const createRunningOrigin = () => createNode({ role: 'origin', silentMs: -3_600_000 });
const origin = await createRunningOrigin();

const createViewersSeen = (playbackId: string, change: Partial<ViewersSeen> = {}): ViewersSeen => ({
  playbackId,
  viewers: 2,
  viewerSeconds: 10,
  views: 1,
  ageMs: 0,
  ...change,
});

describe('the viewers that origins report', () => {
  test('give the current viewers and the sum of views of a stream, and both per minute', async () => {
    const [watchedStream, otherStream] = [await createStream(teamId), await createStream(teamId)];
    await recordViewers(system, origin, [
      createViewersSeen(watchedStream.playbackId, {
        ageMs: 10 * MINUTE_MS,
        viewers: 9,
        viewerSeconds: 300,
        views: 4,
      }),
      createViewersSeen(watchedStream.playbackId, { ageMs: 1_000, viewers: 5 }),
      createViewersSeen(watchedStream.playbackId, { ageMs: 0, viewers: 2 }),
      createViewersSeen(otherStream.playbackId, { viewers: 1 }),
    ]);
    await recordViewers(system, origin, [
      createViewersSeen(watchedStream.playbackId, { viewers: 3, views: 0 }),
    ]);
    const { viewers, views, minutes } = await getViewers(ctx, watchedStream.id, {});
    expect([viewers, views]).toEqual([3, 6]);
    expect(minutes[0]).toMatchObject({ viewers: 5, views: 4 });
    expect(minutes.slice(1).reduce((sum, minute) => sum + minute.views, 0)).toBe(2);
    expect((minutes[0]?.at ?? 1) % MINUTE_MS).toBe(0);
    expect(
      (await getViewers(ctx, watchedStream.id, { minutes: '5' })).minutes.every(
        ({ at }) => at > Date.now() - 6 * MINUTE_MS,
      ),
    ).toBe(true);
    expect((await getViewers(ctx, otherStream.id, {})).viewers).toBe(1);
  });

  test('are the sum of the reports of the last 15 s from all running origins', async () => {
    const { id, playbackId } = await createStream(teamId);
    await recordViewers(system, await createRunningOrigin(), [
      createViewersSeen(playbackId, { viewers: 10 }),
    ]);
    await recordViewers(system, await createRunningOrigin(), [
      createViewersSeen(playbackId, { viewers: 20 }),
    ]);
    await recordViewers(system, await createRunningOrigin(), [
      createViewersSeen(playbackId, { viewers: 40, ageMs: 20_000 }),
    ]);
    expect(await getViewers(ctx, id, {})).toMatchObject({ viewers: 30, views: 3 });
  });

  test('count as current only while the origin runs; its views are kept', async () => {
    const { id, playbackId } = await createStream(teamId);
    const [runningOrigin, silentOrigin] = [
      await createRunningOrigin(),
      await createNode({ role: 'origin', silentMs: 16_000 }),
    ];
    for (const nodeId of [runningOrigin, silentOrigin, newId()])
      await recordViewers(system, nodeId, [createViewersSeen(playbackId)]);
    expect(await getViewers(ctx, id, {})).toMatchObject({ viewers: 2, views: 3 });
  });

  test('of deleted streams are ignored', async () => {
    const deletedStream = await createStream(teamId, { deletedAt: new Date() });
    await recordViewers(system, origin, [
      createViewersSeen(deletedStream.playbackId),
      createViewersSeen('unknownunknown12'),
    ]);
    await recordViewers(system, origin, []);
    expect((await readStream(deletedStream.id)).views).toBe(0);
    expect(await db.streamViewers.count({ where: { streamId: deletedStream.id } })).toBe(0);
  });

  test('are not lost when eight origins write concurrently', async () => {
    const { id, playbackId } = await createStream(teamId);
    const origins = await Promise.all(Array.from({ length: 8 }, createRunningOrigin));
    await Promise.all(
      origins.map((nodeId) => recordViewers(system, nodeId, [createViewersSeen(playbackId)])),
    );
    expect(await getViewers(ctx, id, {})).toMatchObject({ viewers: 16, views: 8 });
  });
});

describe('the viewers of a stream', () => {
  test('are listed for its owner, most watched streams first, without unwatched streams', async () => {
    const ownerId = await createTeam();
    const [quietStream, popularStream, unwatchedStream] = [
      await createStream(ownerId),
      await createStream(ownerId),
      await createStream(ownerId),
    ];
    await recordViewers(system, origin, [
      createViewersSeen(quietStream.playbackId, { viewers: 1 }),
      createViewersSeen(popularStream.playbackId, { viewers: 7 }),
      createViewersSeen(unwatchedStream.playbackId, { viewers: 0 }),
    ]);
    expect(await listViewers(contextOf(ownerId))).toEqual([
      { streamId: popularStream.id, playbackId: popularStream.playbackId, viewers: 7, views: 1 },
      { streamId: quietStream.id, playbackId: quietStream.playbackId, viewers: 1, views: 1 },
    ]);
    expect(await listViewers(contextOf(await createTeam()))).toEqual([]);
  });

  test('are hidden from other teams, and invalid queries are rejected', async () => {
    const { id } = await createStream(teamId);
    await expect(getViewers(contextOf(await createTeam()), id, {})).rejects.toMatchObject({
      code: 'not_found',
    });
    await expect(getViewers(ctx, id, { minutes: '43201' })).rejects.toMatchObject({ code: 'bad_request' });
  });
});

test('viewers are stored per minute for 30 days; the total of views is kept', async () => {
  const { id, playbackId } = await createStream(teamId);
  await recordViewers(system, origin, [
    createViewersSeen(playbackId, { ageMs: 31 * DAY_MS }),
    createViewersSeen(playbackId, { ageMs: 29 * DAY_MS }),
  ]);
  expect(await expireViewers(system)).toBe(1);
  const { views, minutes } = await getViewers(ctx, id, { minutes: '43200' });
  expect([views, minutes.length]).toEqual([2, 1]);
});

test('viewers are deleted with the stream', async () => {
  const [deletedStream, streamWithoutRow] = [await createStream(teamId), await createStream(teamId)];
  await recordViewers(system, origin, [
    createViewersSeen(deletedStream.playbackId),
    createViewersSeen(streamWithoutRow.playbackId),
  ]);
  await deleteStream(ctx, deletedStream.id);
  await db.stream.delete({ where: { id: streamWithoutRow.id } });
  expect(
    await db.streamViewers.count({ where: { streamId: { in: [deletedStream.id, streamWithoutRow.id] } } }),
  ).toBe(0);
});
