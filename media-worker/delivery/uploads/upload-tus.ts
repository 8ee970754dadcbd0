import { SingleFlight } from '@/lib/core/single-flight';
import { backoffDelay } from '@/lib/core/backoff';
import { HOUR_MS } from '@/lib/core/units';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { basename } from 'node:path';
import { EVENTS, type ServerOptions } from '@tus/server';
import {
  startUpload,
  interruptUpload,
  findReceivedUpload,
  isWaitingOrUploading,
  reserveUploadedBytes,
  readUploadToken,
  renewUploadLease,
} from '@/lib/domain/assets';
import type { WorkerContext } from '@/lib/domain/context';
import { AppError, toAppError, statusOfError, notFound, type Issue } from '@/lib/core/errors';
import { uploadSlotOf } from '@/lib/core/nodes/process-slots';
import { UPLOAD_LIFETIME_MS } from '@/lib/core/access/upload-token';
import { StorageError } from '@/lib/infra/storage';
import { errorAnswer, rejectionAnswer, send, type Answer } from '@/media-worker/kit/http/answer';
import { queryValue, pathOf } from '@/media-worker/kit/http/request-url';
import { acceptUpload } from './accept-upload';
import { TusServer } from './tus-server';
import { createTusAdmission } from './admit-tus';
import { createLeaseKeeper } from './upload-lease';
import { UploadStore, attemptOfUpload, uploadFolder, uploadIdOf } from './upload-store';
import { uploadTimings, type UploadTimings } from './upload-put';
import { createErrorBody } from '@/lib/core/reasons/reason';

export const tusPath = '/api/asset/upload/tus';
/** Content type of the bytes of an upload. */
export const tusContentType = 'application/offset+octet-stream';

export interface TusUploads {
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>;
  /** Retries complete uploads that could not be processed, and removes expired ones. */
  sweep(): Promise<void>;
}

/** Backoff between attempts to process one complete upload, milliseconds. */
const retryBackoff = { firstDelay: 15_000, maxDelay: 600_000 };
/** Age at which files that belong to no upload are deleted. */
const LEFTOVER_MAX_AGE_MS = HOUR_MS;

/** Resumable uploads (tus 1.0), whose bytes survive a restart. An asset has one upload: creating it again resumes it. */
export function openTusUploads(ctx: WorkerContext, timings: UploadTimings = uploadTimings): TusUploads {
  const store = new UploadStore(uploadFolder(ctx.settings.dataDir));
  const finishes = new SingleFlight<string | null>();
  const finish = (id: string) => finishes.run(id, () => finishUpload(ctx, store, id, timings));
  const server = createTusServer(ctx, store, finish);
  const keepLease = createLeaseKeeper(ctx, store, timings);
  /** Failed uploads by id. `retryAt` is monotonic milliseconds. */
  const retries = new Map<string, { failures: number; retryAt: number }>();

  return {
    async handle(request, response) {
      const id = pathOf(request.url).slice(tusPath.length + 1);
      if (request.method === 'HEAD') {
        const answer = await answerReceived(ctx, store, id);
        if (answer) {
          send(response, answer);
          return;
        }
      }
      const receivingId = request.method === 'PATCH' ? id : uploadIdOfCreation(ctx, request);
      if (receivingId !== null && !keepLease(request, response, receivingId)) return;
      await server.handle(request, response);
    },
    async sweep() {
      const now = ctx.clock.monotonic();
      const { processes, slot } = ctx.settings;
      const ids = (await store.list()).filter((id) => uploadSlotOf(id, processes.origin) === slot);
      for (const id of retries.keys()) if (!ids.includes(id)) retries.delete(id);
      for (const id of ids) {
        const { failures, retryAt } = retries.get(id) ?? { failures: 0, retryAt: now };
        if (retryAt > now) continue;
        try {
          await sweepUpload(ctx, store, id, finish);
        } catch (error) {
          const waitMs = backoffDelay(failures + 1, retryBackoff);
          retries.set(id, { failures: failures + 1, retryAt: now + waitMs });
          ctx.log.warn({ err: error, id, waitMs }, 'upload sweep failed; retrying');
        }
      }
      await store.expireLeftovers(new Date(ctx.clock.now().getTime() - LEFTOVER_MAX_AGE_MS));
    },
  };
}

/**
 * Accepts a complete upload. Its bytes are deleted once the database knows the stored copy or the rejection.
 * @returns the reason of a rejection, or null
 */
async function finishUpload(
  ctx: WorkerContext,
  store: UploadStore,
  id: string,
  { leaseRenewalMs }: UploadTimings,
): Promise<string | null> {
  const attempt = attemptOfUpload(ctx, id);
  const upload = await store.find(id);
  if (!upload) throw notFound();
  const { playbackId } = await startUpload(ctx, attempt);
  // A failed renewal is repeated at the next interval.
  const renew = () => void renewUploadLease(ctx, attempt).catch(() => false);
  const renewTimer = setInterval(renew, leaseRenewalMs);
  try {
    const file = { playbackId, path: store.pathOf(id), bytes: upload.offset, hashes: upload.hashes };
    const reason = await acceptUpload(ctx, attempt, file);
    await store
      .delete(id)
      .catch((error: unknown) => ctx.log.warn({ err: error, id }, 'upload file not removed'));
    return reason;
  } catch (error) {
    // The lease of a file received by PUT is released, so that the client can send the file again immediately. A tus client keeps
    // its lease and continues. A lease that cannot be released expires in a minute.
    if (upload.hashes !== null) await interruptUpload(ctx, attempt, upload.offset).catch(() => undefined);
    throw error;
  } finally {
    clearInterval(renewTimer);
  }
}

