import { expect, test } from 'vitest';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { createLiveFixtures } from '@/lib/domain/testing/live-fixtures';
import { createRecordingAsset } from './create-recording-asset';

const { ctx, db, createTeam, createStream } = createLiveFixtures(await createTestDatabase());

async function createRecordedSession() {
  const teamId = await createTeam();
  const parent = await createStream(teamId);
  const session = await db.session.create({
    data: { teamId, parentId: parent.id, name: 'Town hall', playbackId: parent.playbackId, record: true },
  });
  return {
    sessionId: session.id,
    teamId,
    name: 'Town hall · 2026-11-21',
    startedAt: new Date('2026-11-21T08:00:00Z'),
    mp4Key: `recording/${session.id}/video.mp4`,
    hlsPrefix: `recording/${session.id}/`,
  };
}

test('a recording creates a waiting asset and a due task', async () => {
  const recording = await createRecordedSession();
  const recordingAsset = await createRecordingAsset(ctx, recording);
  expect(recordingAsset).toMatchObject({ phase: 'waiting', errorMessage: null });
  const asset = await db.asset.findUniqueOrThrow({
    where: { id: recordingAsset.assetId },
    include: { outputOf: true },
  });
  expect(asset).toMatchObject({
    teamId: recording.teamId,
    name: recording.name,
    playbackId: recordingAsset.playbackId,
    sourceType: 'recording',
    sourceSessionId: recording.sessionId,
    createdAt: recording.startedAt,
  });
  const { mp4Key, hlsPrefix, sessionId } = recording;
  expect(asset.outputOf).toMatchObject([
    {
      type: 'import',
      phase: 'pending',
      params: { import: { recordedSessionId: sessionId } },
      work: { recorded: { mp4Key, hlsPrefix } },
    },
  ]);
  expect(asset.outputOf[0]?.scheduledAt).toBeInstanceOf(Date);
});

test('one session has one asset, even for concurrent calls', async () => {
  const recording = await createRecordedSession();
  const recordingAssets = await Promise.all(
    Array.from({ length: 5 }, () => createRecordingAsset(ctx, recording)),
  );
  expect(new Set(recordingAssets.map(({ assetId }) => assetId)).size).toBe(1);
  expect(await db.task.count({ where: { teamId: recording.teamId } })).toBe(1);
});

test('a further call returns the current state of the asset', async () => {
  const recording = await createRecordedSession();
  const { assetId } = await createRecordingAsset(ctx, recording);
  await db.asset.update({ where: { id: assetId }, data: { phase: 'failed', errorMessage: 'no video' } });
  expect(await createRecordingAsset(ctx, recording)).toMatchObject({
    assetId,
    phase: 'failed',
    errorMessage: 'no video',
  });
});

test('a deleted asset is not created again', async () => {
  const recording = await createRecordedSession();
  const { assetId } = await createRecordingAsset(ctx, recording);
  await db.asset.update({ where: { id: assetId }, data: { deletedAt: new Date() } });
  expect((await createRecordingAsset(ctx, recording)).assetId).toBe(assetId);
  expect(await db.asset.count({ where: { sourceSessionId: recording.sessionId } })).toBe(1);
});
