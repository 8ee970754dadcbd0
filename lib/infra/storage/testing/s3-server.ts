import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import S3rver from '@20minutes/s3rver';
import type { S3Settings } from '../s3-settings';
import { makeWritesAtomic } from './s3-store';
import { findSignatureFault } from './signature-fault';

/** A request, as the fault function gets it. */
export interface S3Request {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string | undefined>>;
}

/** Fault of a response: another status, no response, or a response that ends in the middle of its body. */
export type S3Fault = number | 'cut' | 'half';

export interface S3TestServer {
  readonly settings: S3Settings;
  /** Every request so far, as `PUT /bucket/key`. */
  readonly requests: string[];
  /** Fault that the server injects into a request. */
  fault: ((request: S3Request) => S3Fault | undefined) | null;
  /** Multipart uploads that were started and neither completed nor aborted. */
  unfinished(): Promise<string[]>;
  close(): Promise<void>;
}

const options = {
  silent: true,
  vhostBuckets: false,
  // The package rejects valid signatures of list requests, so signature-fault.ts checks all signatures instead.
  allowMismatchedSignatures: true,
};
export const s3ServerKey = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };

/**
 * Starts an S3 server with one bucket, which stores objects in a folder. The package can't list and abort multipart uploads,
 * so this function adds both.
 * @param location persistent folder, port and host; by default a new folder, deleted with the server, on loopback
 */
export async function startS3Server(
  bucket = 'headwater',
  location?: { readonly directory: string; readonly port: number; readonly host?: string },
): Promise<S3TestServer> {
  const directory = location?.directory ?? (await mkdtemp(join(tmpdir(), 's3-server-')));
  await mkdir(directory, { recursive: true });
  const address = location?.host ?? '127.0.0.1';
  const server = new S3rver({
    ...options,
    address,
    directory,
    port: location?.port ?? 0,
    configureBuckets: [{ name: bucket }],
  });
  const uploadsFolder = join(directory, bucket, '._S3rver_uploads');
  makeWritesAtomic(server.store);
  const close = async () => {
    await server.close();
    if (!location) await rm(directory, { recursive: true, force: true });
  };
  const unfinished = () => readdir(uploadsFolder).catch(() => []);
  const testServer: Omit<S3TestServer, 'settings'> = { requests: [], fault: null, unfinished, close };
  server.middleware.unshift(async (ctx, next) => {
    const { method, path, query, req } = ctx;
    testServer.requests.push(`${method} ${path}`);
    const fault = testServer.fault?.({ method, path, query });
    const rejection = findSignatureFault(req, s3ServerKey);
    if (rejection !== null) {
      const body = `<Error><Code>${rejection}</Code></Error>`;
      Object.assign(ctx, { status: 403, type: 'application/xml', body });
    } else if (fault === 'cut') req.socket.destroy();
    else if (typeof fault === 'number') ctx.status = fault;
    else if (method === 'DELETE' && query.uploadId !== undefined) {
      await rm(join(uploadsFolder, query.uploadId), { recursive: true, force: true });
      ctx.status = 204;
    } else if (method === 'GET' && query.uploads !== undefined)
      Object.assign(ctx, { type: 'application/xml', body: await listUploads(uploadsFolder) });
    else await next();
    // s3rver ignores a range end of 0.
    if (req.headers.range === 'bytes=0-0' && ctx.body instanceof Readable) {
      ctx.body = (await buffer(ctx.body)).subarray(0, 1);
      ctx.status = 206;
    }
    if (fault === 'half' && ctx.body instanceof Readable) {
      const bytes = await buffer(ctx.body);
      ctx.body = Readable.from(sendFirstHalf(bytes, () => req.socket.destroy()));
      ctx.length = bytes.length;
    }
  });
  const { port } = await server.run();
  const settings = {
    bucket,
    endpoint: `http://${address}:${port}`,
    region: 'us-east-1',
    ...s3ServerKey,
    forcePathStyle: true,
  };
  return Object.assign(testServer, { settings });
}

async function* sendFirstHalf(bytes: Buffer, closeConnection: () => void): AsyncGenerator<Buffer> {
  yield bytes.subarray(0, bytes.length / 2);
  // The delay lets the first half arrive.
  await delay(20);
  closeConnection();
}

async function listUploads(uploadsFolder: string): Promise<string> {
  const entries = (await readdir(uploadsFolder).catch(() => [])).map(async (id) => {
    const startedAt = (await stat(join(uploadsFolder, id))).mtime.toISOString();
    // The uploads are found by their id, so the key does not matter.
    return `<Upload><Key>any</Key><UploadId>${id}</UploadId><Initiated>${startedAt}</Initiated></Upload>`;
  });
  return `<ListMultipartUploadsResult>${(await Promise.all(entries)).join('')}</ListMultipartUploadsResult>`;
}
