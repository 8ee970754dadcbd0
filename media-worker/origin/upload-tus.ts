import { createHmac } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { FileStore } from '@tus/file-store';
import { Server, type ServerOptions } from '@tus/server';
import {
  beginUpload,
  breakUpload,
  findReceivedUpload,
  readUploadToken,
  renewUpload,
  type UploadTurn,
} from '@/lib/assets';
import type { WorkerContext } from '@/lib/context';
import { AppError } from '@/lib/core/errors';
import { statusOfError } from '@/lib/core/error-status';
import { knownError } from '@/lib/core/known-error';
import { uploadLifetimeMs } from '@/lib/core/upload-token';
import { StorageError } from '@/lib/infra/storage';
import { roomOnDisk } from '@/lib/infra/storage/disk-space';
import { pathOf, queryValue } from '../http/answer';
import { takeIn } from './take-in';
import { watchIdle } from './upload-body';
import { uploadLimits, type UploadLimits } from './upload-put';

export const tusPath = '/api/asset/upload/tus';

export interface TusUploads {
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>;
  /** Finishes uploads whose last byte came just before a crash, and removes those that ran out. */
  sweep(): Promise<void>;
}

/** Id of an upload: the asset's, and what only who holds its token can know. */
const idGrammar = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})-([0-9a-f]{32})$/;

/**
 * Resumable uploads by tus 1.0. Bytes lie below DATA_DIR, so an upload goes on after a restart; an asset has one upload,
 * and creating it again begins it anew.
 */
export function openTusUploads(ctx: WorkerContext, limits: UploadLimits = uploadLimits): TusUploads {
  const directory = join(ctx.settings.dataDir, 'uploads', 'tus');
  const store = new FileStore({ directory, expirationPeriodInMilliseconds: uploadLifetimeMs });
  const signature = (assetId: string) =>
    createHmac('sha256', ctx.secrets.derive('tus')).update(assetId).digest('hex').slice(0, 32);
  const turnOf = (id: string): UploadTurn => {
    const [, assetId = '', given] = idGrammar.exec(id) ?? [];
    if (given === undefined || given !== signature(assetId)) throw new AppError('not_found', 'not found');
    // The same for every request of this upload, before and after a restart.
    return { assetId, lease: uuidOf(given) };
  };

  const finish = async (id: string, bytes: number): Promise<string | null> => {
    const turn = turnOf(id);
    const { playbackId } = await beginUpload(ctx, turn);
    const renewing = setInterval(() => void renewUpload(ctx, turn).catch(() => false), limits.renewMs);
    try {
      const path = join(directory, id);
      const reason = await takeIn(ctx, turn, { playbackId, path, bytes, hashes: null });
      await (reason === null ? store.configstore.delete(id) : store.remove(id));
      return reason;
    } finally {
      clearInterval(renewing);
    }
  };

  const server = createTusServer(ctx, store, { signature, turnOf, finish });

  return {
    async handle(request, response) {
      const id = pathOf(request.url).slice(tusPath.length + 1);
      if (request.method === 'HEAD' && (await answerReceived(ctx, response, () => turnOf(id)))) return;
      const stop = request.method === 'PATCH' ? keepAlive(ctx, request, turnOf, id, limits) : () => undefined;
      response.once('close', stop);
      await server.handle(request, response);
      if (request.method === 'DELETE' && response.statusCode === 204) await breakUpload(ctx, turnOf(id));
    },
    async sweep() {
      for (const id of (await store.configstore.list?.()) ?? []) {
        const upload = await store.getUpload(id).catch(() => null);
        if (upload?.size === undefined || upload.offset !== upload.size) continue;
        await finish(id, upload.size).catch((error: unknown) =>
          ctx.log.warn({ err: error, id }, 'a complete upload was not taken in'),
        );
      }
      await server.cleanUpExpiredUploads();
    },
  };
}

interface Rules {
  signature(assetId: string): string;
  /** @throws AppError `not_found` for an id that nobody was given */
  turnOf(id: string): UploadTurn;
  /** @returns why the file was refused, or null */
  finish(id: string, bytes: number): Promise<string | null>;
}

function createTusServer(ctx: WorkerContext, store: FileStore, rules: Rules): Server {
  return new Server({
    path: tusPath,
    datastore: store,
    maxSize: ctx.settings.maxUploadBytes,
    generateUrl: (_request, { id }) => `${ctx.settings.uploadUrl}${tusPath}/${id}`,
    namingFunction(request) {
      const token = queryValue(request.url, 'token') ?? '';
      const claims = readUploadToken(ctx.secrets, token, ctx.clock.now().getTime());
      if (!claims) throw new AppError('forbidden', 'This upload URL is not valid, or has run out.');
      return `${claims.assetId}-${rules.signature(claims.assetId)}`;
    },
    async onIncomingRequest(request, id) {
      const turn = rules.turnOf(id);
      if (request.method !== 'POST' && request.method !== 'PATCH') return;
      const expected = Number(request.headers.get('upload-length') ?? request.headers.get('content-length'));
      if ((await roomOnDisk(ctx.settings.dataDir)) < expected) throw new StorageError('full', id);
      await beginUpload(ctx, turn);
    },
    async onUploadFinish(_request, { id, size }) {
      const reason = await rules.finish(id, size ?? 0);
      if (reason !== null) throw new AppError('invalid', reason);
      return {};
    },
    onResponseError: (_request, error) => errorOf(error),
  });
}

/** Renews the reservation while bytes come, and hangs up when none do. @returns how to stop */
function keepAlive(
  ctx: WorkerContext,
  request: IncomingMessage,
  turnOf: (id: string) => UploadTurn,
  id: string,
  limits: UploadLimits,
): () => void {
  request.socket.setTimeout(0);
  const renewing = setInterval(() => {
    Promise.resolve()
      .then(() => renewUpload(ctx, turnOf(id)))
      .catch(() => undefined);
  }, limits.renewMs);
  const stopWatching = watchIdle(request, limits.idleMs, () => request.socket.destroy());
  return () => {
    clearInterval(renewing);
    stopWatching();
  };
}

/** A client that did not hear the last answer asks how far it is: everything is here. */
async function answerReceived(
  ctx: WorkerContext,
  response: ServerResponse,
  turn: () => UploadTurn,
): Promise<boolean> {
  const received = await Promise.resolve()
    .then(() => findReceivedUpload(ctx, turn().assetId))
    .catch(() => null);
  if (!received) return false;
  const bytes = String(received.bytes);
  response.writeHead(200, {
    'Tus-Resumable': '1.0.0',
    'Upload-Offset': bytes,
    'Upload-Length': bytes,
    'Cache-Control': 'no-store',
  });
  response.end();
  return true;
}

type TusError = Parameters<NonNullable<ServerOptions['onResponseError']>>[1];

/** The error body of the whole product, also where the library words it. */
function errorOf(error: TusError): { status_code: number; body: string } {
  const say = (status_code: number, messages: readonly string[]) => ({
    status_code,
    body: JSON.stringify({ errors: messages }),
  });
  if (error instanceof StorageError) return say(507, ['There is no room left to store this file.']);
  const known = knownError(error);
  if (known) return say(statusOfError(known.code), known.messages);
  if ('status_code' in error) return say(error.status_code, [error.body.trim()]);
  return say(500, ['Something went wrong here.']);
}

function uuidOf(hex: string): string {
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
