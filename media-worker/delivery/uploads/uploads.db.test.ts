import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expireUploads } from '@/lib/domain/assets';
import { systemClock } from '@/lib/infra/clock';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import type { HttpServer } from '@/media-worker/kit/http/listen';
import { createWorkerFixtures } from '@/media-worker/testing/worker-fixtures';
import { createSampleFiles } from '@/media-worker/vod/testing/sample-files';
import { NodeFinder } from '@/media-worker/delivery/origin/live/find-node';
import { LiveProxy } from '@/media-worker/delivery/origin/live/live-proxy';
import { LiveSource } from '@/media-worker/delivery/origin/live/live-source';
import { startOrigin } from '@/media-worker/delivery/origin/server';
import { putFolder, putUpload, deleteAbandonedPuts, uploadTimings } from './upload-put';
import { openTusUploads } from './upload-tus';
import { noRecordings } from '@/media-worker/delivery/origin/testing/no-recordings';
import { admitAllViewers } from '@/media-worker/delivery/origin/testing/admit-all-viewers';
import { ignoreViewers } from '@/media-worker/delivery/origin/testing/ignore-viewers';

const MAX_UPLOAD_BYTES = 3_000_000;
const fixtures = createWorkerFixtures(await createTestDatabase(), { maxUploadBytes: MAX_UPLOAD_BYTES });
const { ctx, db, dataDir, storage, createUpload, assetRow, taskRow } = fixtures;
const owner = await fixtures.createTeamContext();
const samples = createSampleFiles();
const mp4File = readFileSync(samples.make('good.mp4'));
const hevc = readFileSync(
  samples.make('hevc.mp4', {
    video: ['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', 'log-level=none'],
  }),
);
let origin: HttpServer;

