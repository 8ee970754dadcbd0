import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { processName } from '@/lib/core/nodes/process-slots';
import { newId } from '@/lib/infra/ids';
import { saveProcessUrl } from '@/lib/infra/process-urls';
import type { NodeTlsFiles } from '@/lib/infra/tls/node-tls-settings';
import { createNodeCertificates } from '@/lib/infra/testing/node-certificates';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { createSampleFiles } from '@/media-worker/vod/testing/sample-files';
import { listen } from '@/media-worker/kit/http/listen';
import { listenForNodes } from '@/media-worker/kit/http/listen-internal';
import { createWorkerFixtures } from '@/media-worker/testing/worker-fixtures';
import { createTusForwarder } from './forward-tus';
import { serveUpload } from './serve-uploads';
import { openTusUploads } from './upload-tus';

const { ctx, db, createTeamContext, createUpload, assetRow } = createWorkerFixtures(
  await createTestDatabase(),
);
const owner = await createTeamContext();
const samples = createSampleFiles();
const file = readFileSync(samples.make('good.mp4', { seconds: 6, size: '320x180' }));
afterAll(() => samples.remove());
const closers: (() => Promise<void>)[] = [];
afterEach(async () => void (await Promise.all(closers.splice(0).map((close) => close()))));

interface Machine {
  readonly id: string;
  readonly dataDir: string;
  /** Number of origins on this machine. */
  readonly originCount: number;
}

const createMachine = (originCount = 1): Machine => ({
  id: newId(),
  dataDir: mkdtempSync(join(tmpdir(), 'machine-')),
  originCount,
});

/** Starts an origin with the data folder of its machine. With `internalTls`, other origins reach it at its TLS URL. */
async function startOrigin(
  { id, dataDir, originCount }: Machine = createMachine(),
  slot = 1,
  internalTls?: NodeTlsFiles,
) {
  const processes = { live: 1, origin: originCount, web: 1 };
  const internalUrl = internalTls ? 'https://127.0.0.1' : ctx.settings.internalUrl;
  const settings = { ...ctx.settings, dataDir, processes, slot, internalTls, internalUrl };
  const machineCtx = { ...ctx, settings };
  const rejectCall = () => Promise.reject(new Error('tus only'));
  const patchedPaths: string[] = [];
  const tusUploads = openTusUploads(machineCtx);
  const countedUploads = {
    handle: (...[request, response]: Parameters<typeof tusUploads.handle>) => {
      if (request.method === 'PATCH') patchedPaths.push(request.url ?? '');
      return tusUploads.handle(request, response);
    },
  };
  const uploads = {
    put: rejectCall,
    logo: rejectCall,
    slate: rejectCall,
    poster: rejectCall,
    tus: createTusForwarder(machineCtx, id, countedUploads),
  };
  const handler = (...args: [Parameters<typeof serveUpload>[0], Parameters<typeof serveUpload>[1]]) =>
    void serveUpload(...args, uploads);
  const limits = { host: '127.0.0.1', port: 0, maxConnections: 100, log: ctx.log };
  const server = await listen(handler, limits);
  const url = `http://127.0.0.1:${server.port}`;
  const tlsServer =
    internalTls && (await listenForNodes(machineCtx, 'origin', handler, { maxConnections: 100 }));
  const announcedUrl = tlsServer?.url ?? url;
  await saveProcessUrl(dataDir, processName('origin', slot), announcedUrl);
  const row = { id: newId(), role: 'origin' as const, slot, url: announcedUrl, machineId: id };
  const node = await db.node.create({ data: row });
  let closing: Promise<unknown> | undefined;
  const close = async () => void (await (closing ??= Promise.all([server.close(), tlsServer?.close()])));
  closers.push(close);
  /** Stops the machine. Missing heartbeats show it in the database. */
  const die = async () => {
    await close();
    await db.node.update({ where: { id: node.id }, data: { seenAt: new Date(Date.now() - 60_000) } });
  };
  return { url, die, close, patchedPaths };
}

const tus = { 'Tus-Resumable': '1.0.0' };
/** Returns the URL of an upload at another origin. */
const urlAtOrigin = ({ url }: { url: string }, address: string) => {
  const { pathname, search } = new URL(address);
  return url + pathname + search;
};
const create = async (target: { url: string }, endpoint: string) => {
  const headers = { ...tus, 'Upload-Length': String(file.length) };
  const response = await fetch(urlAtOrigin(target, endpoint), { method: 'POST', headers });
  expect(response.status).toBe(201);
  return response.headers.get('location') ?? '';
};
const send = (target: { url: string }, address: string, offset: number, end: number) =>
  fetch(urlAtOrigin(target, address), {
    method: 'PATCH',
    headers: { ...tus, 'Upload-Offset': String(offset), 'Content-Type': 'application/offset+octet-stream' },
    body: file.subarray(offset, end),
  });
const offsetAt = async (target: { url: string }, address: string) => {
  const response = await fetch(urlAtOrigin(target, address), { method: 'HEAD', headers: tus });
  return response.status === 200 ? Number(response.headers.get('upload-offset')) : response.status;
};

