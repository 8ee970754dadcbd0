import { execFile, execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Upload } from 'tus-js-client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { deleteAsset, getAsset, locateAsset, deleteBytes } from '@/lib/domain/assets';
import { systemClock } from '@/lib/infra/clock';
import { startS3Server } from '@/lib/infra/storage/testing/s3-server';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { findRecordedSession } from '@/lib/domain/sessions';
import type { HttpServer } from '@/media-worker/kit/http/listen';
import { finishSession } from '@/media-worker/recording/finish-session';
import { importAssetJob } from '@/media-worker/vod/import/import-asset';
import { makeDueStoryboards, createTaskRunner } from '@/media-worker/vod/tasks/testing/run-tasks';
import { Packaging } from '@/media-worker/media/packaging/testing/packaging';
import { NodeFinder } from '@/media-worker/delivery/origin/live/find-node';
import { LookupCache } from '@/media-worker/delivery/origin/lookup-cache';
import { LiveProxy } from '@/media-worker/delivery/origin/live/live-proxy';
import { LiveSource } from '@/media-worker/delivery/origin/live/live-source';
import { createServeAsset } from '@/media-worker/delivery/origin/stored/serve-asset';
import { createIndexedReads } from '@/media-worker/vod/index/indexed-reads';
import { startOrigin } from '@/media-worker/delivery/origin/server';
import { admitAllViewers } from '@/media-worker/delivery/origin/testing/admit-all-viewers';
import { ignoreViewers } from '@/media-worker/delivery/origin/testing/ignore-viewers';
import { putUpload } from '@/media-worker/delivery/uploads/upload-put';
import { openTusUploads } from '@/media-worker/delivery/uploads/upload-tus';
import { createRecordedSessions } from '@/media-worker/recording/testing/recorded-session';
import { createWorkerFixtures } from '@/media-worker/testing/worker-fixtures';
import { createSampleFiles } from '@/media-worker/vod/testing/sample-files';

const s3 = await startS3Server();
const fixtures = createWorkerFixtures(await createTestDatabase(), { s3: s3.settings });
const { ctx, db, storage, dataDir, createUpload } = fixtures;
const owner = await fixtures.createTeamContext();
const samples = createSampleFiles();
const sessions = await createRecordedSessions(storage);
const path = samples.make('a.mp4', { seconds: 4 });
const file = readFileSync(path);
const work = createTaskRunner(ctx, { import: importAssetJob });
let origin: HttpServer;

beforeAll(async () => {
  const findNoNode = () => Promise.resolve(null);
  const settings = {
    ...ctx.settings,
    /** The URL is known once the server has its port. */
    get uploadUrl() {
      return `http://127.0.0.1:${origin.port}`;
    },
  };
  const findSession = (id: string) => findRecordedSession(ctx, id);
  origin = await startOrigin({
    host: '127.0.0.1',
    port: 0,
    log: ctx.log,
    watch: ignoreViewers,
    guard: admitAllViewers,
    onDelivery: () => undefined,
    live: new LiveSource({
      nodes: new NodeFinder(findNoNode, systemClock),
      proxy: new LiveProxy({ fetch: () => Promise.reject(new Error('nothing is live')) }),
    }),
    serveAsset: createServeAsset({
      storage: createIndexedReads(storage),
      locate: (id) => locateAsset(ctx, id),
    }),
    serveIpfs: () => Promise.reject(new Error('no copy here')),
    serveUploadedPicture: () => Promise.reject(new Error('no picture here')),
    uploads: {
      put: (request) => putUpload(ctx, request),
      logo: () => Promise.reject(new Error('no logo here')),
      slate: () => Promise.reject(new Error('no picture here')),
      poster: () => Promise.reject(new Error('no picture here')),
      tus: openTusUploads({ ...ctx, settings }),
    },
    recordings: { storage, sessions: new LookupCache(findSession, systemClock) },
  });
});
afterAll(async () => {
  await work.close();
  await origin.close();
  await s3.close();
  await sessions.remove();
  samples.remove();
});

/** Replaces host and port of a public URL by those of this test. */
const localUrl = (url: string): string => {
  const { pathname, search } = new URL(url);
  return `http://127.0.0.1:${origin.port}${pathname}${search}`;
};

/** Number of frames that an independent player decodes. */
async function framesAt(url: string): Promise<number> {
  const args = ['-v', 'error', '-count_frames', '-select_streams', 'v', '-of', 'json'];
  const probe = [...args, '-show_entries', 'stream=nb_read_frames', url];
  const { stdout } = await promisify(execFile)('ffprobe', probe, { timeout: 100_000 });
  const { streams } = JSON.parse(stdout) as { streams: { nb_read_frames: string }[] };
  return Number(streams[0]?.nb_read_frames);
}

