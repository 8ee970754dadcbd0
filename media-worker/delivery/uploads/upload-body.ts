import { createHash, type Hash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { dirname } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createDiskSpaceLimit, isFull } from '@/lib/infra/storage/disk-space';

/**
 * `too_large`: above the limit. `idle`: the client stopped sending. `broken`: it disconnected. `full`: the disk is full.
 * `damaged`: the Content-MD5 does not match.
 */
export class UploadBodyError extends Error {
  override readonly name = 'UploadBodyError';
  constructor(readonly kind: 'too_large' | 'idle' | 'broken' | 'full' | 'damaged') {
    super(`The body of the upload is ${kind}`);
  }
}

export interface ReceivedBody {
  readonly bytes: number;
  readonly hashes: readonly { readonly hash: string; readonly algorithm: string }[];
}

export interface BodyLimits {
  readonly maxBytes: number;
  /** At least a kilobyte must arrive within this time. */
  readonly idleTimeoutMs: number;
  /** Aborts the upload. */
  readonly signal: AbortSignal;
  /**
   * Reserves quota for a body of `totalBytes`, before it exceeds the bytes granted so far. Resolves to the total bytes
   * granted; rejects without quota.
   */
  readonly reserve?: (totalBytes: number) => Promise<number>;
}

const MIN_BYTES_PER_INTERVAL = 1_024;

/**
 * Writes the body of a request to a new file and computes its hashes, with only a few chunks in memory. The file is
 * durable when this returns; the caller removes it if this throws.
 * @throws UploadBodyError, the signal's reason, or errors of `reserve` and of the file system
 */
export async function receiveBody(
  request: IncomingMessage,
  path: string,
  { maxBytes, idleTimeoutMs, signal, reserve }: BodyLimits,
): Promise<ReceivedBody> {
  const controller = new AbortController();
  const hashes = { md5: createHash('md5'), sha256: createHash('sha256') };
  let bytes = 0;
  let reservedBytes = reserve ? 0 : maxBytes;
  const measure = new Transform({
    transform(chunk: Buffer, _encoding, callback) {
      bytes += chunk.length;
      for (const hash of Object.values(hashes)) hash.update(chunk);
      if (bytes > maxBytes) callback(new UploadBodyError('too_large'));
      else if (!reserve || bytes <= reservedBytes) callback(null, chunk);
      else
        reserve(bytes).then((grantedBytes) => {
          reservedBytes = grantedBytes;
          callback(null, chunk);
        }, callback);
    },
  });
  // Unread bytes of a disconnected client are lost, even at the end of a complete body.
  if (request.destroyed && !request.readableEnded) throw new UploadBodyError('broken');
  // Not part of the pipeline, which would destroy the request and its response.
  const onBroken = () => {
    if (!request.readableEnded) measure.destroy(new UploadBodyError('broken'));
  };
  request.once('error', onBroken).once('close', onBroken).pipe(measure);
  const stopWatching = watchIdle(request, idleTimeoutMs, () => controller.abort(new UploadBodyError('idle')));
  try {
    const file = createWriteStream(path, { flags: 'wx', flush: true, highWaterMark: 256 * 1024 });
    await pipeline(measure, createDiskSpaceLimit(dirname(path)), file, {
      signal: AbortSignal.any([signal, controller.signal]),
    });
    return { bytes, hashes: verifyDigests(hashes, request.headers['content-md5']) };
  } catch (error) {
    throw reasonOf(error, controller.signal, signal);
  } finally {
    stopWatching();
    request.unpipe(measure).off('error', onBroken).off('close', onBroken);
  }
}

/**
 * Calls `onIdle` after each interval in which less than a kilobyte has arrived; a complete body is not idle.
 * @returns a function that stops watching
 */
export function watchIdle(request: IncomingMessage, idleTimeoutMs: number, onIdle: () => void): () => void {
  let bytesBefore = request.socket.bytesRead;
  const timer = setInterval(() => {
    const { bytesRead } = request.socket;
    if (!request.complete && bytesRead - bytesBefore < MIN_BYTES_PER_INTERVAL) onIdle();
    bytesBefore = bytesRead;
  }, idleTimeoutMs);
  return () => clearInterval(timer);
}

function verifyDigests(
  hashes: Readonly<Record<string, Hash>>,
  md5: string | readonly string[] | undefined,
): ReceivedBody['hashes'] {
  const digests = Object.entries(hashes).map(([algorithm, hash]) => ({
    hash: hash.digest('hex'),
    algorithm,
  }));
  const expectedMd5 = md5 === undefined ? null : Buffer.from(String(md5), 'base64').toString('hex');
  const actualMd5 = digests.find(({ algorithm }) => algorithm === 'md5')?.hash;
  if (expectedMd5 !== null && expectedMd5 !== actualMd5) throw new UploadBodyError('damaged');
  return digests;
}

function reasonOf(error: unknown, idleSignal: AbortSignal, callerSignal: AbortSignal): unknown {
  if (error instanceof UploadBodyError) return error;
  if (idleSignal.aborted) return idleSignal.reason;
  if (callerSignal.aborted) return callerSignal.reason;
  if (isFull(error)) return new UploadBodyError('full');
  return error;
}
