import { mkdir, readdir, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import {
  startUpload,
  interruptUpload,
  endRepeatableUpload,
  findRepeatableUpload,
  readUploadToken,
  renewUpload,
  type RepeatableUpload,
  type UploadAttempt,
} from '@/lib/assets';
import type { WorkerContext } from '@/lib/context';
import { AppError, knownError } from '@/lib/core/errors';
import { newId } from '@/lib/infra/ids';
import { readUploadLimit } from '@/lib/quotas';
import { StorageError } from '@/lib/infra/storage';
import { freeDiskSpace } from '@/lib/infra/storage/disk-space';
import { errorAnswer, queryValue, refusalAnswer, type Answer } from '../http/answer';
import { takeIn, type UploadedFile } from './take-in';
import { receiveBody, UploadBodyError, type ReceivedBody } from './upload-body';
import { UploadStore, uploadFolder, uploadIdOf } from './upload-store';

export interface UploadLimits {
  /** A client that sends less than a kilobyte in this time is disconnected. */
  readonly idleMs: number;
  /** How often the reservation of a running upload is renewed. */
  readonly renewMs: number;
}

export const uploadLimits: UploadLimits = { idleMs: 30_000, renewMs: 15_000 };

/** Folder of PUT bodies while they arrive. Only this role writes there. */
export const putFolder = (dataDir: string): string => join(dataDir, 'uploads', 'put');

const fileName = (slot: number): string => (slot === 1 ? newId() : `${newId()}.${slot}`);
const slotOf = (name: string): number => Number(name.split('.')[1] ?? 1);

/** Removes what a process before this one had received: it can never be completed. The others are still receiving. */
export async function removeAbandonedPuts({ settings }: Pick<WorkerContext, 'settings'>): Promise<void> {
  const { dataDir, processes, slot } = settings;
  const names = await readdir(putFolder(dataDir)).catch(() => []);
  const abandoned = names.filter((name) => slotOf(name) === slot || slotOf(name) > processes.origin);
  for (const name of abandoned) await rm(join(putFolder(dataDir), name), { force: true });
}

const retrySoon = { 'Retry-After': 15 };
const noRoom = (): Answer => errorAnswer(507, 'There is not enough disk space for this file.', retrySoon);

/**
 * Handles a PUT to an upload URL: 200 once the file is received and accepted, otherwise an error. Until then the same
 * URL may be used again. A completely received file is kept even if an internal fault prevents its processing.
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
  const attempt = { assetId: claims.assetId, lease: newId() };
  try {
    const maxBytes = await readUploadLimit(ctx, attempt.assetId);
    const refused = await refusedByHeaders(ctx, request, maxBytes);
    if (refused) return refused;
    const before = await findRepeatableUpload(ctx, attempt.assetId);
    if (before) return await receiveAgain(ctx, request, { attempt, limits, before });
    const { playbackId } = await startUpload(ctx, attempt);
    return await receive(ctx, request, { attempt, playbackId, limits, maxBytes });
  } catch (error) {
    return answerTo(ctx, attempt, error);
  }
}

async function refusedByHeaders(
  { settings: { dataDir } }: WorkerContext,
  request: IncomingMessage,
  maxBytes: number,
): Promise<Answer | null> {
  const encoding = request.headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity') {
    return errorAnswer(415, 'Content-Encoding: send the file as it is, without compression.');
  }
  const expected = Number(request.headers['content-length'] ?? 0);
  if (expected > maxBytes) return tooLarge(maxBytes);
  return (await freeDiskSpace(dataDir)) < expected ? noRoom() : null;
}

interface Receiving {
  readonly attempt: UploadAttempt;
  readonly playbackId: string;
  readonly limits: UploadLimits;
  readonly maxBytes: number;
}

async function receive(
  ctx: WorkerContext,
  request: IncomingMessage,
  { attempt, playbackId, limits, maxBytes }: Receiving,
): Promise<Answer> {
  const pushedAside = new AbortController();
  const renewing = setInterval(() => {
    void renewUpload(ctx, attempt).then(
      (ours) => ours || pushedAside.abort(new AppError('conflict', 'another upload of this asset took over')),
      () => undefined,
    );
  }, limits.renewMs);
  try {
    const receiving = { maxBytes, limits, signal: pushedAside.signal };
    return await withBody(ctx, request, receiving, async (path, body) => {
      const reason = await takeInOrKeep(ctx, attempt, { playbackId, path, ...body });
      return reason === null ? { status: 200, body: [] } : errorAnswer(422, reason);
    });
  } catch (error) {
    await interruptUpload(ctx, attempt).catch((failed: unknown) =>
      ctx.log.warn(
        { err: failed, assetId: attempt.assetId },
        'failed upload not released; its lease expires in a minute',
      ),
    );
    if (error instanceof UploadBodyError) return answerToBody(error, maxBytes);
    throw error;
  } finally {
    clearInterval(renewing);
  }
}

/**
 * A file that could not be processed is kept as a complete upload, which the upload sweep retries. If the file
 * is sent again and processed before that, the kept one is discarded.
 */
async function takeInOrKeep(
  ctx: WorkerContext,
  attempt: UploadAttempt,
  file: UploadedFile & ReceivedBody,
): Promise<string | null> {
  const store = new UploadStore(uploadFolder(ctx.settings.dataDir));
  const id = uploadIdOf(ctx, attempt.assetId);
  let reason: string | null;
  try {
    reason = await takeIn(ctx, attempt, file);
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'unavailable')
      await store.keepWhole(id, file.path, file);
    throw error;
  }
  await store
    .discard(id)
    .catch((error: unknown) => ctx.log.warn({ err: error, id }, 'upload file not removed'));
  return reason;
}

