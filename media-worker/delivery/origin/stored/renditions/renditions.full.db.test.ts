import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { buffer, text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { evictRenditions, locateAsset, deleteBytes } from '@/lib/domain/assets';
import { assetKey, renditionKey, renditionPrefix } from '@/lib/core/storage-keys';
import { listen } from '@/lib/infra/notifications';
import { openQueues } from '@/lib/infra/queue/queue';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { auditStorage } from '@/lib/domain/storage-audit';
import { startWorkers } from '@/media-worker/kit/process/workers';
import { receiveFile } from '@/media-worker/vod/tasks/testing/received-file';
import { createTaskRunner } from '@/media-worker/vod/tasks/testing/run-tasks';
import { createWorkerFixtures } from '@/media-worker/testing/worker-fixtures';
import { planRenditions, RenditionEncoder } from '@/media-worker/vod/renditions/encode-renditions';
import { importAssetJob } from '@/media-worker/vod/import/import-asset';
import { readDecodingErrors } from '@/media-worker/vod/testing/rendition-fixtures';
import { createSampleFiles } from '@/media-worker/vod/testing/sample-files';
import { createIndexedReads } from '@/media-worker/vod/index/indexed-reads';
import { tagIn, withTag } from '@/media-worker/vod/index/testing/content-tag';
import { createServeAsset } from '@/media-worker/delivery/origin/stored/serve-asset';
import { RenditionRequests } from './rendition-requests';
import { createServeRendition } from './serve-rendition';

const MAX_CACHE_BYTES = 10 * 2 ** 30;
/** Timeout for a busy machine. */
const BUSY_TIMEOUT_MS = 240_000;
const databaseUrl = await createTestDatabase();
const fixtures = createWorkerFixtures(databaseUrl, {
  renditionCacheBytes: MAX_CACHE_BYTES,
  transcodeCores: 1.5,
});
const { ctx, storage, db } = fixtures;
const owner = await fixtures.createTeamContext();
const samples = createSampleFiles();
/** The storage as viewers read it, including HLS that is made from indexes. */
const viewerStorage = createIndexedReads(storage);
const queues = openQueues(ctx.settings, ctx.log);
const work = createTaskRunner(ctx, { import: importAssetJob });

/** The key of every write to the storage, with repetitions. */
const storedKeys: string[] = [];
const watchedStorage: typeof storage = Object.assign(Object.create(storage) as typeof storage, {
  put: (...args: Parameters<typeof storage.put>) => {
    storedKeys.push(args[0]);
    return storage.put(...args);
  },
});
let busyCores = 0;
const encoder = new RenditionEncoder(
  { ...ctx, storage: watchedStorage },
  { cores: 2, busyCores: () => Promise.resolve(busyCores) },
);
const workers = startWorkers(ctx.settings, queues, { renditions: encoder.handler() }, ctx.log);

function startOrigin(waitMs = () => 60_000) {
  const renditionRequests = new RenditionRequests({ ctx, storage, queues });
  const onRendition = (key: string | null) => key !== null && renditionRequests.markEnded(key);
  const listener = listen(databaseUrl, 'rendition_ended', onRendition, ctx.log);
  const serve = createServeAsset({
    storage: viewerStorage,
    locate: (id) => locateAsset(ctx, id),
    renditions: createServeRendition({ storage: viewerStorage, renditionRequests, waitMs }),
  });
  return { renditionRequests, serve, close: () => listener.close() };
}
const origins = [startOrigin(), startOrigin()] as const;
const [first, second] = origins;

afterAll(async () => {
  await Promise.all(origins.map(({ close }) => close()));
  await workers.close();
  await encoder.close();
  await queues.close();
  await work.close();
  samples.remove();
});

let sourceAsset: { readonly assetId: string; readonly playbackId: string };
/** Prefix of the file names of the current index. */
let tag = '';
beforeAll(async () => {
  const seconds = 44;
  sourceAsset = await receiveFile(
    fixtures,
    owner,
    samples.make('film.mp4', { seconds, size: '640x360', fps: '25' }),
  );
  await work.drain();
  tag = tagIn((await get('source/index.m3u8')).bytes.toString());
});

async function get(file: string, { serve }: Pick<typeof first, 'serve'> = first) {
  const answer = await serve({
    path: `/${sourceAsset.playbackId}/${withTag(tag, file)}`,
    download: false,
    headers: {},
  });
  const { stream, body = [] } = answer;
  const bytes = stream ? await buffer(await stream.open()) : Buffer.concat([...body]);
  return { status: answer.status, headers: answer.headers ?? {}, bytes };
}
const isCacheable = (answer: { readonly headers: object }) =>
  (answer.headers as { 'Cache-Control'?: string })['Cache-Control']?.includes('immutable') ?? false;
/** Requests the file until it is encoded: on a busy machine encoding may take longer than a viewer waits. */
async function getEncoded(file: string, from = first) {
  await expect.poll(async () => isCacheable(await get(file, from)), { timeout: BUSY_TIMEOUT_MS }).toBe(true);
  return get(file, from);
}
const isStored = (file: string) =>
  storage.head(renditionKey(sourceAsset.assetId, withTag(tag, file))).then(Boolean);

test('the master playlist lists the renditions, whose playlists have the segments of the source', async () => {
  const master = (await get('index.m3u8')).bytes.toString();
  expect(master.split('\n').filter((line) => line !== '' && !line.startsWith('#'))).toEqual([
    'source/index.m3u8',
    '240p/index.m3u8',
  ]);
  expect(master).toContain('RESOLUTION=426x240');
  expect(master).toContain('CODECS="avc1.640015,mp4a.40.2"');
  expect((await get('240p/index.m3u8')).bytes).toEqual((await get('source/index.m3u8')).bytes);
  for (const file of ['480p/index.m3u8', '480p/init.mp4', '240p/000099.m4s', '240p/../init.mp4'])
    expect((await get(file)).status).toBe(404);
});

test('a segment that a hundred viewers of two origins request is encoded once, as are the next two', async () => {
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, viewer) => getEncoded('240p/000001.m4s', origins[viewer % 2])),
  );
  for (const answer of answers) expect(answer.bytes.equals(answers[0]?.bytes ?? Buffer.alloc(0))).toBe(true);
  for (const file of ['240p/000002.m4s', '240p/000003.m4s'])
    await expect.poll(() => isStored(file), { timeout: BUSY_TIMEOUT_MS }).toBe(true);
  expect(await isStored('240p/000004.m4s')).toBe(false);
  const segments = storedKeys.filter((key) => key.endsWith('.m4s'));
  expect(segments.toSorted()).toEqual(
    ['000001.m4s', '000002.m4s', '000003.m4s'].map((file) =>
      renditionKey(sourceAsset.assetId, withTag(tag, `240p/${file}`)),
    ),
  );
  const files = await Promise.all(
    ['init.mp4', '000001.m4s', '000002.m4s', '000003.m4s'].map((file) => getEncoded(`240p/${file}`)),
  );
  const path = samples.path('watched.mp4');
  writeFileSync(path, Buffer.concat(files.map(({ bytes }) => bytes)));
  expect(readDecodingErrors(path)).toBe('');
  expect(await auditStorage(ctx)).toEqual({ unowned: [], missing: [] });
});

