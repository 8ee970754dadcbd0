import { readdirSync, readFileSync, statSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '@/lib/infra/ids';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { listen, type HttpServer } from '@/media-worker/kit/http/listen';
import { createWorkerFixtures } from '@/media-worker/testing/worker-fixtures';
import { createSampleFiles } from '@/media-worker/vod/testing/sample-files';
import { createTusForwarder } from './forward-tus';
import { serveUpload } from './serve-uploads';
import { putFolder, putUpload } from './upload-put';
import { uploadFolder } from './upload-store';
import { openTusUploads } from './upload-tus';

const { ctx, db, dataDir, createTeamContext, createUpload, assetRow } = createWorkerFixtures(
  await createTestDatabase(),
);
const owner = await createTeamContext();
const samples = createSampleFiles();
// A file small enough to fit into the buffers of a request.
const mp4File = readFileSync(samples.make('good.mp4', { seconds: 1, size: '64x64' }));
const timings = { idleTimeoutMs: 600_000, leaseRenewalMs: 100 };
const arrivals: ((request: IncomingMessage) => void)[] = [];
let server: HttpServer;

beforeAll(async () => {
  const uploads = {
    put: (request: IncomingMessage) => putUpload(ctx, request, timings),
    logo: () => Promise.reject(new Error('no logo here')),
    slate: () => Promise.reject(new Error('no picture here')),
    poster: () => Promise.reject(new Error('no picture here')),
    tus: createTusForwarder(ctx, newId(), openTusUploads(ctx, timings)),
  };
  server = await listen(
    (request, response) => {
      arrivals.shift()?.(request);
      void serveUpload(request, response, uploads);
    },
    { host: '127.0.0.1', port: 0, maxConnections: 100, requestTimeoutMs: 0, log: ctx.log },
  );
});
afterAll(async () => {
  await server.close();
  samples.remove();
});

const localUrl = (url: string) => {
  const { pathname, search } = new URL(url);
  return `http://127.0.0.1:${server.port}${pathname}${search}`;
};
const put = (url: string) => fetch(localUrl(url), { method: 'PUT', body: new Uint8Array(mp4File) });
const tus = { 'Tus-Resumable': '1.0.0' };
const patchHeaders = { ...tus, 'Upload-Offset': '0', 'Content-Type': 'application/offset+octet-stream' };
const createTus = async (endpoint: string) => {
  const headers = { ...tus, 'Upload-Length': String(mp4File.length) };
  return (await fetch(localUrl(endpoint), { method: 'POST', headers })).headers.get('location') ?? '';
};

/** Sends the head of a request and the first bytes of the file. */
function beginRequest(method: string, url: string, bytes: number, headers: Record<string, string> = {}) {
  const { pathname, search } = new URL(url);
  const whenArrived = new Promise<IncomingMessage>((resolve) => arrivals.push(resolve));
  const socket = connect(server.port, '127.0.0.1');
  socket.on('error', () => undefined).resume();
  const lines = Object.entries({ Host: 'x', 'Content-Length': String(mp4File.length), ...headers });
  socket.write(`${method} ${pathname}${search} HTTP/1.1\r\n`);
  socket.write(`${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`);
  socket.write(mp4File.subarray(0, bytes));
  return { socket, whenArrived };
}

/** Disconnects the client while the database holds back its first read or, with `allowsReads`, its first write. */
async function disconnectDuringLock(
  allowsReads: boolean,
  ...request: Parameters<typeof beginRequest>
): Promise<void> {
  await db.$transaction(async (tx) => {
    if (allowsReads) await tx.$executeRaw`lock table "Asset" in exclusive mode`;
    else await tx.$executeRaw`lock table "Asset" in access exclusive mode`;
    const { socket, whenArrived } = beginRequest(...request);
    const message = await whenArrived;
    await expect.poll(() => message.readableLength).toBeGreaterThanOrEqual(request[2]);
    const whenLeft = new Promise((resolve) => message.once('close', resolve));
    if (allowsReads) await waitForLockedStatement();
    socket.resetAndDestroy();
    await whenLeft;
  });
}

/** Resolves when a statement waits for the table lock. */
async function waitForLockedStatement(): Promise<void> {
  const countWaiting = async () => {
    const [row] = await db.$queryRaw<{ count: number }[]>`
      select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    return row?.count ?? 0;
  };
  await expect.poll(countWaiting).toBeGreaterThan(0);
}

const amounts: [string, number][] = [
  ['the last byte', mp4File.length],
  ['half of the file', mp4File.length >> 1],
  ['no byte', 0],
];

describe('an upload whose client disconnects', () => {
  test.each(amounts)('a PUT that disconnects right after %s can be repeated', async (_, bytes) => {
    const { url, assetId } = await createUpload(owner);
    await disconnectDuringLock(false, 'PUT', url, bytes);
    await expect.poll(async () => (await put(url)).status).toBe(200);
    expect((await assetRow(assetId)).phase).toBe('processing');
    await expect.poll(() => readdirSync(putFolder(dataDir))).toEqual([]);
  });

  test.each(amounts)('a tus upload that disconnects right after %s releases its lease', async (_, bytes) => {
    const { url, tusEndpoint, assetId } = await createUpload(owner);
    const address = await createTus(tusEndpoint);
    await disconnectDuringLock(false, 'PATCH', address, bytes, patchHeaders);
    await expect.poll(async () => (await assetRow(assetId)).uploadLease).toBeNull();
    expect((await put(url)).status).toBe(200);
  });

  test('a PUT or tus client that disconnects while its lease is acquired releases it', async () => {
    const [first, second] = [await createUpload(owner), await createUpload(owner)];
    await disconnectDuringLock(true, 'PUT', first.url, mp4File.length);
    await expect.poll(async () => (await put(first.url)).status).toBe(200);
    const address = await createTus(second.tusEndpoint);
    await disconnectDuringLock(true, 'PATCH', address, mp4File.length, patchHeaders);
    await expect.poll(async () => (await put(second.url)).status).toBe(200);
  });

  test('a tus upload that disconnects in the middle of its file releases its lease', async () => {
    const { url, tusEndpoint, assetId } = await createUpload(owner);
    const address = await createTus(tusEndpoint);
    const { socket } = beginRequest('PATCH', address, mp4File.length >> 1, patchHeaders);
    const file = join(uploadFolder(dataDir), basename(address));
    await expect.poll(() => statSync(file).size).toBeGreaterThan(0);
    expect((await put(url)).status).toBe(409);
    socket.destroy();
    await expect.poll(async () => (await assetRow(assetId)).phase).toBe('waiting');
    expect((await put(url)).status).toBe(200);
  });

  test('a tus client that reconnects immediately continues its upload', async () => {
    const { tusEndpoint, assetId } = await createUpload(owner);
    const address = await createTus(tusEndpoint);
    const { socket, whenArrived } = beginRequest('PATCH', address, mp4File.length >> 1, patchHeaders);
    await whenArrived;
    socket.destroy();
    const sendRest = async () => {
      const headResponse = await fetch(localUrl(address), { method: 'HEAD', headers: tus });
      const offset = Number(headResponse.headers.get('upload-offset'));
      const headers = { ...patchHeaders, 'Upload-Offset': String(offset) };
      const body = new Uint8Array(mp4File.subarray(offset));
      return (await fetch(localUrl(address), { method: 'PATCH', headers, body })).status;
    };
    await expect.poll(sendRest).toBe(204);
    expect(await assetRow(assetId)).toMatchObject({ phase: 'processing', size: BigInt(mp4File.length) });
  });
});
