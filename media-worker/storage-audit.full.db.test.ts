import { mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { startUpload } from '@/lib/domain/assets';
import type { WorkerContext } from '@/lib/domain/context';
import { assetKey, indexKey, ipfsKey, recordingKey, recordingPrefix } from '@/lib/core/storage-keys';
import { parseSegmentName } from '@/lib/core/sessions/recorded-segment';
import { newId } from '@/lib/infra/ids';
import { openStorage } from '@/lib/infra/storage';
import { startS3Server } from '@/lib/infra/storage/testing/s3-server';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { auditStorage } from '@/lib/domain/storage-audit';
import { importAssetJob } from '@/media-worker/vod/import/import-asset';
import { createTaskRunner } from '@/media-worker/vod/tasks/testing/run-tasks';
import { Packaging } from '@/media-worker/media/packaging/testing/packaging';
import {
  audioConfig,
  steadyFrames,
  videoConfig,
} from '@/media-worker/media/packaging/testing/synthetic-packets';
import { acceptUpload } from '@/media-worker/delivery/uploads/accept-upload';
import { makeRecording } from '@/media-worker/recording/make-recording';
import { createRecordedSessions } from '@/media-worker/recording/testing/recorded-session';
import { createWorkerFixtures } from '@/media-worker/testing/worker-fixtures';
import { createSampleFiles } from '@/media-worker/vod/testing/sample-files';

const fixtures = createWorkerFixtures(await createTestDatabase());
const { db, dataDir, createUpload, createStream, createTeam } = fixtures;
const s3 = await startS3Server();
afterAll(() => s3.close());
const owner = await fixtures.createTeamContext();
const samples = createSampleFiles();
const anHourAgo = new Date(Date.now() - 3_600_000);

const contexts: Record<string, WorkerContext> = {
  'local files': fixtures.ctx,
  S3: { ...fixtures.ctx, storage: openStorage({ dataDir, s3: s3.settings }) },
};

/** Uploads an asset and waits until it is ready. */
async function createReadyAsset(ctx: WorkerContext): Promise<string> {
  const { assetId, playbackId } = await createUpload(owner);
  const attempt = { assetId, leaseId: newId() };
  await startUpload(ctx, attempt);
  const path = join(dataDir, `${assetId}.mp4`);
  const bytes = readFileSync(samples.make('audited.mp4'));
  writeFileSync(path, bytes);
  expect(
    await acceptUpload(ctx, attempt, { playbackId, path, bytes: bytes.length, hashes: null }),
  ).toBeNull();
  const work = createTaskRunner(ctx, { import: importAssetJob });
  await work.drain();
  await work.close();
  expect(await fixtures.assetRow(assetId)).toMatchObject({ phase: 'ready' });
  return assetId;
}

async function createReadySession(ctx: WorkerContext): Promise<string> {
  const parent = await createStream(await createTeam(), { record: true });
  const { id } = await db.session.create({
    data: {
      teamId: parent.teamId,
      parentId: parent.id,
      name: 'x',
      playbackId: parent.playbackId,
      record: true,
      state: 'ended',
      endedAt: anHourAgo,
      recording: 'ready',
    },
  });
  const sessions = await createRecordedSessions(ctx.storage);
  const packaging = new Packaging();
  packaging.run([videoConfig(), audioConfig(), ...steadyFrames({ untilMs: 6_000 })]);
  await sessions.store(id, packaging);
  await makeRecording(id, { storage: ctx.storage, signal: AbortSignal.timeout(100_000) });
  await sessions.remove();
  return id;
}

async function findSegmentKey({ storage }: WorkerContext, id: string): Promise<string> {
  for await (const { key } of storage.list(recordingPrefix(id)))
    if (parseSegmentName(key.slice(key.lastIndexOf('/') + 1))) return key;
  throw new Error('nothing was recorded');
}

test.each(Object.keys(contexts))(
  '%s: nothing is reported while rows and files agree; files without a row and missing files are',
  async (name) => {
    const ctx = contexts[name] ?? fixtures.ctx;
    await db.asset.deleteMany();
    await db.session.deleteMany();
    for (const folder of ['scratch', 'spool', 'uploads', 'storage'])
      rmSync(join(dataDir, folder), { recursive: true, force: true });
    const [assetId, sessionId] = [await createReadyAsset(ctx), await createReadySession(ctx)];
    expect(await auditStorage(ctx)).toEqual({ unowned: [], missing: [] });

    const missingId = newId();
    const unownedKeys = [assetKey(missingId, 'source.mp4'), recordingKey(missingId, 'source.mp4')];
    for (const key of [...unownedKeys, 'directUpload/unknown/source', ipfsKey('bafyunknown')])
      await ctx.storage.put(key, Buffer.from('x'));
    for (const path of [
      `scratch/${missingId}`,
      `spool/${missingId}`,
      `uploads/tus/${missingId}-x`,
      'storage/parts/live/x',
    ]) {
      mkdirSync(join(dataDir, path), { recursive: true });
      utimesSync(join(dataDir, path), anHourAgo, anHourAgo);
    }
    const segmentKey = await findSegmentKey(ctx, sessionId);
    await ctx.storage.delete(segmentKey);
    await ctx.storage.delete(recordingKey(sessionId, 'source.mp4'));
    await ctx.storage.delete(indexKey(assetId));
    const { unowned, missing } = await auditStorage(ctx);
    expect(unowned.map(({ key }) => key).sort()).toEqual(
      [
        ...[`asset/${missingId}`, `recording/${missingId}`, 'directUpload/unknown', 'ipfs/bafyunknown'],
        ...[
          `scratch/${missingId}`,
          `spool/${missingId}`,
          'storage/parts/live/x',
          `uploads/tus/${missingId}-x`,
        ],
      ].sort(),
    );
    expect(missing.map(({ key }) => key).sort()).toEqual(
      [indexKey(assetId), recordingKey(sessionId, 'source.mp4'), segmentKey].sort(),
    );
  },
);
