import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expireUploads } from '@/lib/domain/assets';
import { newPlaybackId } from '@/lib/infra/ids';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { reserveStorage } from '@/lib/domain/quotas';
import { listen, type HttpServer } from '@/media-worker/kit/http/listen';
import { createWorkerFixtures } from '@/media-worker/testing/worker-fixtures';
import { createSampleFiles } from '@/media-worker/vod/testing/sample-files';
import { serveUpload } from './serve-uploads';
import { putUpload } from './upload-put';
import { openTusUploads } from './upload-tus';

const { ctx, db, createTeamContext, createUpload, assetRow } = createWorkerFixtures(
  await createTestDatabase(),
);
const samples = createSampleFiles();
const mp4File = readFileSync(samples.make('good.mp4'));
const tusUploads = openTusUploads(ctx);
let server: HttpServer;

beforeAll(async () => {
  const uploads = {
    put: (request: IncomingMessage) => putUpload(ctx, request),
    logo: () => Promise.reject(new Error('no logo here')),
    slate: () => Promise.reject(new Error('no picture here')),
    poster: () => Promise.reject(new Error('no picture here')),
    tus: tusUploads,
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

async function createTeamWithQuota(storageBytes: number) {
  const owner = await createTeamContext();
  const { teamId } = owner.actor;
  await db.teamQuota.create({ data: { teamId, storageBytes } });
  return { owner, teamId };
}

const localUrl = (url: string) => {
  const { pathname, search } = new URL(url);
  return `http://127.0.0.1:${server.port}${pathname}${search}`;
};
const put = (url: string) => fetch(localUrl(url), { method: 'PUT', body: new Uint8Array(mp4File) });
const putChunked = (url: string) => {
  const body = Readable.toWeb(Readable.from([mp4File.subarray(0, 99), mp4File.subarray(99)]));
  return fetch(localUrl(url), { method: 'PUT', body, duplex: 'half' } as unknown as RequestInit);
};
const tusHeaders = { 'Tus-Resumable': '1.0.0' };
const patchHeaders = { ...tusHeaders, 'Content-Type': 'application/offset+octet-stream' };
const create = (endpoint: string, headers: Record<string, string>, body?: BodyInit) =>
  fetch(localUrl(endpoint), {
    method: 'POST',
    headers: { ...tusHeaders, ...headers },
    ...(body ? { body } : {}),
  });
const patch = async (creation: Response, offset: number, end = mp4File.length) =>
  fetch(localUrl(creation.headers.get('location') ?? ''), {
    method: 'PATCH',
    headers: { ...patchHeaders, 'Upload-Offset': String(offset) },
    body: new Uint8Array(mp4File.subarray(offset, end)),
  });
const reasonOf = async (response: Response) => ((await response.json()) as { errors: string[] }).errors[0];
const storedBytes = async (teamId: string) =>
  (await db.asset.findMany({ where: { teamId } })).reduce((sum, { size }) => sum + Number(size ?? 0), 0);

const methods: [string, (pendingUpload: Awaited<ReturnType<typeof createUpload>>) => Promise<Response>][] = [
  ['PUT', ({ url }) => put(url)],
  ['PUT without a length', ({ url }) => putChunked(url)],
  [
    'tus',
    async ({ tusEndpoint }) => {
      const creation = await create(tusEndpoint, { 'Upload-Length': String(mp4File.length) });
      return creation.ok ? patch(creation, 0) : creation;
    },
  ],
  [
    'tus with the creation',
    ({ tusEndpoint }) =>
      create(
        tusEndpoint,
        { ...patchHeaders, 'Upload-Length': String(mp4File.length) },
        new Uint8Array(mp4File),
      ),
  ],
  [
    'tus without a length',
    async ({ tusEndpoint }) => {
      const creation = await create(tusEndpoint, { 'Upload-Defer-Length': '1' });
      return creation.ok ? patch(creation, 0) : creation;
    },
  ],
];

describe('the storage quota applies to uploads', () => {
  test.each(methods)(
    'a file that exceeds the quota is rejected by %s, and accepted when there is enough quota',
    async (_, send) => {
      const { owner, teamId } = await createTeamWithQuota(mp4File.length + 1_000);
      const pendingUpload = await createUpload(owner);
      // Leaves one byte too little for the file.
      const otherAsset = await db.asset.create({
        data: { teamId, name: 'x', playbackId: newPlaybackId(), sourceType: 'url', storedBytes: 1_001n },
      });
      const rejection = await send(pendingUpload);
      expect(rejection.status).toBe(402);
      expect(await reasonOf(rejection)).toMatch(/^storage: .*this file has .*\. Delete assets, or ask/);
      expect(await assetRow(pendingUpload.assetId)).toMatchObject({ phase: 'waiting', reservedBytes: 0n });
      await db.asset.delete({ where: { id: otherAsset.id } });
      expect((await send(pendingUpload)).ok).toBe(true);
    },
  );

  test('concurrent uploads by several methods together stay within the quota, and at least one succeeds', async () => {
    const { owner, teamId } = await createTeamWithQuota(2 * mp4File.length + 1_000);
    const pendingUploads = await Promise.all(Array.from({ length: 8 }, () => createUpload(owner)));
    // All methods except the last, which reserves all remaining quota.
    const results = await Promise.all(
      pendingUploads.map(async (pendingUpload, index) => (await methods[index % 4]?.[1](pendingUpload))?.ok),
    );
    expect(await storedBytes(teamId)).toBeLessThanOrEqual(2 * mp4File.length);
    expect(results.filter(Boolean).length).toBeGreaterThan(0);
  });

  test('a resumable upload reserves its whole file while it is sent, and only its stored bytes after its lease has expired', async () => {
    const { owner } = await createTeamWithQuota(mp4File.length + 1_000);
    const [first, second] = [await createUpload(owner), await createUpload(owner)];
    const creation = await create(first.tusEndpoint, { 'Upload-Length': String(mp4File.length) });
    expect((await patch(creation, 0, 500)).status).toBe(204);
    const rejection = await put(second.url);
    expect([rejection.status, await reasonOf(rejection)]).toEqual([
      402,
      expect.stringContaining('are arriving'),
    ]);
    const longAgo = new Date(Date.now() - 600_000);
    await db.asset.update({ where: { id: first.assetId }, data: { uploadLeaseUntil: longAgo } });
    await expireUploads(ctx);
    await tusUploads.sweep();
    expect(await assetRow(first.assetId)).toMatchObject({ phase: 'waiting', reservedBytes: 500n });
    expect((await put(second.url)).status).toBe(200);
    expect((await patch(creation, 500)).status).toBe(402);
  });

  test('a task that makes a file is rejected if its team has too little quota left', async () => {
    const { owner } = await createTeamWithQuota(1_000);
    const { assetId } = await createUpload(owner);
    await db.asset.update({ where: { id: assetId }, data: { phase: 'processing' } });
    expect(await reserveStorage(ctx, { assetId, bytes: 900 })).toBeNull();
    const otherAsset = await db.asset.create({
      data: { teamId: owner.actor.teamId, name: 'x', playbackId: newPlaybackId(), sourceType: 'clip' },
    });
    expect(await reserveStorage(ctx, { assetId: otherAsset.id, bytes: 101 })).toMatchObject({
      code: 'payment_required',
    });
    expect(await reserveStorage(ctx, { assetId: otherAsset.id, bytes: 100 })).toBeNull();
  });
});
