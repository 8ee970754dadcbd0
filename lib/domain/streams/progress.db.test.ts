import { describe, expect, test } from 'vitest';
import { newId } from '@/lib/infra/ids';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { createLiveFixtures } from '@/lib/domain/testing/live-fixtures';
import { authorizePublish } from './publishing/authorize-publish';
import { listTestPatterns } from './publishing/list-publishes';
import { recordProgress } from './health/record-progress';

const databaseUrl = await createTestDatabase();
const { ctx, db, createTeam, createStream, createNode, readStream, sessionsOf } =
  createLiveFixtures(databaseUrl);
const teamId = await createTeam();

const noProgress = {
  sourceSegments: 0,
  sourceSegmentsDuration: 0,
  sourceBytes: 0,
  transcodedSegments: 0,
  transcodedSegmentsDuration: 0,
  transcodedBytes: 0,
};

/** Creates a stream and admits a publish of it. */
async function startPublish() {
  const row = await createStream(teamId);
  const publish = await authorizePublish(ctx, { streamId: row.id, nodeId: await createNode() });
  return { streamId: row.id, sessionId: publish?.sessionId ?? '' };
}

describe('recordProgress', () => {
  test('adds to streams and their sessions, for many streams in one call', async () => {
    const [firstPublish, secondPublish, untouchedPublish] = [
      await startPublish(),
      await startPublish(),
      await startPublish(),
    ];
    const progress = {
      sourceSegments: 3,
      sourceSegmentsDuration: 6.04,
      sourceBytes: 5_000_000_000,
      transcodedSegments: 6,
      transcodedSegmentsDuration: 12.08,
      transcodedBytes: 3_000_000_000,
      silentMs: 0,
    };
    await recordProgress(ctx, [
      { ...firstPublish, ...progress },
      { ...secondPublish, ...progress, sourceSegments: 1 },
    ]);
    await recordProgress(ctx, [{ ...firstPublish, ...progress }]);
    const counters = {
      sourceSegments: 6,
      sourceSegmentsDuration: 12.08,
      sourceBytes: 10_000_000_000n,
      transcodedSegments: 12,
      transcodedSegmentsDuration: 24.16,
      transcodedBytes: 6_000_000_000n,
    };
    expect(await readStream(firstPublish.streamId)).toMatchObject(counters);
    expect((await sessionsOf(firstPublish.streamId))[0]).toMatchObject(counters);
    expect(await readStream(secondPublish.streamId)).toMatchObject({ sourceSegments: 1 });
    expect(await readStream(untouchedPublish.streamId)).toMatchObject({ sourceSegments: 0, lastSeen: null });
  });

  test('does not change a recording that is being finished', async () => {
    const endedPublish = await startPublish();
    const endedColumns = { state: 'ended', recording: 'processing' } as const;
    await db.session.update({ where: { id: endedPublish.sessionId }, data: endedColumns });
    await recordProgress(ctx, [{ ...endedPublish, ...noProgress, sourceSegments: 1, silentMs: 0 }]);
    expect((await sessionsOf(endedPublish.streamId))[0]).toMatchObject({
      ...endedColumns,
      sourceSegments: 1,
    });
  });

  test('lastSeen is the time of the last media and never decreases', async () => {
    const publish = await startPublish();
    await recordProgress(ctx, [{ ...publish, ...noProgress, silentMs: 60_000 }]);
    const firstSeen = (await sessionsOf(publish.streamId))[0]?.lastSeen?.getTime() ?? 0;
    expect(Date.now() - firstSeen).toBeGreaterThan(59_000);
    await recordProgress(ctx, [{ ...publish, ...noProgress, silentMs: 1_000 }]);
    const lastSeen = (await sessionsOf(publish.streamId))[0]?.lastSeen?.getTime() ?? 0;
    expect(lastSeen).toBeGreaterThan(firstSeen);
    await recordProgress(ctx, [{ ...publish, ...noProgress, silentMs: 120_000 }]);
    await recordProgress(ctx, [{ ...publish, ...noProgress, silentMs: null }]);
    expect((await sessionsOf(publish.streamId))[0]?.lastSeen?.getTime()).toBe(lastSeen);
    expect((await readStream(publish.streamId)).lastSeen?.getTime()).toBe(lastSeen);
  });

  test('ignores empty input and unknown streams', async () => {
    const publish = await startPublish();
    await recordProgress(ctx, []);
    const unknownPublish = { streamId: newId(), sessionId: newId() };
    const progressOfPublish = { ...noProgress, sourceSegments: 1, silentMs: 0 };
    await recordProgress(ctx, [
      { ...unknownPublish, ...progressOfPublish },
      { ...publish, ...progressOfPublish },
    ]);
    expect(await db.stream.count({ where: { id: unknownPublish.streamId } })).toBe(0);
    expect(await readStream(publish.streamId)).toMatchObject({ sourceSegments: 1 });
  });
});

describe('listTestPatterns', () => {
  test('returns the streams with a requested test pattern and their keys', async () => {
    const inOneMinute = new Date(Date.now() + 60_000);
    const testedStream = await createStream(teamId, { testPatternUntil: inOneMinute });
    await createStream(teamId);
    await createStream(teamId, { testPatternUntil: new Date(Date.now() - 1_000) });
    await createStream(teamId, { testPatternUntil: inOneMinute, suspended: true });
    await createStream(teamId, { testPatternUntil: inOneMinute, deletedAt: new Date() });
    await createStream(await createTeam({ suspended: true }), { testPatternUntil: inOneMinute });
    const { id: streamId, streamKey } = testedStream;
    expect(await listTestPatterns(ctx)).toEqual([{ streamId, streamKey, previewPlaybackId: null }]);
    await db.stream.update({ where: { id: testedStream.id }, data: { testPatternUntil: null } });
    expect(await listTestPatterns(ctx)).toEqual([]);
  });
});