async function keysBelow(prefix: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of storage.list(prefix)) keys.push(key);
  return keys;
}

test('an upload becomes an asset that plays and downloads, and its bytes are deleted with it', async () => {
  const { url, assetId } = await createUpload(owner);
  expect((await fetch(localUrl(url), { method: 'PUT', body: file })).status).toBe(200);
  await work.drain();
  await makeDueStoryboards(ctx);
  const asset = await getAsset(owner, assetId);
  const sha256 = execFileSync('sha256sum', [path]).toString().split(' ')[0];
  expect(asset).toMatchObject({
    status: { phase: 'ready' },
    size: file.length,
    hash: [{ algorithm: 'md5' }, { algorithm: 'sha256', hash: sha256 }],
  });
  // Four seconds with ten frames per second.
  expect(await framesAt(localUrl(asset.playbackUrl ?? ''))).toBe(40);
  expect(await framesAt(localUrl(asset.downloadUrl ?? ''))).toBe(40);
  const source = localUrl(asset.downloadUrl ?? '').replace(/video$/, 'source');
  const rangeResponse = await fetch(source, { headers: { range: 'bytes=1000-1999' } });
  expect([rangeResponse.status, rangeResponse.headers.get('content-range')]).toEqual([
    206,
    `bytes 1000-1999/${file.length}`,
  ]);
  expect(Buffer.from(await rangeResponse.arrayBuffer()).equals(file.subarray(1_000, 2_000))).toBe(true);
  const response = await fetch(source);
  expect(Buffer.from(await response.arrayBuffer()).equals(file)).toBe(true);
  const revalidation = await fetch(source, {
    headers: { 'if-none-match': response.headers.get('etag') ?? '' },
  });
  expect(revalidation.status).toBe(304);
  expect((await fetch(source.replace(/source$/, 'storyboard.vtt'))).status).toBe(200);

  expect((await keysBelow(`asset/${assetId}/`)).length).toBeGreaterThan(4);
  expect(existsSync(join(dataDir, 'storage', 'objects'))).toBe(false);
  await deleteAsset(owner, assetId);
  await db.asset.update({ where: { id: assetId }, data: { deletedAt: new Date(0) } });
  expect(await deleteBytes(ctx)).toBe(1);
  expect(await keysBelow(`asset/${assetId}/`)).toEqual([]);
});

test('a resumable upload becomes a ready asset', async () => {
  const { tusEndpoint, assetId } = await createUpload(owner);
  await new Promise<void>((resolve, reject) => {
    new Upload(file, {
      endpoint: localUrl(tusEndpoint),
      retryDelays: null,
      chunkSize: 16_384,
      onSuccess: () => resolve(),
      onError: reject,
    }).start();
  });
  await work.drain();
  expect((await getAsset(owner, assetId)).status.phase).toBe('ready');
});

test('a recorded session becomes an asset, and both play', async () => {
  const { teamId } = owner.actor;
  const parent = await fixtures.createStream(teamId, { record: true });
  const sessionData = { teamId, parentId: parent.id, name: 'Town hall', playbackId: parent.playbackId };
  const endedRecording = {
    record: true,
    state: 'ended',
    recording: 'processing',
    endedAt: new Date(),
  } as const;
  const { id } = await db.session.create({ data: { ...sessionData, ...endedRecording } });
  const picture = ['-f', 'lavfi', '-i', 'testsrc2=size=160x90:rate=10'];
  const encoder = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', '10'];
  const { packets } = await sessions.encodePackets(5, ...picture, ...encoder);
  const packaging = new Packaging();
  packaging.run(packets);
  await sessions.store(id, packaging);

  const stateOf = async () => (await db.session.findUniqueOrThrow({ where: { id } })).recording;
  const finishStep = async () => {
    await finishSession(ctx, id, {
      inSpool: () => Promise.resolve(false),
      signal: AbortSignal.timeout(100_000),
    });
    await work.drain();
    return stateOf();
  };
  await expect.poll(finishStep).toBe('ready');
  // Five seconds with ten frames per second.
  expect(await framesAt(localUrl(`http://x/recordings/${id}/index.m3u8`))).toBe(50);
  expect(await framesAt(localUrl(`http://x/recordings/${id}/source.mp4`))).toBe(50);
  const asset = await db.asset.findFirstOrThrow({ where: { sourceSessionId: id } });
  expect(await framesAt(localUrl((await getAsset(owner, asset.id)).playbackUrl ?? ''))).toBe(50);
});