/** The id of a process that encodes a segment; undefined if none runs. */
const findEncoderPid = () =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .find((pid) => {
      try {
        const command = readFileSync(`/proc/${pid}/cmdline`, 'latin1');
        return command.startsWith('ffmpeg') && command.includes(`${fixtures.dataDir}/scratch/rendition-`);
      } catch {
        return false;
      }
    });

test('segments ahead are requested only after the wait for the segment of the viewer has ended', async () => {
  const calls: string[] = [];
  const renditionRequests = {
    find: async () => {
      await new Promise((resolve) => setImmediate(resolve));
      calls.push('wait ended');
      return null;
    },
    findStored: () => Promise.resolve(null),
    requestAhead: (names: readonly { readonly file: string }[]) => {
      calls.push(...names.map(({ file }) => file));
      return Promise.resolve();
    },
  };
  const renditions = createServeRendition({ storage: viewerStorage, renditionRequests });
  const serve = createServeAsset({
    storage: viewerStorage,
    locate: (id) => locateAsset(ctx, id),
    renditions,
  });
  expect((await get('240p/000001.m4s', { serve })).status).toBe(200);
  expect(calls).toEqual(['wait ended', `${tag}000002.m4s`, `${tag}000003.m4s`]);
});

test('nothing is encoded after the last viewer has left', async () => {
  const countJobs = async () => {
    const backlog = (await queues.backlogs()).find(({ name }) => name === 'renditions');
    return backlog && backlog.waiting + backlog.active + backlog.delayed;
  };
  await expect.poll(countJobs, { timeout: BUSY_TIMEOUT_MS }).toBe(0);
  // Only requests add jobs, so an empty queue stays empty. Segment 3 was requested last, and two segments
  // ahead of a request are encoded: 1 to 5.
  expect(storedKeys.filter((key) => key.endsWith('.m4s'))).toHaveLength(5);
  expect(await isStored('240p/000005.m4s')).toBe(true);
  expect(await isStored('240p/000006.m4s')).toBe(false);
  expect(findEncoderPid()).toBeUndefined();
  const scratch = readdirSync(`${fixtures.dataDir}/scratch`);
  expect(scratch.filter((name) => name.startsWith('rendition-'))).toEqual([]);
});

test('a segment whose encoder is killed is encoded again', async () => {
  const answer = get('240p/000006.m4s');
  await expect.poll(findEncoderPid, { timeout: BUSY_TIMEOUT_MS, interval: 2 }).toBeDefined();
  const pid = findEncoderPid();
  // The process may just have ended.
  if (pid !== undefined) process.kill(Number(pid), 'SIGKILL');
  await answer;
  // If the job had ended, the file would stay missing without another request.
  await expect.poll(() => isStored('240p/000006.m4s'), { timeout: BUSY_TIMEOUT_MS }).toBe(true);
  expect(isCacheable(await get('240p/000006.m4s'))).toBe(true);
});

