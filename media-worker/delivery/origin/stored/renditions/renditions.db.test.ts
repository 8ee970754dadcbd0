import { writeFileSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { afterAll, expect, test } from 'vitest';
import { locateAsset } from '@/lib/domain/assets';
import { renditionKey } from '@/lib/core/storage-keys';
import { listen } from '@/lib/infra/notifications';
import { openQueues } from '@/lib/infra/queue/queue';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { startWorkers } from '@/media-worker/kit/process/workers';
import { receiveFile } from '@/media-worker/vod/tasks/testing/received-file';
import { createTaskRunner } from '@/media-worker/vod/tasks/testing/run-tasks';
import { createWorkerFixtures } from '@/media-worker/testing/worker-fixtures';
import { RenditionEncoder } from '@/media-worker/vod/renditions/encode-renditions';
import { importAssetJob } from '@/media-worker/vod/import/import-asset';
import { readDecodingErrors } from '@/media-worker/vod/testing/rendition-fixtures';
import { createSampleFiles } from '@/media-worker/vod/testing/sample-files';
import { createIndexedReads } from '@/media-worker/vod/index/indexed-reads';
import { tagIn, withTag } from '@/media-worker/vod/index/testing/content-tag';
import { createServeAsset } from '@/media-worker/delivery/origin/stored/serve-asset';
import { RenditionRequests } from './rendition-requests';
import { createServeRendition } from './serve-rendition';

/**
 * Tests one segment from its request to its playback. renditions.full.db.test.ts tests many viewers, killed encoders
 * and a full machine.
 */
const databaseUrl = await createTestDatabase();
const fixtures = createWorkerFixtures(databaseUrl, { renditionCacheBytes: 2 ** 30, transcodeCores: 1.5 });
const { ctx, storage } = fixtures;
const samples = createSampleFiles();
/** The storage as viewers read it, including HLS that is made from indexes. */
const viewerStorage = createIndexedReads(storage);
const queues = openQueues(ctx.settings, ctx.log);
const storedKeys: string[] = [];
const watchedStorage: typeof storage = Object.assign(Object.create(storage) as typeof storage, {
  put: (...args: Parameters<typeof storage.put>) => {
    storedKeys.push(args[0]);
    return storage.put(...args);
  },
});
const encoder = new RenditionEncoder(
  { ...ctx, storage: watchedStorage },
  { cores: 2, busyCores: () => Promise.resolve(0) },
);
const workers = startWorkers(ctx.settings, queues, { renditions: encoder.handler() }, ctx.log);
const renditionRequests = new RenditionRequests({ ctx, storage, queues });
const onRendition = (key: string | null) => key !== null && renditionRequests.markEnded(key);
const listener = listen(databaseUrl, 'rendition_ended', onRendition, ctx.log);
const serve = createServeAsset({
  storage: viewerStorage,
  locate: (id) => locateAsset(ctx, id),
  renditions: createServeRendition({
    storage: viewerStorage,
    renditionRequests,
    waitMs: () => 600_000,
  }),
});
afterAll(async () => {
  await listener.close();
  await workers.close();
  await encoder.close();
  await queues.close();
  samples.remove();
});

test('a segment of a rendition is encoded once for its viewers, and plays', async () => {
  const path = samples.make('film.mp4', { seconds: 8, size: '640x360', fps: '10' });
  const film = await receiveFile(fixtures, await fixtures.createTeamContext(), path);
  const work = createTaskRunner(ctx, { import: importAssetJob });
  await work.drain();
  await work.close();
  let tag = '';
  const get = async (file: string) => {
    const {
      status,
      stream,
      body = [],
    } = await serve({
      path: `/${film.playbackId}/${withTag(tag, file)}`,
      download: false,
      headers: {},
    });
    return { status, bytes: stream ? await buffer(await stream.open()) : Buffer.concat([...body]) };
  };
  const masterPlaylist = (await get('index.m3u8')).bytes.toString();
  expect(masterPlaylist.split('\n').filter((line) => line !== '' && !line.startsWith('#'))).toEqual([
    'source/index.m3u8',
    '240p/index.m3u8',
  ]);
  expect(masterPlaylist).toContain('RESOLUTION=426x240');
  expect((await get('240p/index.m3u8')).bytes).toEqual((await get('source/index.m3u8')).bytes);
  tag = tagIn((await get('240p/index.m3u8')).bytes.toString());
  expect(tag).not.toBe('');
  for (const file of ['480p/init.mp4', '240p/000099.m4s']) expect((await get(file)).status).toBe(404);

  const viewers = await Promise.all(Array.from({ length: 10 }, () => get('240p/000001.m4s')));
  const [first] = viewers;
  expect(viewers.every(({ status, bytes }) => status === 200 && bytes.equals(first?.bytes ?? bytes))).toBe(
    true,
  );
  const key = renditionKey(film.assetId, withTag(tag, '240p/000001.m4s'));
  expect(storedKeys.filter((storedKey) => storedKey === key)).toEqual([key]);
  const watchedFile = samples.path('watched.mp4');
  const init = (await get('240p/init.mp4')).bytes;
  writeFileSync(watchedFile, Buffer.concat([init, ...viewers.slice(0, 1).map(({ bytes }) => bytes)]));
  expect(readDecodingErrors(watchedFile)).toBe('');
});
