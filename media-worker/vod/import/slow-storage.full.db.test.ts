import { setTimeout } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { receiveFile } from '@/media-worker/vod/tasks/testing/received-file';
import { createTaskRunner } from '@/media-worker/vod/tasks/testing/run-tasks';
import { createSampleFiles } from '@/media-worker/vod/testing/sample-files';
import { createWorkerFixtures } from '@/media-worker/testing/worker-fixtures';
import { importAssetJob } from './import-asset';

const fixtures = createWorkerFixtures(await createTestDatabase(), { acceptMedia: 'any' });
const { ctx, storage, taskRow } = fixtures;
const samples = createSampleFiles();

/** The storage, which stores the MP4 of an asset later than its index. */
const slowStorage = new Proxy(storage, {
  get(target, property) {
    if (property === 'putFile')
      return async (...args: Parameters<typeof storage.putFile>) => {
        if (args[0].endsWith('/video.mp4')) await setTimeout(2_000);
        return target.putFile(...args);
      };
    const value: unknown = Reflect.get(target, property);
    return typeof value === 'function' ? (value.bind(target) as unknown) : value;
  },
});
const work = createTaskRunner({ ...ctx, storage: slowStorage }, { import: importAssetJob });
afterAll(async () => {
  await work.close();
  samples.remove();
});

test('an import whose MP4 is stored two seconds after its index completes without a fault', async () => {
  const owner = await fixtures.createTeamContext();
  const { taskId } = await receiveFile(fixtures, owner, samples.make('film.mkv'));
  await work.drain();
  // The poster is made with the index, and waits for the file that the index describes.
  expect(await taskRow(taskId)).toMatchObject({ phase: 'completed', faults: 0 });
});
