import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '@/lib/infra/clock';
import { openDatabase } from '@/lib/infra/db';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import type { HttpServer } from '@/media-worker/kit/http/listen';
import { createWorkerFixtures } from '@/media-worker/testing/worker-fixtures';
import { createSampleFiles } from '@/media-worker/vod/testing/sample-files';
import { withoutProgram } from '@/media-worker/vod/testing/without-program';
import { NodeFinder } from '@/media-worker/delivery/origin/live/find-node';
import { LiveProxy } from '@/media-worker/delivery/origin/live/live-proxy';
import { LiveSource } from '@/media-worker/delivery/origin/live/live-source';
import { startOrigin } from '@/media-worker/delivery/origin/server';
import { noRecordings } from '@/media-worker/delivery/origin/testing/no-recordings';
import { admitAllViewers } from '@/media-worker/delivery/origin/testing/admit-all-viewers';
import { ignoreViewers } from '@/media-worker/delivery/origin/testing/ignore-viewers';
import { putFolder, putUpload } from './upload-put';
import { uploadFolder } from './upload-store';
import { openTusUploads } from './upload-tus';

const { ctx, db, dataDir, createTeamContext, storage, createUpload, assetRow, taskRow } =
  createWorkerFixtures(await createTestDatabase());
const owner = await createTeamContext();
const samples = createSampleFiles();
const mp4File = readFileSync(samples.make('good.mp4'));
const otherVideo = readFileSync(samples.make('other.mp4', { seconds: 1 }));
const nothingLive = new LiveSource({
  nodes: new NodeFinder(() => Promise.resolve(null), systemClock),
  proxy: new LiveProxy({ fetch: () => Promise.reject(new Error('nothing is live')) }),
});
const unreachableDb = openDatabase('postgresql://unknown@127.0.0.1:1/nothing', { max: 1 });
let origin: HttpServer;

beforeAll(async () => {
  origin = await startOrigin({
    watch: ignoreViewers,
    guard: admitAllViewers,
    onDelivery: () => undefined,
    host: '127.0.0.1',
    port: 0,
    log: ctx.log,
    live: nothingLive,
    serveAsset: () => Promise.reject(new Error('no asset here')),
    serveIpfs: () => Promise.reject(new Error('no copy here')),
    serveUploadedPicture: () => Promise.reject(new Error('no picture here')),
    uploads: {
      put: (request) => putUpload(ctx, request),
      logo: () => Promise.reject(new Error('no logo here')),
      slate: () => Promise.reject(new Error('no picture here')),
      poster: () => Promise.reject(new Error('no picture here')),
      tus: openTusUploads(ctx),
    },
    recordings: noRecordings,
  });
});
afterAll(async () => {
  await origin.close();
  await unreachableDb.$disconnect();
  samples.remove();
});

const localUrl = (url: string): string => {
  const { pathname, search } = new URL(url);
  return `http://127.0.0.1:${origin.port}${pathname}${search}`;
};
const put = (url: string, body: Buffer) =>
  fetch(localUrl(url), { method: 'PUT', body: new Uint8Array(body) });
const tus = { 'Tus-Resumable': '1.0.0' };
const create = async (endpoint: string, bytes: number) => {
  const headers = { ...tus, 'Upload-Length': String(bytes) };
  const response = await fetch(localUrl(endpoint), { method: 'POST', headers });
  expect(response.status).toBe(201);
  return localUrl(response.headers.get('location') ?? '');
};
const patch = (url: string, offset: number, body: Buffer) =>
  fetch(url, {
    method: 'PATCH',
    headers: {
      ...tus,
      'Upload-Offset': String(offset),
      'Content-Type': 'application/offset+octet-stream',
    },
    body: new Uint8Array(body),
  });
const offsetAt = async (url: string) => {
  const response = await fetch(url, { method: 'HEAD', headers: tus });
  return [response.status, response.headers.get('upload-offset')];
};
const keptFiles = () => [...readdirSync(uploadFolder(dataDir)), ...readdirSync(putFolder(dataDir))];
/** Sweeps like a new process, which has no memory of earlier attempts. */
const sweep = () => openTusUploads(ctx).sweep();

/** Lets the update that ends an upload fail with the error of a PostgreSQL that shuts down. */
async function withFailingUpdates(work: () => Promise<void>): Promise<void> {
  await db.$executeRaw`
    create function away() returns trigger language plpgsql as
    $$ begin raise exception 'terminating connection' using errcode = '57P01'; end $$`;
  await db.$executeRaw`
    create trigger away before update on "Asset" for each row
    when (old."phase" = 'uploading' and new."phase" in ('processing', 'failed')) execute function away()`;
  try {
    await work();
  } finally {
    await db.$executeRaw`drop function away() cascade`;
  }
}

/** Makes the storage folder unwritable. */
async function withoutStorage(work: () => Promise<void>): Promise<void> {
  const parts = join(dataDir, 'storage', 'parts');
  rmSync(parts, { recursive: true, force: true });
  writeFileSync(parts, 'no folder');
  try {
    await work();
  } finally {
    rmSync(parts);
  }
}

const faults: [string, (work: () => Promise<void>) => Promise<void>][] = [
  ['without ffprobe', (work) => withoutProgram('ffprobe', work)],
  ['without writable storage', withoutStorage],
  ['while the database shuts down', withFailingUpdates],
];