test('without free cores, viewers get the stored segments and otherwise the frames of the source', async () => {
  await expect.poll(() => isStored('240p/000005.m4s'), { timeout: BUSY_TIMEOUT_MS }).toBe(true);
  busyCores = 2;
  await expect.poll(() => encoder.slots, { timeout: BUSY_TIMEOUT_MS }).toBe(0);
  const files = ['init.mp4', '000005.m4s', '000000.m4s'];
  const [init, encodedSegment, substitute] = await Promise.all(
    files.map((file) => get(`240p/${file}`, second)),
  );
  if (!init || !encodedSegment || !substitute) throw new Error('an answer is missing');
  expect([isCacheable(encodedSegment), isCacheable(substitute)]).toEqual([true, false]);
  expect(substitute.headers).toEqual({ 'Content-Type': 'video/iso.segment', 'Cache-Control': 'no-store' });
  const path = samples.path('substituted.mp4');
  writeFileSync(path, Buffer.concat([init.bytes, substitute.bytes, encodedSegment.bytes]));
  expect(readDecodingErrors(path)).toBe('');
  expect(await isStored('240p/000000.m4s')).toBe(false);

  busyCores = 0;
  await expect.poll(() => encoder.slots, { timeout: BUSY_TIMEOUT_MS }).toBe(1);
  await getEncoded('240p/000000.m4s');
});

test('the least recently used files of renditions are deleted, and encoded again for the next viewer', async () => {
  await first.renditionRequests.recordUse();
  const rows = await db.renditionFile.findMany({ orderBy: { usedAt: 'asc' } });
  const totalBytes = rows.reduce((sum, row) => sum + row.bytes, 0);
  expect(rows.length).toBeGreaterThan(5);
  const oldestKey = renditionKey(sourceAsset.assetId, withTag(tag, '240p/000001.m4s'));
  await db.renditionFile.update({ where: { key: oldestKey }, data: { usedAt: new Date(0) } });
  const contextWithSmallerCache = {
    ...ctx,
    settings: { ...ctx.settings, renditionCacheBytes: totalBytes - 1 },
  };
  expect(await evictRenditions(ctx)).toBe(0);
  expect(await evictRenditions(contextWithSmallerCache)).toBeGreaterThan(0);
  expect(await storage.head(oldestKey)).toBeNull();
  expect(await db.renditionFile.count({ where: { key: oldestKey } })).toBe(0);
  expect(await isStored('240p/000005.m4s')).toBe(true);
  await getEncoded('240p/000001.m4s');
});

test('an asset has the renditions of its profiles that are not larger than the source, encoded before the first viewer', async () => {
  const { assetId, playbackId } = await receiveFile(
    fixtures,
    owner,
    samples.make('profiles.mp4', { seconds: 14, size: '320x180', fps: '10' }),
    [
      { name: 'Tiny', width: 160, height: 128, bitrate: 100_000, fps: 0 },
      { name: 'Large', width: 1920, height: 1080, bitrate: 100_000, fps: 0 },
    ],
  );
  await work.drain();
  expect((await fixtures.assetRow(assetId)).renditionsDueAt).not.toBeNull();
  await planRenditions(ctx, queues);
  const playlist = await viewerStorage.read(assetKey(assetId, 'hls/source/index.m3u8'));
  const ownTag = playlist ? tagIn(await text(playlist)) : '';
  const key = renditionKey(assetId, withTag(ownTag, '90p/000001.m4s'));
  await expect.poll(() => storage.head(key), { timeout: BUSY_TIMEOUT_MS }).not.toBeNull();
  await expect
    .poll(
      async () => {
        await planRenditions(ctx, queues);
        return (await fixtures.assetRow(assetId)).renditionsDueAt;
      },
      { timeout: BUSY_TIMEOUT_MS },
    )
    .toBeNull();
  const { body = [] } = await first.serve({
    path: `/${playbackId}/index.m3u8`,
    download: false,
    headers: {},
  });
  const master = Buffer.concat([...body].map((part) => Buffer.from(part))).toString();
  expect(master.split('\n').filter((line) => line !== '' && !line.startsWith('#'))).toEqual([
    'source/index.m3u8',
    '90p/index.m3u8',
  ]);
  await db.asset.update({ where: { id: assetId }, data: { deletedAt: new Date(0) } });
});

test('the renditions of a deleted asset are deleted with its files', async () => {
  await db.asset.update({ where: { id: sourceAsset.assetId }, data: { deletedAt: new Date(0) } });
  await deleteBytes(ctx);
  expect(await db.renditionFile.count()).toBe(0);
  for await (const { key } of storage.list(renditionPrefix(sourceAsset.assetId))) expect.unreachable(key);
});
