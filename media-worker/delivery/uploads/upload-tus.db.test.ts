import { readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { Upload, type DetailedError, type UploadOptions } from 'tus-js-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '@/lib/infra/clock';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import type { HttpServer } from '@/media-worker/kit/http/listen';
import { createWorkerFixtures } from '@/media-worker/testing/worker-fixtures';
import { createSampleFiles } from '@/media-worker/vod/testing/sample-files';
import { NodeFinder } from '@/media-worker/delivery/origin/live/find-node';
import { LiveProxy } from '@/media-worker/delivery/origin/live/live-proxy';
import { LiveSource } from '@/media-worker/delivery/origin/live/live-source';
import { startOrigin } from '@/media-worker/delivery/origin/server';
import { putUpload } from './upload-put';
import { openTusUploads } from './upload-tus';
import { noRecordings } from '@/media-worker/delivery/origin/testing/no-recordings';
import { admitAllViewers } from '@/media-worker/delivery/origin/testing/admit-all-viewers';
import { ignoreViewers } from '@/media-worker/delivery/origin/testing/ignore-viewers';

const port = 20_000 + Math.floor(Math.random() * 20_000);
const uploadUrl = `http://127.0.0.1:${port}`;
const { ctx, dataDir, createTeamContext, storage, createUpload, assetRow, taskRow } = createWorkerFixtures(
  await createTestDatabase(),
  {
    uploadUrl,
    maxUploadBytes: 3_000_000,
  },
);
const owner = await createTeamContext();
const samples = createSampleFiles();
const mp4File = readFileSync(samples.make('good.mp4', { seconds: 6, size: '320x180' }));
const folder = join(dataDir, 'uploads', 'tus');
let origin: HttpServer;

const startServer = async () => {
  origin = await startOrigin({
    watch: ignoreViewers,
    guard: admitAllViewers,
    onDelivery: () => undefined,
    host: '127.0.0.1',
    port,
    log: ctx.log,
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
};
beforeAll(startServer);
afterAll(async () => {
  await origin.close();
  samples.remove();
});

/** Sends a file as a browser would; `uploadUrl` continues an earlier upload. */
function send(endpoint: string, file: Buffer, options: Partial<UploadOptions> = {}) {
  let upload: Upload | undefined;
  const whenDone = new Promise<Upload>((resolve, reject) => {
    upload = new Upload(file, {
      endpoint,
      retryDelays: null,
      chunkSize: 16_384,
      metadata: { filename: 'a.mp4', filetype: 'video/mp4' },
      onSuccess: () => upload && resolve(upload),
      onError: reject,
      ...options,
    });
    upload.start();
  });
  return whenDone;
}

/** Sends until some bytes have arrived, then stops like a closed tab. */
function sendSome(endpoint: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const tusUpload = new Upload(mp4File, {
      endpoint,
      chunkSize: 16_384,
      retryDelays: null,
      onError: reject,
      onChunkComplete: (_size, sentBytes) => {
        if (sentBytes >= 16_384) void tusUpload.abort(false).then(() => resolve(tusUpload.url ?? ''));
      },
    });
    tusUpload.start();
  });
}

const reasonOf = (error: unknown) => {
  const { originalResponse } = error as DetailedError;
  return [originalResponse?.getStatus(), JSON.parse(originalResponse?.getBody() ?? 'null') as unknown];
};
const storedAs = async (playbackId: string) => {
  const file = await storage.read(`directUpload/${playbackId}/source`);
  return file && (await buffer(file));
};
const creation = (bytes: number, headers: Record<string, string> = {}) => ({
  method: 'POST',
  headers: { 'Tus-Resumable': '1.0.0', 'Upload-Length': String(bytes), ...headers },
});
const offsetAt = async (url: string) =>
  (await fetch(url, { method: 'HEAD', headers: { 'Tus-Resumable': '1.0.0' } })).headers.get('upload-offset');

describe('tus', () => {
  test('stores a file sent in pieces, makes its task due, and reports it as complete to a client that missed the last response', async () => {
    const { tusEndpoint, assetId, playbackId, taskId } = await createUpload(owner);
    const { url } = await send(tusEndpoint, mp4File);
    expect(url).toMatch(new RegExp(`^${uploadUrl}/api/asset/upload/tus/${assetId}-[0-9a-f]{32}$`));
    expect((await storedAs(playbackId))?.equals(mp4File)).toBe(true);
    expect(await assetRow(assetId)).toMatchObject({ phase: 'processing', size: BigInt(mp4File.length) });
    expect(await taskRow(taskId)).toMatchObject({ phase: 'waiting', scheduledAt: expect.any(Date) as Date });
    expect(readdirSync(folder)).toEqual([]);
    expect(await offsetAt(url ?? '')).toBe(String(mp4File.length));
    await send(tusEndpoint, mp4File, { uploadUrl: url ?? '' });
  });

  test('continues at its offset after the client disconnected and the server restarted', async () => {
    const { tusEndpoint, assetId, playbackId } = await createUpload(owner);
    const url = await sendSome(tusEndpoint);
    const before = Number(await offsetAt(url));
    expect(before).toBeGreaterThanOrEqual(16_384);
    expect(before).toBeLessThan(mp4File.length);
    await origin.close();
    await startServer();
    expect(Number(await offsetAt(url))).toBe(before);
    const offsets: number[] = [];
    await send(tusEndpoint, mp4File, { uploadUrl: url, onProgress: (sentBytes) => offsets.push(sentBytes) });
    expect(offsets[0]).toBeGreaterThanOrEqual(before);
    expect((await storedAs(playbackId))?.equals(mp4File)).toBe(true);
    expect((await assetRow(assetId)).phase).toBe('processing');
  });

  test('rejects a file that is not an MP4, and fails its asset and task with the same reason', async () => {
    const { tusEndpoint, assetId, taskId } = await createUpload(owner);
    const error = await send(tusEndpoint, Buffer.from('no video at all')).catch((error: unknown) => error);
    const reason = 'the file is not an MP4';
    expect(reasonOf(error)).toMatchObject([422, { errors: [reason] }]);
    expect(await assetRow(assetId)).toMatchObject({ phase: 'failed', errorMessage: reason });
    expect(await taskRow(taskId)).toMatchObject({ phase: 'failed', errorMessage: reason });
    expect(readdirSync(folder)).toEqual([]);
  });

  test('can be cancelled, after which the asset waits for another upload', async () => {
    const { tusEndpoint, assetId, url: putUrl } = await createUpload(owner);
    const url = await sendSome(tusEndpoint);
    await Upload.terminate(url);
    expect(readdirSync(folder)).toEqual([]);
    await expect.poll(async () => (await assetRow(assetId)).phase).toBe('waiting');
    expect((await fetch(putUrl, { method: 'PUT', body: mp4File })).status).toBe(200);
  });

  test('has one upload per token: creating it again resumes it, and a second file is rejected', async () => {
    const { tusEndpoint, playbackId } = await createUpload(owner);
    const url = await sendSome(tusEndpoint);
    const offset = await offsetAt(url);
    const response = await fetch(tusEndpoint, creation(mp4File.length));
    expect([response.status, response.headers.get('location')]).toEqual([201, url]);
    expect(await offsetAt(url)).toBe(offset);
    // The creation request contains the whole file: bytes that are already stored are not written again.
    const wholeResponse = await fetch(tusEndpoint, {
      ...creation(mp4File.length, { 'Content-Type': 'application/offset+octet-stream' }),
      body: Buffer.alloc(mp4File.length),
    });
    expect([wholeResponse.status, wholeResponse.headers.get('upload-offset')]).toEqual([201, offset]);
    const otherResponse = await fetch(tusEndpoint, creation(mp4File.length + 1));
    expect([otherResponse.status, await otherResponse.json()]).toMatchObject([
      422,
      { errors: [expect.stringMatching(/^Upload-Length: .*delete it with DELETE first\.$/) as string] },
    ]);
    expect(otherResponse.headers.get('content-type')).toBe('application/json');
    // A client that lost the URL starts at offset 0 and is asked to send HEAD.
    const finishedUpload = await send(tusEndpoint, mp4File, { retryDelays: [0, 0] });
    expect(finishedUpload.url).toBe(url);
    expect((await storedAs(playbackId))?.equals(mp4File)).toBe(true);
    expect(reasonOf(await send(tusEndpoint, mp4File).catch((rejection: unknown) => rejection))).toMatchObject(
      [422, { errors: ['asset has already been uploaded'] }],
    );
  });

  test('accepts PATCH and DELETE in a header from clients that can only POST, and rejects other methods there', async () => {
    const { tusEndpoint, assetId } = await createUpload(owner);
    const finishedUpload = await send(tusEndpoint, mp4File, { overridePatchMethod: true });
    expect((await assetRow(assetId)).phase).toBe('processing');
    expect(finishedUpload.url).toContain(assetId);
    const endedUpload = await createUpload(owner);
    const url = await sendSome(endedUpload.tusEndpoint);
    const headers = { 'Tus-Resumable': '1.0.0' };
    const post = (method: string) =>
      fetch(url, { method: 'POST', headers: { ...headers, 'X-HTTP-Method-Override': method } });
    expect((await post('DELETE')).status).toBe(204);
    expect((await fetch(url, { method: 'HEAD', headers })).status).toBe(404);
    const unknown = await post('PURGE');
    expect([unknown.status, await unknown.json()]).toMatchObject([
      400,
      { errors: ['X-HTTP-Method-Override: must be one of PATCH, DELETE, HEAD.'] },
    ]);
  });

  test('answers invalid PATCH requests with JSON, and keeps the stored bytes', async () => {
    const { tusEndpoint } = await createUpload(owner);
    const url = await sendSome(tusEndpoint);
    const before = await offsetAt(url);
    const answerTo = async (headers: Record<string, string>, method = 'PATCH') => {
      const response = await fetch(url, { method, headers, body: 'x' });
      expect(response.headers.get('content-type')).toBe('application/json');
      return [response.status, ((await response.json()) as { errors: string[] }).errors[0]];
    };
    const [tus, type] = [{ 'Tus-Resumable': '1.0.0' }, { 'Content-Type': 'application/offset+octet-stream' }];
    const wrongType = 'Content-Type: must be application/offset+octet-stream.';
    expect(await answerTo({ ...tus, 'Upload-Offset': '0', 'Content-Type': 'video/mp4' })).toEqual([
      415,
      wrongType,
    ]);
    expect(await answerTo({ ...type, 'Upload-Offset': '0' })).toEqual([
      412,
      'Tus-Resumable: send this header with the value 1.0.0.',
    ]);
    expect(await answerTo({ ...tus, ...type, 'Upload-Offset': '-1' })).toEqual([
      400,
      'upload-offset: the value of this header is not valid.',
    ]);
    expect((await answerTo({ ...tus, ...type, 'Upload-Offset': '0' }))[0]).toBe(409);
    expect(await offsetAt(url)).toBe(before);
    await Upload.terminate(url);
  });

  test('rejects oversized files, invalid tokens and unknown URLs', async () => {
    const { tusEndpoint, assetId } = await createUpload(owner);
    const large = await send(tusEndpoint, Buffer.alloc(3_000_001)).catch((rejection: unknown) => rejection);
    expect(reasonOf(large)[0]).toBe(413);
    const wrongTokenError = await send(`${tusEndpoint}x`, mp4File).catch((rejection: unknown) => rejection);
    expect(reasonOf(wrongTokenError)).toMatchObject([
      403,
      {
        errors: [
          'This upload URL is invalid or has expired. Request a new one with POST /api/asset/request-upload.',
        ],
      },
    ]);
    const guesses = [
      `${assetId}-${'0'.repeat(32)}`,
      assetId,
      '..%2f..%2fapp-secret',
      '%2e%2e',
      'a'.repeat(4_000),
    ];
    for (const guess of guesses) {
      for (const method of ['HEAD', 'PATCH', 'DELETE', 'GET']) {
        const response = await fetch(`${uploadUrl}/api/asset/upload/tus/${guess}`, {
          method,
          headers: {
            'Tus-Resumable': '1.0.0',
            ...(method === 'PATCH'
              ? { 'Upload-Offset': '0', 'Content-Type': 'application/offset+octet-stream' }
              : {}),
          },
          ...(method === 'PATCH' ? { body: 'x' } : {}),
        });
        expect(response.status).toBe(404);
      }
    }
  });

  test('accepts uploads that were complete when the process died, and deletes expired ones and old incomplete files', async () => {
    const abandonedUpload = await createUpload(owner);
    const url = await sendSome(abandonedUpload.tusEndpoint);
    const id = url.slice(url.lastIndexOf('/') + 1);
    writeFileSync(join(folder, id), mp4File);
    const lateUpload = await createUpload(owner);
    const lateUrl = await sendSome(lateUpload.tusEndpoint);
    const infoPath = join(folder, `${lateUrl.slice(lateUrl.lastIndexOf('/') + 1)}.json`);
    const longAgo = new Date(Date.now() - 13 * 3_600_000).toISOString();
    // A process that died while it created an upload leaves incomplete files behind.
    const [leftFile, youngFile] = ['0', '1'].map((digit) =>
      join(folder, `${lateUpload.assetId}-${digit.repeat(32)}`),
    );
    for (const name of [`${leftFile}.json.part`, leftFile, youngFile]) writeFileSync(name ?? '', 'x');
    for (const name of [`${leftFile}.json.part`, leftFile]) utimesSync(name ?? '', 0, 0);
    writeFileSync(
      infoPath,
      readFileSync(infoPath, 'utf8').replace(/"creation_date":"[^"]*"/, `"creation_date":"${longAgo}"`),
    );
    await openTusUploads(ctx).sweep();
    expect((await assetRow(abandonedUpload.assetId)).phase).toBe('processing');
    expect((await storedAs(abandonedUpload.playbackId))?.equals(mp4File)).toBe(true);
    expect(readdirSync(folder)).toEqual([basename(youngFile ?? '')]);
    rmSync(youngFile ?? '');
  });
});
