import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { importAsset } from '@/lib/domain/assets';
import { systemClock } from '@/lib/infra/clock';
import { freeDiskSpace } from '@/lib/infra/storage/disk-space';
import { mountSmallDisk } from '@/lib/infra/testing/small-disk';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import type { HttpServer } from '@/media-worker/kit/http/listen';
import { importAssetJob } from '@/media-worker/vod/import/import-asset';
import { createTaskRunner } from '@/media-worker/vod/tasks/testing/run-tasks';
import { NodeFinder } from '@/media-worker/delivery/origin/live/find-node';
import { LiveProxy } from '@/media-worker/delivery/origin/live/live-proxy';
import { LiveSource } from '@/media-worker/delivery/origin/live/live-source';
import { startOrigin } from '@/media-worker/delivery/origin/server';
import { noRecordings } from '@/media-worker/delivery/origin/testing/no-recordings';
import { admitAllViewers } from '@/media-worker/delivery/origin/testing/admit-all-viewers';
import { ignoreViewers } from '@/media-worker/delivery/origin/testing/ignore-viewers';
import { putUpload } from '@/media-worker/delivery/uploads/upload-put';
import { openTusUploads } from '@/media-worker/delivery/uploads/upload-tus';
import { Spool } from '@/media-worker/recording/spool';
import { storeSpool } from '@/media-worker/recording/testing/store-spool';
import { createWorkerFixtures } from '@/media-worker/testing/worker-fixtures';
import { createSampleFiles } from '@/media-worker/vod/testing/sample-files';

const MIB = 1024 ** 2;
const DISK_BYTES = 24 * MIB;
/** Small disk for the tests that fill it, which are skipped if no file system can be mounted. CI can mount one. */
const disk = mountSmallDisk(DISK_BYTES);
const settings = { maxUploadBytes: 2 ** 42, egressAllowCidrs: ['127.0.0.1/32'] };
const fixtures = createWorkerFixtures(await createTestDatabase(), {
  ...settings,
  ...(disk ? { dataDir: disk.path } : {}),
});
const { ctx, createUpload, assetRow, taskRow } = fixtures;
const owner = await fixtures.createTeamContext();
const samples = createSampleFiles();
const validFile = readFileSync(samples.make('good.mp4'));
const work = createTaskRunner(ctx, { import: importAssetJob });
const diskFullBody = { errors: ['There is not enough disk space for this file.'] };
let origin: HttpServer;