beforeAll(async () => {
  const findNoNode = () => Promise.resolve(null);
  const timings = { idleTimeoutMs: 2_000, leaseRenewalMs: 100 };
  origin = await startOrigin({
    watch: ignoreViewers,
    guard: admitAllViewers,
    onDelivery: () => undefined,
    host: '127.0.0.1',
    port: 0,
    log: ctx.log,
    live: new LiveSource({
      nodes: new NodeFinder(findNoNode, systemClock),
      proxy: new LiveProxy({ fetch: () => Promise.reject(new Error('nothing is live')) }),
    }),
    serveAsset: () => Promise.reject(new Error('no asset here')),
    serveIpfs: () => Promise.reject(new Error('no copy here')),
    serveUploadedPicture: () => Promise.reject(new Error('no picture here')),
    uploads: {
      put: (request) => putUpload(ctx, request, timings),
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
  samples.remove();
});

/** The public URL, at the port of this test. */
const localUrl = (url: string): string => {
  const { pathname, search } = new URL(url);
  return `http://127.0.0.1:${origin.port}${pathname}${search}`;
};
const put = (url: string, body: BodyInit | null, headers: Record<string, string> = {}) =>
  fetch(localUrl(url), { method: 'PUT', body, headers, duplex: 'half' } as RequestInit);
const storedBytes = async (playbackId: string) => {
  const file = await storage.read(`directUpload/${playbackId}/source`);
  return file && (await buffer(file));
};
const checksumOf = (program: string, file: string) => execFileSync(program, [file]).toString().split(' ')[0];

/** A PUT that sends part of its body and then waits. */
function beginPut(url: string, contentLength: number, firstBytes: Buffer) {
  const { port, pathname, search } = new URL(localUrl(url));
  const request = httpRequest({
    host: '127.0.0.1',
    port,
    path: `${pathname}${search}`,
    method: 'PUT',
    headers: { 'Content-Length': contentLength },
  });
  const answer = new Promise<number | string>((resolve) => {
    request.on('response', (response) => resolve(response.statusCode ?? 0));
    request.on('error', (error) => resolve(error.message));
  });
  request.write(firstBytes);
  return { request, answer };
}

describe('PUT', () => {
  test('stores the file with its hashes, and the task becomes due', async () => {
    const { url, assetId, playbackId, taskId } = await createUpload(owner);
    const response = await put(url, mp4File, { 'Content-Type': 'video/mp4' });
    expect([response.status, await response.text()]).toEqual([200, '']);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect((await storedBytes(playbackId))?.equals(mp4File)).toBe(true);
    const file = samples.path('good.mp4');
    expect(await assetRow(assetId)).toMatchObject({
      phase: 'processing',
      size: BigInt(mp4File.length),
      hash: [
        { algorithm: 'md5', hash: checksumOf('md5sum', file) },
        { algorithm: 'sha256', hash: checksumOf('sha256sum', file) },
      ],
      videoSpec: { format: 'mp4', tracks: [{ codec: 'h264' }, { codec: 'aac' }] },
      uploadLease: null,
    });
    expect(await taskRow(taskId)).toMatchObject({ phase: 'waiting', scheduledAt: expect.any(Date) as Date });
    expect(readdirSync(putFolder(dataDir))).toEqual([]);
  });

  test('accepts a body without a declared length, and ignores other request headers', async () => {
    const { url, assetId } = await createUpload(owner);
    const body = Readable.toWeb(
      Readable.from([mp4File.subarray(0, 99), mp4File.subarray(99)]),
    ) as unknown as BodyInit;
    const response = await put(url, body, { contentType: 'video/mp4', Authorization: 'Bearer whatever' });
    expect(response.status).toBe(200);
    expect(await assetRow(assetId)).toMatchObject({ phase: 'processing' });
  });

  test('rejects a second file, and keeps the first', async () => {
    const { url, playbackId } = await createUpload(owner);
    expect((await put(url, mp4File)).status).toBe(200);
    const response = await put(url, hevc);
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({ errors: ['asset has already been uploaded'] });
    expect((await storedBytes(playbackId))?.equals(mp4File)).toBe(true);
  });

  test('answers with the reason why a file is rejected, and fails asset and task with the same message', async () => {
    const { url, assetId, playbackId, taskId } = await createUpload(owner);
    const response = await put(url, hevc);
    const reason = 'video codec is HEVC; H.264 is accepted';
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({ errors: [reason] });
    expect(await assetRow(assetId)).toMatchObject({ phase: 'failed', errorMessage: reason });
    expect(await taskRow(taskId)).toMatchObject({ phase: 'failed', errorMessage: reason });
    // A retry may convert the file.
    expect((await storedBytes(playbackId))?.equals(hevc)).toBe(true);
    expect(await (await put(url, mp4File)).json()).toMatchObject({
      errors: [`this upload failed: ${reason}`],
    });
  });

  test.each([
    ['an empty file', Buffer.alloc(0), 'the file is empty'],
    ['text', Buffer.from('hello'), 'the file is not an MP4'],
    ['half of an MP4', mp4File.subarray(0, mp4File.length / 2), /^the file is incomplete/],
  ])('rejects %s', async (_, body, reason) => {
    const { url } = await createUpload(owner);
    const response = await put(url, body);
    const { errors } = (await response.json()) as { errors: string[] };
    expect(response.status).toBe(422);
    expect(errors[0]).toMatch(reason);
  });

  test('leaves the URL usable after an interrupted upload', async () => {
    const { url, assetId } = await createUpload(owner);
    const { request, answer } = beginPut(url, mp4File.length, mp4File.subarray(0, 5_000));
    await expect.poll(async () => (await assetRow(assetId)).phase).toBe('uploading');
    request.destroy();
    await answer;
    await expect.poll(async () => (await assetRow(assetId)).phase).toBe('waiting');
    await expect.poll(() => readdirSync(putFolder(dataDir))).toEqual([]);
    expect((await put(url, mp4File)).status).toBe(200);
  });

  test('rejects a silent client with 408, and accepts a slow one', async () => {
    const silentUpload = await createUpload(owner);
    expect(await beginPut(silentUpload.url, mp4File.length, mp4File.subarray(0, 5_000)).answer).toBe(408);
    const slowUpload = await createUpload(owner);
    const { request, answer } = beginPut(slowUpload.url, mp4File.length, mp4File.subarray(0, 2_000));
    // A sixth of the file every half second: more than a kilobyte in the idle timeout of two seconds.
    for (let sentBytes = 2_000; sentBytes < mp4File.length;) {
      await new Promise((resolve) => setTimeout(resolve, 500));
      const nextOffset = Math.min(mp4File.length, sentBytes + Math.ceil(mp4File.length / 6));
      request.write(mp4File.subarray(sentBytes, nextOffset));
      sentBytes = nextOffset;
    }
    request.end();
    expect(await answer).toBe(200);
    expect((await assetRow(silentUpload.assetId)).phase).toBe('waiting');
  });

  test('rejects a second upload while it receives the first', async () => {
    const { url, assetId } = await createUpload(owner);
    const { request, answer } = beginPut(url, mp4File.length, mp4File.subarray(0, 5_000));
    await expect.poll(async () => (await assetRow(assetId)).phase).toBe('uploading');
    expect((await put(url, mp4File)).status).toBe(409);
    request.end(mp4File.subarray(5_000));
    expect(await answer).toBe(200);
  });

  test('answers an oversized file with 413, before its body if the length is declared', async () => {
    const declaredUpload = await createUpload(owner);
    const { answer } = beginPut(declaredUpload.url, MAX_UPLOAD_BYTES + 1, Buffer.alloc(10));
    expect(await answer).toBe(413);
    expect((await assetRow(declaredUpload.assetId)).phase).toBe('waiting');
    const undeclaredUpload = await createUpload(owner);
    const endless = Readable.toWeb(
      Readable.from(Array.from({ length: 64 }, () => Buffer.alloc(65_536))),
    ) as unknown as BodyInit;
    expect((await put(undeclaredUpload.url, endless)).status).toBe(413);
    expect((await assetRow(undeclaredUpload.assetId)).phase).toBe('waiting');
  });

  test('rejects a compressed body, an invalid token, another method or path, and a deleted asset', async () => {
    const { url } = await createUpload(owner);
    expect((await put(url, mp4File, { 'Content-Encoding': 'gzip' })).status).toBe(415);
    expect((await put(`${url}x`, mp4File)).status).toBe(403);
    expect((await put(url.replace(/\?.*/, ''), mp4File)).status).toBe(403);
    expect((await fetch(localUrl(url), { method: 'POST', body: mp4File })).status).toBe(405);
    expect((await fetch(localUrl('http://x/api/asset/upload/other'), { method: 'PUT' })).status).toBe(404);
    const deletedUpload = await createUpload(owner);
    await db.asset.update({ where: { id: deletedUpload.assetId }, data: { deletedAt: new Date() } });
    expect((await put(deletedUpload.url, mp4File)).status).toBe(404);
  });

  test('allows all requested headers in a preflight', async () => {
    const { url } = await createUpload(owner);
    const response = await fetch(localUrl(url), {
      method: 'OPTIONS',
      headers: {
        Origin: 'https://example.com',
        'Access-Control-Request-Method': 'PUT',
        'Access-Control-Request-Headers': 'content-type, x-any',
      },
    });
    expect(response.status).toBe(204);
    expect(response.headers.get('access-control-allow-methods')).toContain('PUT');
    expect(response.headers.get('access-control-allow-headers')).toBe('content-type, x-any');
  });
});

describe('abandoned uploads', () => {
  const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000);

  test('can be repeated when their lease has expired, and fail when their URL has expired', async () => {
    const [abandonedUpload, lateUpload] = [await createUpload(owner), await createUpload(owner)];
    await db.asset.update({
      where: { id: abandonedUpload.assetId },
      data: { phase: 'uploading', uploadLease: abandonedUpload.assetId, uploadLeaseUntil: hoursAgo(13) },
    });
    await db.asset.update({
      where: { id: lateUpload.assetId },
      data: { createdAt: hoursAgo(13), reservedBytes: 500n },
    });
    await expireUploads(ctx);
    expect((await assetRow(abandonedUpload.assetId)).phase).toBe('waiting');
    const reason =
      'upload expired: the file was not complete after 12 hours. Request a new upload URL with POST /api/asset/request-upload.';
    expect(await assetRow(lateUpload.assetId)).toMatchObject({ phase: 'failed', errorMessage: reason });
    expect(await taskRow(lateUpload.taskId)).toMatchObject({ phase: 'failed', errorMessage: reason });
  });

  test('expire after an hour without an attempt, unless bytes are stored', async () => {
    const [unsent, triedUpload, begunUpload] = [
      await createUpload(owner),
      await createUpload(owner),
      await createUpload(owner),
    ];
    const data = { createdAt: hoursAgo(2), statusUpdatedAt: hoursAgo(2) };
    await db.asset.update({ where: { id: unsent.assetId }, data });
    await db.asset.update({
      where: { id: triedUpload.assetId },
      data: { ...data, statusUpdatedAt: hoursAgo(0.9) },
    });
    await db.asset.update({ where: { id: begunUpload.assetId }, data: { ...data, reservedBytes: 500n } });
    await expireUploads(ctx);
    const reason =
      'upload expired: no file arrived within an hour. Request a new upload URL with POST /api/asset/request-upload.';
    expect(await assetRow(unsent.assetId)).toMatchObject({ phase: 'failed', errorMessage: reason });
    expect(await taskRow(unsent.taskId)).toMatchObject({ phase: 'failed', errorMessage: reason });
    expect((await assetRow(triedUpload.assetId)).phase).toBe('waiting');
    expect((await assetRow(begunUpload.assetId)).phase).toBe('waiting');
    expect((await put(unsent.url, mp4File)).status).toBe(422);
    expect((await put(triedUpload.url, mp4File)).status).toBe(200);
  });
});

test('a client may be silent for 30 s, and a lease of a minute is renewed more than three times before it expires', () => {
  expect(uploadTimings.idleTimeoutMs).toBe(30_000);
  expect(uploadTimings.leaseRenewalMs).toBeLessThan(60_000 / 3);
});

test('a starting process deletes files of its predecessor, but not those that another process is receiving', async () => {
  const processes = { live: 1, origin: 2, web: 1 };
  const ctxOfSlot = (slot: number) => ({ ...ctx, settings: { ...ctx.settings, processes, slot } });
  const names = () => readdirSync(putFolder(dataDir)).sort();
  // Files of slots 1, 2 and 3; two processes run.
  for (const name of ['a', 'b.2', 'c.3']) writeFileSync(join(putFolder(dataDir), name), 'half');
  await deleteAbandonedPuts(ctxOfSlot(2));
  expect(names()).toEqual(['a']);
  await deleteAbandonedPuts(ctxOfSlot(1));
  expect(names()).toEqual([]);
});