describe('a resumable upload on several machines', () => {
  test('is complete when a load balancer sends each part to another machine', async () => {
    const origins = [await startOrigin(), await startOrigin(), await startOrigin()] as const;
    const { tusEndpoint, assetId } = await createUpload(owner);
    const address = await create(origins[0], tusEndpoint);
    const partBytes = Math.ceil(file.length / 5);
    for (let part = 0; part < 5; part += 1) {
      const receivingOrigin = origins[(part + 1) % 3] ?? origins[0];
      const response = await send(
        receivingOrigin,
        address,
        part * partBytes,
        Math.min(file.length, (part + 1) * partBytes),
      );
      expect(response.status).toBe(204);
      expect(await offsetAt(origins[part % 3] ?? origins[0], address)).toBe(
        Math.min(file.length, (part + 1) * partBytes),
      );
    }
    expect(await assetRow(assetId)).toMatchObject({ phase: 'processing', size: BigInt(file.length) });
  });

  test('is forwarded with TLS to a URL that clients cannot use', async () => {
    const certificates = await createNodeCertificates();
    closers.push(() => certificates.remove());
    const secureMachine = () => startOrigin(createMachine(), 1, certificates.files);
    const [first, second] = [await secureMachine(), await secureMachine()];
    const { tusEndpoint, assetId } = await createUpload(owner);
    const address = await create(first, tusEndpoint);
    expect((await send(second, address, 0, file.length)).status).toBe(204);
    expect((await assetRow(assetId)).phase).toBe('processing');
    const nodes = await db.node.findMany({ where: { url: { startsWith: 'https:' } } });
    expect(nodes).toHaveLength(2);
    await expect(fetch(nodes[0]?.url ?? '')).rejects.toThrow();
  });

  test('is created once, even by simultaneous requests at several machines', async () => {
    const machines = [await startOrigin(), await startOrigin()];
    const { tusEndpoint } = await createUpload(owner);
    const [address = '', other] = await Promise.all(machines.map((machine) => create(machine, tusEndpoint)));
    expect(other).toBe(address);
    const [first, second] = machines as [(typeof machines)[0], (typeof machines)[0]];
    expect((await send(first, address, 0, 1_000)).status).toBe(204);
    expect((await send(second, address, 1_000, 2_000)).status).toBe(204);
  });

  test('passes a rejection by its machine to the client', async () => {
    const [first, second] = [await startOrigin(), await startOrigin()];
    const { tusEndpoint } = await createUpload(owner);
    const address = await create(first, tusEndpoint);
    const rejectedResponse = await send(second, address, 500, 1_000);
    expect(rejectedResponse.status).toBe(409);
    const { errors } = (await rejectedResponse.json()) as { errors: string[] };
    expect(errors).toHaveLength(1);
  });

  test('is unavailable while its machine does not respond, and starts again on another machine when it is gone', async () => {
    const [first, second] = [await startOrigin(), await startOrigin()];
    const { tusEndpoint, assetId } = await createUpload(owner);
    const address = await create(first, tusEndpoint);
    expect((await send(second, address, 0, 1_000)).status).toBe(204);
    await first.close();
    expect((await send(second, address, 1_000, 2_000)).status).toBe(503);
    await first.die();
    expect(await offsetAt(second, address)).toBe(404);
    const secondUrl = await create(second, tusEndpoint);
    expect((await send(second, secondUrl, 0, file.length)).status).toBe(204);
    expect((await assetRow(assetId)).phase).toBe('processing');
  });
});

describe('a resumable upload at several origins of one machine', () => {
  test('is written by one of them, whichever origin or machine receives it', async () => {
    const [firstMachine, otherMachine] = [createMachine(2), createMachine()];
    const [first, second] = [await startOrigin(firstMachine, 1), await startOrigin(firstMachine, 2)];
    const otherOrigin = await startOrigin(otherMachine);
    const { tusEndpoint, assetId } = await createUpload(owner);
    const address = await create(first, tusEndpoint);
    const partBytes = Math.ceil(file.length / 6);
    for (let part = 0; part < 6; part += 1) {
      const receivingOrigin = [first, second, otherOrigin][part % 3] ?? first;
      const end = Math.min(file.length, (part + 1) * partBytes);
      expect((await send(receivingOrigin, address, part * partBytes, end)).status).toBe(204);
    }
    expect(await assetRow(assetId)).toMatchObject({ phase: 'processing', size: BigInt(file.length) });
    expect([first.patchedPaths.length, second.patchedPaths.length].sort()).toEqual([0, 6]);
    expect(otherOrigin.patchedPaths).toEqual([]);
  });

  test('is unavailable while that origin is stopped, and resumes at its offset when it returns', async () => {
    const firstMachine = createMachine(2);
    const origins = [await startOrigin(firstMachine, 1), await startOrigin(firstMachine, 2)] as const;
    const { tusEndpoint, assetId } = await createUpload(owner);
    const address = await create(origins[0], tusEndpoint);
    expect((await send(origins[0], address, 0, 1_000)).status).toBe(204);
    const slot = origins[0].patchedPaths.length > 0 ? 1 : 2;
    const [writer, reader] = slot === 1 ? origins : [origins[1], origins[0]];
    await writer.close();
    expect((await send(reader, address, 1_000, 2_000)).status).toBe(503);
    await startOrigin(firstMachine, slot);
    expect(await offsetAt(reader, address)).toBe(1_000);
    expect((await send(reader, address, 1_000, file.length)).status).toBe(204);
    expect((await assetRow(assetId)).phase).toBe('processing');
  });
});