beforeAll(async () => {
  origin = await startOrigin({
    host: '127.0.0.1',
    port: 0,
    log: ctx.log,
    watch: ignoreViewers,
    guard: admitAllViewers,
    onDelivery: () => undefined,
    live: new LiveSource({
      nodes: new NodeFinder(() => Promise.resolve(null), systemClock),
      proxy: new LiveProxy({ fetch: () => Promise.reject(new Error('nothing is live')) }),
    }),
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
  await work.close();
  await origin.close();
  disk?.remove();
  samples.remove();
});

const localUrl = (url: string): string => {
  const { pathname, search } = new URL(url);
  return `http://127.0.0.1:${origin.port}${pathname}${search}`;
};
const put = (url: string, body: BodyInit) =>
  fetch(localUrl(url), { method: 'PUT', body, duplex: 'half' } as RequestInit);
const tus = (url: string, method: string, headers: Record<string, string>, body?: BodyInit) =>
  fetch(localUrl(url), {
    method,
    headers: { 'Tus-Resumable': '1.0.0', ...headers },
    ...(body === undefined ? {} : { body, duplex: 'half' }),
  });
/** A body without a declared length. */
const bodyOfUnknownLength = (bytes: number) =>
  Readable.toWeb(Readable.from(blocks(bytes))) as unknown as ReadableStream<Uint8Array>;
function* blocks(bytes: number) {
  for (let sentBytes = 0; sentBytes < bytes; sentBytes += MIB) yield Buffer.alloc(MIB);
}

describe('a declared length above the free disk space', () => {
  test('a PUT is rejected before its body is read, and can be repeated', async () => {
    const { url, assetId } = await createUpload(owner);
    const status = await new Promise<number>((resolve, reject) => {
      const { port, pathname, search } = new URL(localUrl(url));
      void import('node:http').then(({ request }) => {
        const options = {
          port,
          path: pathname + search,
          method: 'PUT',
          headers: { 'Content-Length': 2 ** 41 },
        };
        const sending = request({ host: '127.0.0.1', ...options }, (reply) => {
          resolve(reply.statusCode ?? 0);
          sending.destroy();
        });
        sending.on('error', reject);
        sending.flushHeaders();
      });
    });
    expect(status).toBe(507);
    expect(await assetRow(assetId)).toMatchObject({ phase: 'waiting' });
    expect((await put(url, validFile)).status).toBe(200);
  });

  test('a resumable upload is rejected when it is created', async () => {
    const { tusEndpoint, assetId } = await createUpload(owner);
    const rejectedResponse = await tus(tusEndpoint, 'POST', { 'Upload-Length': String(2 ** 41) });
    expect([rejectedResponse.status, await rejectedResponse.json()]).toMatchObject([507, diskFullBody]);
    expect(await assetRow(assetId)).toMatchObject({ phase: 'waiting' });
  });
});

describe.skipIf(disk === null)('a disk that fills up (needs the right to mount)', () => {
  const folder = disk?.path ?? '';
  const ballast = join(folder, 'ballast');
  afterEach(() => rmSync(ballast, { force: true }));
  const listPutFiles = () => readdirSync(join(folder, 'uploads', 'put'));

  test('a PUT of unknown length that does not fit is stopped, leaves no file behind, and can be repeated', async () => {
    const { url, assetId } = await createUpload(owner);
    const answer = await put(url, bodyOfUnknownLength(2 * DISK_BYTES));
    expect([answer.status, await answer.json()]).toMatchObject([507, diskFullBody]);
    expect(listPutFiles()).toEqual([]);
    expect(await assetRow(assetId)).toMatchObject({ phase: 'waiting', uploadLease: null });
    expect((await put(url, validFile)).status).toBe(200);
  });

  test('a PUT is stopped when another file has used its space', async () => {
    const { url } = await createUpload(owner);
    const body = Readable.from(
      (function* () {
        yield Buffer.alloc(MIB);
        // Leaves less than 6 MiB for the remaining 12 MiB of the body.
        writeFileSync(ballast, Buffer.alloc(DISK_BYTES - 6 * MIB));
        yield* blocks(DISK_BYTES / 2);
      })(),
    );
    const answer = await put(url, Readable.toWeb(body) as unknown as ReadableStream<Uint8Array>);
    expect(answer.status).toBe(507);
    expect(listPutFiles()).toEqual([]);
  });

  test('a resumable upload is rejected while the disk is full, and accepted when there is space', async () => {
    const { tusEndpoint, assetId } = await createUpload(owner);
    const createResponse = await tus(tusEndpoint, 'POST', { 'Upload-Length': String(validFile.length) });
    const location = createResponse.headers.get('location') ?? '';
    writeFileSync(ballast, Buffer.alloc(DISK_BYTES - 3 * MIB));
    while ((await freeDiskSpace(folder)) > 0) writeFileSync(ballast, Buffer.alloc(MIB), { flag: 'a' });
    const patch = () =>
      tus(
        location,
        'PATCH',
        { 'Upload-Offset': '0', 'Content-Type': 'application/offset+octet-stream' },
        validFile,
      );
    const rejectedResponse = await patch();
    expect([rejectedResponse.status, await rejectedResponse.json()]).toMatchObject([507, diskFullBody]);
    rmSync(ballast);
    expect((await patch()).status).toBe(204);
    expect(await assetRow(assetId)).toMatchObject({ phase: 'processing' });
  });

  test.each([true, false])(
    'an import waits for disk space and reports the reason (declared length: %s)',
    async (isLengthDeclared) => {
      const server = createServer((_, response) => {
        if (isLengthDeclared) response.writeHead(200, { 'Content-Length': 2 * DISK_BYTES });
        Readable.from(blocks(2 * DISK_BYTES)).pipe(response);
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const { port } = server.address() as AddressInfo;
      const { task } = await importAsset(owner, {
        url: `http://127.0.0.1:${port}/${isLengthDeclared}.mp4`,
        name: 'x',
      });
      await work.once();
      server.closeAllConnections();
      server.close();
      expect(await taskRow(task.id)).toMatchObject({
        phase: 'waiting',
        retries: 1,
        errorMessage: 'there was no room left to store the result',
      });
      expect(await freeDiskSpace(folder)).toBeGreaterThan(DISK_BYTES / 2);
      expect(await ctx.db.task.deleteMany({ where: { id: task.id } })).toEqual({ count: 1 });
    },
  );

  test('a spool on a full disk fails with ENOSPC, and the segments written before are stored completely', async () => {
    const spool = new Spool(folder);
    const add = () => {
      for (let n = 0; n < 40; n++) spool.write('full', { file: `${n}`, content: [Buffer.alloc(MIB, n)] });
    };
    expect(add).toThrow('ENOSPC');
    await storeSpool(spool, ctx.storage);
    let storedCount = 0;
    for await (const { key, bytes } of ctx.storage.list('recording/')) {
      expect([key, bytes]).toEqual([key, MIB]);
      storedCount += 1;
    }
    expect(storedCount).toBeGreaterThan(5);
    expect(await buffer((await ctx.storage.read('recording/full/0')) ?? Readable.from([]))).toHaveLength(MIB);
    expect(readdirSync(join(folder, 'storage', 'parts', 'others'))).toEqual([]);
    await ctx.storage.deletePrefix('recording/full/');
  });
});