describe('an internal fault does not fail the file', () => {
  test.each(faults)(
    'a PUT %s is kept and accepted later, and sending the same file again succeeds',
    async (_, withFault) => {
      const { url, assetId, taskId, playbackId } = await createUpload(owner);
      await withFault(async () => {
        const response = await put(url, mp4File);
        expect(response.status).toBe(503);
        expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
        expect(((await response.json()) as { errors: string[] }).errors[0]).toMatch(/kept/);
        expect((await assetRow(assetId)).phase).toBe('waiting');
        await sweep();
        expect((await assetRow(assetId)).phase).toBe('waiting');
        // The bytes and their metadata.
        expect(keptFiles()).toHaveLength(2);
      });
      await sweep();
      expect(await assetRow(assetId)).toMatchObject({ phase: 'processing', size: BigInt(mp4File.length) });
      expect((await taskRow(taskId)).phase).toBe('waiting');
      expect((await storage.head(`directUpload/${playbackId}/source`))?.bytes).toBe(mp4File.length);
      expect(keptFiles()).toEqual([]);
      expect((await put(url, otherVideo)).status).toBe(422);
      expect((await put(url, mp4File)).status).toBe(200);
    },
  );

  test.each(faults)(
    'a PUT %s can be repeated with another file, which is accepted afterwards',
    async (_, withFault) => {
      const { url, assetId } = await createUpload(owner);
      await withFault(async () => {
        expect((await put(url, otherVideo)).status).toBe(503);
        expect((await put(url, mp4File)).status).toBe(503);
      });
      expect((await put(url, mp4File)).status).toBe(200);
      expect(await assetRow(assetId)).toMatchObject({ phase: 'processing', size: BigInt(mp4File.length) });
      expect(keptFiles()).toEqual([]);
    },
  );

  test.each(faults)(
    'a tus upload that completes %s keeps its bytes, and is accepted afterwards',
    async (_, withFault) => {
      const { tusEndpoint, assetId } = await createUpload(owner);
      const url = await create(tusEndpoint, mp4File.length);
      expect((await patch(url, 0, mp4File.subarray(0, 1_000))).status).toBe(204);
      await withFault(async () => {
        const response = await patch(url, 1_000, mp4File.subarray(1_000));
        expect(response.status).toBe(503);
        expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
        expect(await offsetAt(url)).toEqual([200, String(mp4File.length)]);
        await sweep();
        expect(await offsetAt(url)).toEqual([200, String(mp4File.length)]);
      });
      await sweep();
      expect((await assetRow(assetId)).phase).toBe('processing');
      expect(keptFiles()).toEqual([]);
      expect(await offsetAt(url)).toEqual([200, String(mp4File.length)]);
    },
  );

  test('the processing of a complete upload is retried after 15 s', async () => {
    const { tusEndpoint, assetId } = await createUpload(owner);
    const url = await create(tusEndpoint, mp4File.length);
    const uploads = openTusUploads({ ...ctx, clock: { ...systemClock, monotonic: () => now } });
    let now = 0;
    await withoutProgram('ffprobe', async () => {
      await patch(url, 0, mp4File);
      await uploads.sweep();
    });
    await uploads.sweep();
    expect((await assetRow(assetId)).phase).toBe('uploading');
    now += 15_001;
    await uploads.sweep();
    expect((await assetRow(assetId)).phase).toBe('processing');
  });

  test('a client still learns that its upload is complete after the asset failed', async () => {
    const { tusEndpoint, assetId } = await createUpload(owner);
    const url = await create(tusEndpoint, mp4File.length);
    expect((await patch(url, 0, mp4File)).status).toBe(204);
    await db.asset.update({ where: { id: assetId }, data: { phase: 'failed', errorMessage: 'cancelled' } });
    expect(await offsetAt(url)).toEqual([200, String(mp4File.length)]);
  });

  test('while the database is unreachable, the offset of an upload is answered with 503 instead of 404', async () => {
    const { tusEndpoint } = await createUpload(owner);
    const url = await create(tusEndpoint, mp4File.length);
    expect((await patch(url, 0, mp4File)).status).toBe(204);
    const originWithoutDatabase = await startOrigin({
      watch: ignoreViewers,
      guard: admitAllViewers,
      onDelivery: () => undefined,
      host: '127.0.0.1',
      port: 0,
      log: ctx.log,
      live: nothingLive,
      serveAsset: () => Promise.reject(new Error('no asset here')),
      serveIpfs: () => Promise.reject(new Error('no copy here')),
      serveUploadedPicture: () => Promise.reject(new Error('no picture here')),
      uploads: {
        put: (request) => putUpload({ ...ctx, db: unreachableDb }, request),
        logo: () => Promise.reject(new Error('no logo here')),
        slate: () => Promise.reject(new Error('no picture here')),
        poster: () => Promise.reject(new Error('no picture here')),
        tus: openTusUploads({ ...ctx, db: unreachableDb }),
      },
      recordings: noRecordings,
    });
    try {
      const otherUrl = url.replace(String(origin.port), String(originWithoutDatabase.port));
      const response = await fetch(otherUrl, { method: 'HEAD', headers: tus });
      expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5']);
    } finally {
      await originWithoutDatabase.close();
    }
  });
});
