import { afterAll, expect, test } from 'vitest';
import { uploadedObjectKey } from '@/lib/core/access/upload-token';
import { MINUTE_MS } from '@/lib/core/units';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { createWorkerFixtures } from '@/media-worker/testing/worker-fixtures';
import { importAssetJob } from '@/media-worker/vod/import/import-asset';
import { receiveFile } from '@/media-worker/vod/tasks/testing/received-file';
import { createTaskRunner } from '@/media-worker/vod/tasks/testing/run-tasks';
import { createSampleFiles } from '@/media-worker/vod/testing/sample-files';
import { deleteOldFiles } from './delete-old-files';

const fixtures = createWorkerFixtures(await createTestDatabase());
const { ctx, storage, assetRow } = fixtures;
const teamContext = await fixtures.createTeamContext();
const samples = createSampleFiles();
afterAll(() => samples.remove());

test('an uploaded file that its import could not delete is deleted by the sweep after 15 minutes, not at once', async () => {
  const { playbackId, assetId } = await receiveFile(fixtures, teamContext, samples.make('video.mp4'));
  const storageWithFailingDelete = { ...storage, delete: () => Promise.reject(new Error('no connection')) };
  const taskRunner = createTaskRunner(
    { ...ctx, storage: storageWithFailingDelete },
    { import: importAssetJob },
  );
  await taskRunner.drain();
  await taskRunner.close();
  expect(await assetRow(assetId)).toMatchObject({ phase: 'ready' });
  /** Runs the sweep `storage`, which includes imported uploads, as if `ms` had passed. */
  const sweepAfter = (ms: number) =>
    deleteOldFiles({ ...ctx, clock: { ...ctx.clock, now: () => new Date(Date.now() + ms) } }, 'storage');
  await sweepAfter(0);
  const key = uploadedObjectKey(playbackId);
  expect(await storage.head(key)).not.toBeNull();
  await sweepAfter(15 * MINUTE_MS);
  expect(await storage.head(key)).toBeNull();
});