async function sweepUpload(
  ctx: WorkerContext,
  store: UploadStore,
  id: string,
  finish: (id: string) => Promise<string | null>,
): Promise<void> {
  const upload = await store.find(id);
  const { assetId } = attemptOfUpload(ctx, id);
  if (!upload || !(await isWaitingOrUploading(ctx, assetId))) {
    await store.delete(id);
    return;
  }
  await reserveUploadedBytes(ctx, assetId, upload.offset);
  if (upload.offset === upload.size) await finish(id);
  else if (ctx.clock.now().getTime() > upload.createdAt.getTime() + UPLOAD_LIFETIME_MS)
    await store.delete(id);
}

/** The id of the upload that the token in a URL authorizes; null for a token that is not valid. */
function uploadIdOfToken(ctx: WorkerContext, url: string | undefined): string | null {
  const token = queryValue(url, 'token') ?? '';
  const claims = readUploadToken(ctx.secrets, token, ctx.clock.now().getTime());
  return claims && uploadIdOf(ctx, claims.assetId);
}

/** The id of the upload that a POST request creates with bytes in its body; null for any other request. */
function uploadIdOfCreation(ctx: WorkerContext, { method, url, headers }: IncomingMessage): string | null {
  return method === 'POST' && headers['content-type'] === tusContentType ? uploadIdOfToken(ctx, url) : null;
}

function createTusServer(
  ctx: WorkerContext,
  store: UploadStore,
  finish: (id: string) => Promise<string | null>,
): TusServer {
  const admission = createTusAdmission(ctx, store);
  const server = new TusServer({
    path: tusPath,
    datastore: store,
    maxSize: (request, id) => (id === null ? ctx.settings.maxUploadBytes : admission.maxBytes(request, id)),
    generateUrl: (_request, { id }) => `${ctx.settings.uploadUrl}${tusPath}/${id}`,
    namingFunction(request) {
      const id = uploadIdOfToken(ctx, request.url);
      if (id === null)
        throw new AppError(
          'forbidden',
          'This upload URL is invalid or has expired. Request a new one with POST /api/asset/request-upload.',
        );
      return id;
    },
    async onIncomingRequest(request, id) {
      // Rejects a guessed id before the library handles the request.
      attemptOfUpload(ctx, id);
      await admission.admit(request, id);
    },
    async onUploadFinish(_request, upload) {
      const reason = await finish(upload.id);
      if (reason !== null) throw new AppError('invalid', reason);
      // Without a creation date, the library does not look up the expiration in the store, which the upload has left.
      upload.creation_date = undefined;
      return {};
    },
    // The last part of the path is the id of the upload.
    onResponseError: ({ url }, error) => tusErrorOf(ctx, basename(pathOf(url)), error),
  });
  // Releases the lease even if the client has disconnected, which no response event reports.
  server.on(EVENTS.POST_TERMINATE, (_request, _response, id) => {
    void interruptUpload(ctx, attemptOfUpload(ctx, id)).catch((error: unknown) =>
      ctx.log.warn({ err: error, id }, 'terminated upload not released; its lease will expire'),
    );
  });
  return server;
}

/**
 * Answers a client that missed the last response and asks for the offset: the upload is complete, but no longer in the store.
 * @returns null if the library should answer: the upload is in the store, or there is none
 */
async function answerReceived(ctx: WorkerContext, store: UploadStore, id: string): Promise<Answer | null> {
  try {
    const { assetId } = attemptOfUpload(ctx, id);
    if (await store.find(id)) return null;
    const upload = await findReceivedUpload(ctx, assetId);
    if (!upload) return null;
    const bytes = String(upload.bytes);
    return {
      status: 200,
      headers: {
        'Tus-Resumable': '1.0.0',
        'Upload-Offset': bytes,
        'Upload-Length': bytes,
        'Cache-Control': 'no-store',
      },
    };
  } catch (error) {
    const appError = toAppError(error);
    if (appError?.code === 'not_found') return null;
    // A 404 would end the upload permanently, so unreadable state is answered with 503.
    if (!appError) ctx.log.warn({ err: error, id }, 'upload state not readable');
    return appError ? rejectionAnswer(appError) : errorAnswer(503, unavailableMessage, { 'Retry-After': 5 });
  }
}

const unavailableMessage = 'The upload is temporarily unavailable. Try again.';

type TusError = Parameters<NonNullable<ServerOptions['onResponseError']>>[1];

/** Converts an error to the error body of this product. An error that is no rejection is logged, and the client may retry. */
function tusErrorOf(
  { log }: WorkerContext,
  id: string,
  error: TusError,
): { status_code: number; body: string } {
  const tusError = (status_code: number, issues: readonly Issue[]) => ({
    status_code,
    body: JSON.stringify(createErrorBody(issues)),
  });
  if (error instanceof StorageError && error.kind === 'full')
    return tusError(507, ['There is not enough disk space for this file.']);
  const appError = toAppError(error);
  if (appError) return tusError(statusOfError(appError.code), appError.issues);
  if ('status_code' in error && (error.status_code < 500 || error.status_code === 501))
    return tusError(error.status_code, [error.body.trim()]);
  log.warn({ err: error, id }, 'upload failed');
  return tusError(503, [unavailableMessage]);
}