interface RetryContext {
  readonly attempt: UploadAttempt;
  readonly limits: UploadLimits;
  readonly before: RepeatableUpload;
}

/** The client was asked to send the file again, but it has been processed meanwhile: the same file succeeds. */
async function receiveAgain(
  ctx: WorkerContext,
  request: IncomingMessage,
  { attempt, limits, before }: RetryContext,
): Promise<Answer> {
  const another = errorAnswer(422, 'asset has already been uploaded');
  if (Number(request.headers['content-length'] ?? before.bytes) !== before.bytes) return another;
  const receiving = { maxBytes: before.bytes, limits, signal: new AbortController().signal };
  try {
    return await withBody(ctx, request, receiving, async (_path, body) => {
      const same = ({ hash, algorithm }: ReceivedBody['hashes'][number]) =>
        before.hashes.some((known) => known.algorithm === algorithm && known.hash === hash);
      if (body.bytes !== before.bytes || !body.hashes.every(same)) return another;
      await endRepeatableUpload(ctx, attempt.assetId);
      return { status: 200, body: [] };
    });
  } catch (error) {
    if (!(error instanceof UploadBodyError)) throw error;
    return error.kind === 'too_large' ? another : answerToBody(error, before.bytes);
  }
}

/** Receives a body into a temporary file, which is removed afterwards unless `use` moved it. */
export async function withBody(
  { settings: { dataDir, slot } }: WorkerContext,
  request: IncomingMessage,
  how: { readonly maxBytes: number; readonly limits: UploadLimits; readonly signal: AbortSignal },
  use: (path: string, body: ReceivedBody) => Promise<Answer>,
): Promise<Answer> {
  const path = join(putFolder(dataDir), fileName(slot));
  // From here on our own idle timeout applies.
  request.socket.setTimeout(0);
  try {
    await mkdir(putFolder(dataDir), { recursive: true });
    const { maxBytes, limits, signal } = how;
    return await use(path, await receiveBody(request, path, { maxBytes, idleMs: limits.idleMs, signal }));
  } finally {
    await rm(path, { force: true });
  }
}

/** The answer to a body that did not arrive. */
export function answerToBody({ kind }: UploadBodyError, maxBytes: number): Answer {
  switch (kind) {
    case 'too_large':
      return tooLarge(maxBytes);
    case 'full':
      return noRoom();
    case 'idle':
      return errorAnswer(408, 'The upload stalled. Send the whole file again to the same URL.');
    case 'broken':
      return errorAnswer(400, 'The upload ended early. Send the whole file again to the same URL.');
  }
}

function answerTo({ log }: WorkerContext, { assetId }: UploadAttempt, error: unknown): Answer {
  if (error instanceof StorageError && error.kind === 'full') return noRoom();
  const known = knownError(error);
  if (known) return refusalAnswer(known);
  log.warn({ err: error, assetId }, 'upload failed');
  return errorAnswer(503, 'The file could not be stored. Send it again to the same URL.', retrySoon);
}

function tooLarge(maxBytes: number): Answer {
  return errorAnswer(413, `The file is too large; at most ${maxBytes} bytes are accepted.`);
}
