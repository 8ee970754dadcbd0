import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { Upload, type DetailedError } from 'tus-js-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { listen, type HttpServer } from '@/media-worker/kit/http/listen';
import { createWorkerFixtures } from '@/media-worker/testing/worker-fixtures';
import { createSampleFiles } from '@/media-worker/vod/testing/sample-files';
import { serveUpload } from './serve-uploads';
import { putFolder, putUpload } from './upload-put';
import { openTusUploads } from './upload-tus';

const { ctx, db, dataDir, createTeamContext, storage, createUpload, assetRow, taskRow } =
  createWorkerFixtures(await createTestDatabase());
const owner = await createTeamContext();
const samples = createSampleFiles();
const mp4File = readFileSync(samples.make('good.mp4'));
let server: HttpServer;

beforeAll(async () => {
  const uploads = {
    put: (request: IncomingMessage) => putUpload(ctx, request),
    logo: () => Promise.reject(new Error('no logo here')),
    slate: () => Promise.reject(new Error('no picture here')),
    poster: () => Promise.reject(new Error('no picture here')),
    tus: openTusUploads(ctx),
  };
  server = await listen((request, response) => void serveUpload(request, response, uploads), {
    host: '127.0.0.1',
    port: 0,
    maxConnections: 100,
    requestTimeoutMs: 0,
    log: ctx.log,
  });
});
afterAll(async () => {
  await server.close();
  samples.remove();
});

const localUrl = (url: string) => {
  const { pathname, search } = new URL(url);
  return `http://127.0.0.1:${server.port}${pathname}${search}`;
};
const put = (url: string, body: Buffer, headers: Record<string, string> = {}) =>
  fetch(localUrl(url), { method: 'PUT', headers, body: new Uint8Array(body) });
const storedFile = async (playbackId: string) => {
  const file = await storage.read(`directUpload/${playbackId}/source`);
  return file && (await buffer(file));
};
const errorsOf = async (response: Response) => ((await response.json()) as { errors: string[] }).errors;

describe('PUT', () => {
  test('accepts the same file again after a lost response, even when the asset is ready, and rejects a changed file', async () => {
    const { url, assetId, playbackId } = await createUpload(owner);
    expect((await put(url, mp4File)).status).toBe(200);
    expect((await put(url, mp4File)).status).toBe(200);
    await db.asset.update({ where: { id: assetId }, data: { phase: 'ready' } });
    expect((await put(url, mp4File)).status).toBe(200);
    const changedBytes = Buffer.from(mp4File);
    changedBytes[mp4File.length - 1] = 1 + (changedBytes[mp4File.length - 1] ?? 0);
    expect((await put(url, changedBytes)).status).toBe(422);
    expect((await storedFile(playbackId))?.equals(mp4File)).toBe(true);
    expect(readdirSync(putFolder(dataDir))).toEqual([]);
  });

  test.each<[string, Record<string, string>, number, RegExp]>([
    ['half of a file', { 'Content-Range': 'bytes 0-99/200' }, 400, /^Content-Range: .*tusEndpoint/],
    ['the whole file as a range', { 'Content-Range': 'bytes 0-99/100' }, 400, /^Content-Range: /],
    [
      'a form',
      { 'Content-Type': 'multipart/form-data; boundary=x' },
      415,
      /send the file itself as the body/,
    ],
    ['a form in mixed case', { 'Content-Type': 'Multipart/Form-Data; boundary=x' }, 415, /^Content-Type: /],
    ['an invalid MD5', { 'Content-MD5': 'abc' }, 400, /^Content-MD5: must be/],
    // The MD5 of "hello world".
    ['a wrong MD5', { 'Content-MD5': 'XrY7u+Ae7tCTyyK7j1rNww==' }, 400, /^Content-MD5: .*same URL/],
  ])(
    'a PUT whose headers declare %s is rejected, and the asset waits for the file',
    async (_, headers, status, reason) => {
      const { url, assetId, taskId } = await createUpload(owner);
      const response = await put(url, mp4File, headers);
      expect(response.status).toBe(status);
      expect((await errorsOf(response))[0]).toMatch(reason);
      expect((await assetRow(assetId)).phase).toBe('waiting');
      expect((await taskRow(taskId)).phase).toBe('pending');
      const md5 = createHash('md5').update(mp4File).digest('base64');
      expect((await put(url, mp4File, { 'Content-MD5': md5 })).status).toBe(200);
    },
  );
});

describe('tus', () => {
  const creation = { 'Tus-Resumable': '1.0.0', 'Upload-Length': String(mp4File.length) };

  test('parts of one file in parallel are rejected with a message, and a single upload is accepted afterwards', async () => {
    const { tusEndpoint, assetId } = await createUpload(owner);
    const rejection = await new Promise<Error>((resolve) => {
      const options = { endpoint: localUrl(tusEndpoint), retryDelays: null, parallelUploads: 4 };
      new Upload(mp4File, { ...options, onError: resolve }).start();
    });
    const { originalResponse } = rejection as DetailedError;
    expect(originalResponse?.getStatus()).toBe(501);
    const reason = 'Concatenation is not supported; upload in one piece.';
    expect(JSON.parse(originalResponse?.getBody() ?? '')).toEqual({ errors: [reason] });
    expect((await assetRow(assetId)).phase).toBe('waiting');
    const createResponse = await fetch(localUrl(tusEndpoint), { method: 'POST', headers: creation });
    expect(createResponse.status).toBe(201);
  });

  test('a creation with the whole file completes the upload, and is answered with its offset', async () => {
    const { tusEndpoint, assetId } = await createUpload(owner);
    const wholeResponse = await fetch(localUrl(tusEndpoint), {
      method: 'POST',
      headers: { ...creation, 'Content-Type': 'application/offset+octet-stream' },
      body: new Uint8Array(mp4File),
    });
    expect([wholeResponse.status, wholeResponse.headers.get('upload-offset')]).toEqual([
      201,
      String(mp4File.length),
    ]);
    expect((await assetRow(assetId)).phase).toBe('processing');
  });
});
