import { statSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import { createClip, getAsset } from '@/lib/domain/assets';
import { assetKey, assetPrefix, indexKey } from '@/lib/core/storage-keys';
import { type StorageDriver } from '@/lib/infra/storage';
import { startS3Server } from '@/lib/infra/storage/testing/s3-server';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { frameChecksums } from '@/media-worker/recording/testing/recorded-session';
import { createWorkerFixtures } from '@/media-worker/testing/worker-fixtures';
import { receiveFile } from '@/media-worker/vod/tasks/testing/received-file';
import { createTaskRunner } from '@/media-worker/vod/tasks/testing/run-tasks';
import { createSampleFiles } from '@/media-worker/vod/testing/sample-files';
import { importAssetJob } from './import-asset';
import { clipJob } from './make-clip';

const s3 = await startS3Server();
const samples = createSampleFiles();
afterAll(async () => {
  samples.remove();
  await s3.close();
});
const output = ['-b:v', '2M', '-g', '50', '-keyint_min', '50', '-sc_threshold', '0', '-bf', '2'];
const sourcePath = samples.make('film.mp4', { seconds: 60, size: '320x180', fps: '25', output });

/** A storage that counts the bytes and whole files that are read of certain videos. */
function countReads(storage: StorageDriver, isCounted: (key: string) => boolean) {
  const counts = { bytes: 0, wholeFiles: 0 };
  const counted: StorageDriver = {
    ...storage,
    async read(key, range) {
      const stream = await storage.read(key, range);
      if (isCounted(key) && key.endsWith('.mp4'))
        stream?.on('data', ({ length }: Buffer) => (counts.bytes += length));
      return stream;
    },
    withFile(key, use) {
      if (isCounted(key)) counts.wholeFiles += 1;
      return storage.withFile(key, use);
    },
  };
  return { counts, storage: counted };
}

describe.each([
  ['on disk', {}],
  ['on S3', { s3: s3.settings }],
] as const)('a clip of a long video %s', async (_, settings) => {
  const fixtures = createWorkerFixtures(await createTestDatabase(), settings);
  const { ctx, storage, taskRow } = fixtures;
  const owner = await fixtures.createTeamContext();
  // The clip is an asset as well, whose import reads its own file.
  let sourcePrefix = '';
  const { counts, storage: countingStorage } = countReads(storage, (key) => key.startsWith(sourcePrefix));
  const imports = createTaskRunner(ctx, { import: importAssetJob });
  const clips = createTaskRunner({ ...ctx, storage: countingStorage }, { clip: clipJob });
  afterAll(async () => {
    await imports.close();
    await clips.close();
  });

  async function createClipAndExpectFrames(playbackId: string) {
    Object.assign(counts, { bytes: 0, wholeFiles: 0 });
    const { asset, task } = await createClip(owner, { playbackId, startTime: 30_520, endTime: 33_000 });
    await clips.drain();
    expect(await taskRow(task.id)).toMatchObject({ phase: 'completed', errorMessage: null });
    expect(await getAsset(owner, asset.id)).toMatchObject({ status: { phase: 'ready' } });
    const [allFrames, shown] = [
      await frameChecksums(sourcePath, 'v'),
      await storage.withFile(assetKey(asset.id, 'source.mp4'), (path) => frameChecksums(path, 'v')),
    ];
    // 30.52 s at 25 frames per second is frame 763; 2.48 s are 62 frames.
    expect(shown.slice(0, 62)).toEqual(allFrames.slice(763, 825));
    expect(shown.length - 62).toBeLessThanOrEqual(3);
    return counts;
  }

  test('reads only its part, and the whole file if the index is damaged', async () => {
    const { assetId, playbackId } = await receiveFile(fixtures, owner, sourcePath);
    await imports.drain();
    sourcePrefix = assetPrefix(assetId);
    const { bytes, wholeFiles } = await createClipAndExpectFrames(playbackId);
    expect(bytes).toBeGreaterThan(0);
    expect(bytes).toBeLessThan(statSync(sourcePath).size / 8);
    expect(wholeFiles).toBe(0);
    await storage.put(indexKey(assetId), Buffer.from('damaged'));
    await createClipAndExpectFrames(playbackId);
    expect(counts).toEqual({ bytes: 0, wholeFiles: 1 });
    await storage.delete(indexKey(assetId));
    await createClipAndExpectFrames(playbackId);
    expect(counts).toEqual({ bytes: 0, wholeFiles: 1 });
  });
});
