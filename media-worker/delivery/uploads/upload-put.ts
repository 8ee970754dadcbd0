import { mkdir, readdir, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import {
  startUpload,
  interruptUpload,
  findCompletedPutUpload,
  readUploadToken,
  renewUploadLease,
  reserveUploadQuota,
  type CompletedPutUpload,
  type UploadAttempt,
} from '@/lib/domain/assets';
import type { WorkerContext } from '@/lib/domain/context';
import { AppError, toAppError } from '@/lib/core/errors';
import { newId } from '@/lib/infra/ids';
import { readUploadLimit } from '@/lib/domain/quotas';
import { StorageError } from '@/lib/infra/storage';
import { errorAnswer, rejectionAnswer, type Answer } from '@/media-worker/kit/http/answer';
import { queryValue } from '@/media-worker/kit/http/request-url';
import { bodyErrorAnswer, diskFullAnswer, checkHeaders, retryHeaders } from './put-rejections';
import { acceptUpload, type UploadedFile } from './accept-upload';
import { type BodyLimits, receiveBody, UploadBodyError, type ReceivedBody } from './upload-body';
import { UploadStore, uploadFolder, uploadIdOf } from './upload-store';

/** Times of an upload, in milliseconds. Tests shorten them. */
export interface UploadTimings {
  /** A client that sends less than a kilobyte within this time is disconnected. */
  readonly idleTimeoutMs: number;
  /** Interval at which the lease of a running upload is renewed. The lease lasts for several, so that a renewal may fail. */
  readonly leaseRenewalMs: number;
}

export const uploadTimings: UploadTimings = { idleTimeoutMs: 30_000, leaseRenewalMs: 15_000 };

/** Folder of PUT bodies while they arrive. Only the origin role writes to it. */
export const putFolder = (dataDir: string): string => join(dataDir, 'uploads', 'put');

/**
 * Name of a new file: `<id>.<slot>`, or only `<id>` for slot 1.
 * @param slot number of this origin process on its machine, from 1 to `processes.origin`
 */
const createFileName = (slot: number): string => (slot === 1 ? newId() : `${newId()}.${slot}`);
const slotOfFile = (name: string): number => Number(name.split('.')[1] ?? 1);

/**
 * Deletes files of previous processes, which can never be completed: those of this process's slot, and those of slots that no
 * longer exist because `processes.origin` was lowered. To be called only at startup, before this process receives files.
 */
export async function deleteAbandonedPuts({ settings }: Pick<WorkerContext, 'settings'>): Promise<void> {
  const { dataDir, processes, slot } = settings;
  const names = await readdir(putFolder(dataDir)).catch(() => []);
  const abandonedNames = names.filter(
    (name) => slotOfFile(name) === slot || slotOfFile(name) > processes.origin,
  );
  for (const name of abandonedNames) await rm(join(putFolder(dataDir), name), { force: true });
}

/**
 * Handles a PUT to an upload URL: 200 once the file is received and accepted, otherwise an error. Until a file is accepted or
 * rejected, the URL can be used again; an accepted file can be sent again, but no other file. A completely received file
 * stays stored even if an internal error prevents its processing.
 */
export async function putUpload(
  ctx: WorkerContext,
  request: IncomingMessage,
  timings: UploadTimings = uploadTimings,
): Promise<Answer> {
  const now = ctx.clock.now().getTime();
  const claims = readUploadToken(ctx.secrets, queryValue(request.url, 'token') ?? '', now);
  if (!claims)
    return errorAnswer(
      403,
      'This upload URL is invalid or has expired. Request a new one with POST /api/asset/request-upload.',
    );
  const attempt = { assetId: claims.assetId, leaseId: newId() };
  try {
    const maxBytes = await readUploadLimit(ctx, attempt.assetId);
    const rejection = await checkHeaders(ctx, request, maxBytes);
    if (rejection) return rejection;
    const previousUpload = await findCompletedPutUpload(ctx, attempt.assetId);
    if (previousUpload) return await receiveAgain(ctx, request, { timings, previousUpload });
    const { playbackId } = await startUpload(ctx, attempt);
    return await receive(ctx, request, { attempt, playbackId, timings, maxBytes });
  } catch (error) {
    return failureAnswer(ctx, attempt, error);
  }
}

interface ReceiveOptions {
  readonly attempt: UploadAttempt;
  readonly playbackId: string;
  readonly timings: UploadTimings;
  readonly maxBytes: number;
}

async function receive(
  ctx: WorkerContext,
  request: IncomingMessage,
  { attempt, playbackId, timings, maxBytes }: ReceiveOptions,
): Promise<Answer> {
  const takeover = new AbortController();
  const renewTimer = setInterval(() => {
    void renewUploadLease(ctx, attempt).then(
      (hasLease) =>
        hasLease || takeover.abort(new AppError('conflict', 'another upload of this asset took over')),
      // The lease lasts for several intervals, so the next one retries.
      () => undefined,
    );
  }, timings.leaseRenewalMs);
  try {
    const reserve = await reserveQuota(ctx, request, attempt.assetId);
    const bodyOptions = { maxBytes, timings, signal: takeover.signal, ...(reserve ? { reserve } : {}) };
    return await withBody(ctx, request, bodyOptions, async (path, body) => {
      const reason = await acceptOrStore(ctx, attempt, { playbackId, path, ...body });
      return reason === null ? { status: 200, body: [] } : errorAnswer(422, reason);
    });
  } catch (error) {
    await interruptUpload(ctx, attempt).catch((failure: unknown) =>
      ctx.log.warn(
        { err: failure, assetId: attempt.assetId },
        'failed upload not released; its lease will expire',
      ),
    );
    if (error instanceof UploadBodyError) return bodyErrorAnswer(error, maxBytes);
    throw error;
  } finally {
    clearInterval(renewTimer);
  }
}

/** Quota that is reserved ahead of the received bytes of a body of unknown length, so that not every chunk needs a query. */
const RESERVE_AHEAD_BYTES = 16 * 1024 ** 2;

/**
 * Reserves quota for the declared length of a body.
 * @returns a function that reserves quota while a body of unknown length arrives; null if the length is declared
 * @throws AppError `payment_required`
 */
async function reserveQuota(
  ctx: WorkerContext,
  { headers }: IncomingMessage,
  assetId: string,
): Promise<BodyLimits['reserve'] | null> {
  const declaredBytes = headers['content-length'];
  if (declaredBytes !== undefined) {
    await reserveUploadQuota(ctx, assetId, Number(declaredBytes));
    return null;
  }
  const reserve = async (bytes: number): Promise<number> => {
    await reserveUploadQuota(ctx, assetId, bytes);
    return bytes;
  };
  return (bytes) =>
    reserve(bytes + RESERVE_AHEAD_BYTES).catch((error: unknown) => {
      if (toAppError(error)?.code !== 'payment_required') throw error;
      // Near the quota, only the received bytes are reserved: the file may still fit.
      return reserve(bytes);
    });
}

/**
 * Accepts a file. A file that could not be processed is stored as a complete upload, which the upload sweep retries. If the
 * client sends the file again and it is processed first, the stored one is discarded.
 * @returns the reason why the file was rejected; null if it was accepted
 */
async function acceptOrStore(
  ctx: WorkerContext,
  attempt: UploadAttempt,
  file: UploadedFile & ReceivedBody,
): Promise<string | null> {
  const store = new UploadStore(uploadFolder(ctx.settings.dataDir));
  const id = uploadIdOf(ctx, attempt.assetId);
  let reason: string | null;
  try {
    reason = await acceptUpload(ctx, attempt, file);
  } catch (error) {
    // Any other AppError means that the asset no longer expects this file: it was deleted, or another upload took over.
    if (!(error instanceof AppError) || error.code === 'unavailable')
      await store.storeWhole(id, file.path, file);
    throw error;
  }
  await store
    .delete(id)
    .catch((error: unknown) => ctx.log.warn({ err: error, id }, 'upload file not removed'));
  return reason;
}

interface ReceiveAgainOptions {
  readonly timings: UploadTimings;
  readonly previousUpload: CompletedPutUpload;
}

/** Handles a PUT for an asset that already has its file: the same file succeeds, and a different file is rejected. */
async function receiveAgain(
  ctx: WorkerContext,
  request: IncomingMessage,
  { timings, previousUpload }: ReceiveAgainOptions,
): Promise<Answer> {
  const otherFileAnswer = errorAnswer(422, 'asset has already been uploaded');
  if (Number(request.headers['content-length'] ?? previousUpload.bytes) !== previousUpload.bytes)
    return otherFileAnswer;
  const neverAborted = new AbortController().signal;
  const bodyOptions = { maxBytes: previousUpload.bytes, timings, signal: neverAborted };
  try {
    return await withBody(ctx, request, bodyOptions, (_path, body) => {
      const isKnownHash = ({ hash, algorithm }: ReceivedBody['hashes'][number]) =>
        previousUpload.hashes.some(
          (storedHash) => storedHash.algorithm === algorithm && storedHash.hash === hash,
        );
      const isSame = body.bytes === previousUpload.bytes && body.hashes.every(isKnownHash);
      return Promise.resolve(isSame ? { status: 200, body: [] } : otherFileAnswer);
    });
  } catch (error) {
    if (!(error instanceof UploadBodyError)) throw error;
    return error.kind === 'too_large' ? otherFileAnswer : bodyErrorAnswer(error, previousUpload.bytes);
  }
}

/** Receives a body into a temporary file, which is removed afterwards unless `use` moved it. */
export async function withBody(
  { settings: { dataDir, slot } }: WorkerContext,
  request: IncomingMessage,
  options: Omit<BodyLimits, 'idleTimeoutMs'> & { readonly timings: UploadTimings },
  use: (path: string, body: ReceivedBody) => Promise<Answer>,
): Promise<Answer> {
  const path = join(putFolder(dataDir), createFileName(slot));
  // The idle timeout of the body replaces the timeout of the server.
  request.socket.setTimeout(0);
  try {
    await mkdir(putFolder(dataDir), { recursive: true });
    const { timings, ...bounds } = options;
    return await use(
      path,
      await receiveBody(request, path, { ...bounds, idleTimeoutMs: timings.idleTimeoutMs }),
    );
  } finally {
    await rm(path, { force: true });
  }
}

function failureAnswer({ log }: WorkerContext, { assetId }: UploadAttempt, error: unknown): Answer {
  if (error instanceof StorageError && error.kind === 'full') return diskFullAnswer();
  const appError = toAppError(error);
  if (appError) return rejectionAnswer(appError);
  log.warn({ err: error, assetId }, 'upload failed');
  return errorAnswer(503, 'The file could not be stored. Send it again to the same URL.', retryHeaders);
}
