import { mkdir, readdir, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import {
  startUpload,
  interruptUpload,
  findRepeatableUpload,
  readUploadToken,
  renewUploadLease,
  reserveUploadQuota,
  type RepeatableUpload,
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

export interface UploadLimits {
  /** A client that sends less than a kilobyte within this time is disconnected. */
  readonly idleMs: number;
  /** Interval at which the lease of a running upload is renewed. */
  readonly renewMs: number;
}

export const uploadLimits: UploadLimits = { idleMs: 30_000, renewMs: 15_000 };

/** Folder of PUT bodies while they arrive. Only the origin role writes to it. */
export const putFolder = (dataDir: string): string => join(dataDir, 'uploads', 'put');

/** The file name of a body: a random id, and the slot of the process unless it is 1. */
const createFileName = (slot: number): string => (slot === 1 ? newId() : `${newId()}.${slot}`);
const slotOfFile = (name: string): number => Number(name.split('.')[1] ?? 1);

/** Deletes files of previous processes, which can never be completed. Files of running processes stay. */
export async function deleteAbandonedPuts({ settings }: Pick<WorkerContext, 'settings'>): Promise<void> {
  const { dataDir, processes, slot } = settings;
  const names = await readdir(putFolder(dataDir)).catch(() => []);
  const abandonedFiles = names.filter(
    (name) => slotOfFile(name) === slot || slotOfFile(name) > processes.origin,
  );
  for (const name of abandonedFiles) await rm(join(putFolder(dataDir), name), { force: true });
}

/**
 * Handles a PUT to an upload URL: 200 once the file is received and accepted, otherwise an error. Until then the same URL can
 * be used again. A completely received file stays stored even if an internal error prevents its processing.
 */
export async function putUpload(
  ctx: WorkerContext,
  request: IncomingMessage,
  limits: UploadLimits = uploadLimits,
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
    const previousUpload = await findRepeatableUpload(ctx, attempt.assetId);
    if (previousUpload) return await receiveAgain(ctx, request, { limits, previousUpload });
    const { playbackId } = await startUpload(ctx, attempt);
    return await receive(ctx, request, { attempt, playbackId, limits, maxBytes });
  } catch (error) {
    return failureAnswer(ctx, attempt, error);
  }
}

interface ReceiveOptions {
  readonly attempt: UploadAttempt;
  readonly playbackId: string;
  readonly limits: UploadLimits;
  readonly maxBytes: number;
}

async function receive(
  ctx: WorkerContext,
  request: IncomingMessage,
  { attempt, playbackId, limits, maxBytes }: ReceiveOptions,
): Promise<Answer> {
  const takeover = new AbortController();
  const renewTimer = setInterval(() => {
    void renewUploadLease(ctx, attempt).then(
      (hasLease) =>
        hasLease || takeover.abort(new AppError('conflict', 'another upload of this asset took over')),
      // A failed renewal is repeated at the next interval.
      () => undefined,
    );
  }, limits.renewMs);
  try {
    const reserve = await reserveQuota(ctx, request, attempt.assetId);
    const receiveOptions = { maxBytes, limits, signal: takeover.signal, ...(reserve ? { reserve } : {}) };
    return await withBody(ctx, request, receiveOptions, async (path, body) => {
      const reason = await acceptOrStore(ctx, attempt, { playbackId, path, ...body });
      return reason === null ? { status: 200, body: [] } : errorAnswer(422, reason);
    });
  } catch (error) {
    await interruptUpload(ctx, attempt).catch((failure: unknown) =>
      ctx.log.warn(
        { err: failure, assetId: attempt.assetId },
        'failed upload not released; its lease expires in a minute',
      ),
    );
    if (error instanceof UploadBodyError) return bodyErrorAnswer(error, maxBytes);
    throw error;
  } finally {
    clearInterval(renewTimer);
  }
}

/** Quota that is reserved in advance for a body of unknown length. */
const RESERVATION_STEP_BYTES = 16 * 1024 ** 2;

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
    reserve(bytes + RESERVATION_STEP_BYTES).catch((error: unknown) => {
      if (toAppError(error)?.code !== 'payment_required') throw error;
      // Less than a step may remain of the quota.
      return reserve(bytes);
    });
}

/**
 * Accepts a file. A file that could not be processed is stored as a complete upload, which the upload sweep retries. If the
 * client sends the file again and it is processed first, the stored one is discarded.
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
  readonly limits: UploadLimits;
  readonly previousUpload: RepeatableUpload;
}

/** Handles a PUT for an asset that already has its file: the same file succeeds, and a different file is rejected. */
async function receiveAgain(
  ctx: WorkerContext,
  request: IncomingMessage,
  { limits, previousUpload }: ReceiveAgainOptions,
): Promise<Answer> {
  const otherFileAnswer = errorAnswer(422, 'asset has already been uploaded');
  if (Number(request.headers['content-length'] ?? previousUpload.bytes) !== previousUpload.bytes)
    return otherFileAnswer;
  const neverAborted = new AbortController().signal;
  const receiveOptions = { maxBytes: previousUpload.bytes, limits, signal: neverAborted };
  try {
    return await withBody(ctx, request, receiveOptions, (_path, body) => {
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
  options: Omit<BodyLimits, 'idleMs'> & { readonly limits: UploadLimits },
  use: (path: string, body: ReceivedBody) => Promise<Answer>,
): Promise<Answer> {
  const path = join(putFolder(dataDir), createFileName(slot));
  // The idle timeout of the body replaces the timeout of the server.
  request.socket.setTimeout(0);
  try {
    await mkdir(putFolder(dataDir), { recursive: true });
    const { limits, ...bounds } = options;
    return await use(path, await receiveBody(request, path, { ...bounds, idleMs: limits.idleMs }));
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
