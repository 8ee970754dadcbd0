import { mkdir, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { beginUpload, breakUpload, readUploadToken, renewUpload, type UploadTurn } from '@/lib/assets';
import type { WorkerContext } from '@/lib/context';
import { AppError } from '@/lib/core/errors';
import { knownError } from '@/lib/core/known-error';
import { newId } from '@/lib/infra/ids';
import { StorageError } from '@/lib/infra/storage';
import { roomOnDisk } from '@/lib/infra/storage/disk-space';
import { errorAnswer, queryValue, refusalAnswer, type Answer } from '../http/answer';
import { takeIn } from './take-in';
import { receiveBody, UploadBodyError } from './upload-body';

export interface UploadLimits {
  /** A sender that gets less than a kilobyte across in this time is cut off. */
  readonly idleMs: number;
  /** How often the reservation of a running upload is renewed. */
  readonly renewMs: number;
}

export const uploadLimits: UploadLimits = { idleMs: 30_000, renewMs: 15_000 };

/** Where the bytes of PUTs lie while they arrive. Only this role writes there. */
export const putFolder = (dataDir: string): string => join(dataDir, 'uploads', 'put');

const noRoom = (): Answer => errorAnswer(507, 'There is no room left to store this file.');

/**
 * Answers a PUT of a file to the URL of an upload request (specification §4.4): 200 when it was received and accepted,
 * otherwise why not. Until it has been received the same URL may be tried again.
 */
export async function putUpload(
  ctx: WorkerContext,
  request: IncomingMessage,
  limits: UploadLimits = uploadLimits,
): Promise<Answer> {
  const now = ctx.clock.now().getTime();
  const claims = readUploadToken(ctx.secrets, queryValue(request.url, 'token') ?? '', now);
  if (!claims) return errorAnswer(403, 'This upload URL is not valid, or has run out.');
  const refused = await refusedByHeaders(ctx, request);
  if (refused) return refused;
  const turn = { assetId: claims.assetId, lease: newId() };
  try {
    const { playbackId } = await beginUpload(ctx, turn);
    return await receive(ctx, request, { turn, playbackId, limits });
  } catch (error) {
    return answerTo(error);
  }
}

async function refusedByHeaders(ctx: WorkerContext, request: IncomingMessage): Promise<Answer | null> {
  const { maxUploadBytes, dataDir } = ctx.settings;
  const encoding = request.headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity') {
    return errorAnswer(415, 'Content-Encoding: send the file as it is, without compression.');
  }
  const expected = Number(request.headers['content-length'] ?? 0);
  if (expected > maxUploadBytes) return tooLarge(maxUploadBytes);
  return (await roomOnDisk(dataDir)) < expected ? noRoom() : null;
}

interface Receiving {
  readonly turn: UploadTurn;
  readonly playbackId: string;
  readonly limits: UploadLimits;
}

async function receive(
  ctx: WorkerContext,
  request: IncomingMessage,
  { turn, playbackId, limits }: Receiving,
): Promise<Answer> {
  const path = join(putFolder(ctx.settings.dataDir), turn.lease);
  const maxBytes = ctx.settings.maxUploadBytes;
  const pushedAside = new AbortController();
  const renewing = setInterval(() => {
    void renewUpload(ctx, turn).then(
      (ours) => ours || pushedAside.abort(new AppError('conflict', 'another upload of this asset took over')),
      () => undefined,
    );
  }, limits.renewMs);
  // The rule for silent senders is our own from here on.
  request.socket.setTimeout(0);
  try {
    await mkdir(putFolder(ctx.settings.dataDir), { recursive: true });
    const body = await receiveBody(request, path, {
      maxBytes,
      idleMs: limits.idleMs,
      signal: pushedAside.signal,
    });
    const reason = await takeIn(ctx, turn, { playbackId, path, ...body });
    return reason === null ? { status: 200, body: [] } : errorAnswer(422, reason);
  } catch (error) {
    await breakUpload(ctx, turn);
    if (error instanceof UploadBodyError) return answerToBody(error, maxBytes);
    throw error;
  } finally {
    clearInterval(renewing);
    await rm(path, { force: true });
  }
}

function answerToBody({ kind }: UploadBodyError, maxBytes: number): Answer {
  switch (kind) {
    case 'too_large':
      return tooLarge(maxBytes);
    case 'full':
      return noRoom();
    case 'idle':
      return errorAnswer(408, 'No bytes came for a while; send the whole file again to the same URL.');
    case 'broken':
      return errorAnswer(400, 'The upload ended early; send the whole file again to the same URL.');
  }
}

function answerTo(error: unknown): Answer {
  if (error instanceof StorageError && error.kind === 'full') return noRoom();
  const known = knownError(error);
  if (known) return refusalAnswer(known);
  throw error;
}

function tooLarge(maxBytes: number): Answer {
  return errorAnswer(413, `The file is too large; at most ${maxBytes} bytes are accepted.`);
}
