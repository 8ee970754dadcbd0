import { HOUR_MS } from '@/lib/core/units';
import { isUtf8 } from 'node:buffer';
import { createWriteStream } from 'node:fs';
import { readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { parse as parseDisposition } from 'content-disposition';
import { EgressError } from '@/lib/infra/egress/egress-error';
import type { EgressReply } from '@/lib/infra/egress/egress';
import { createDiskSpaceLimit, isFull, freeDiskSpace } from '@/lib/infra/storage/disk-space';
import { StorageError } from '@/lib/infra/storage';
import type { MinRate } from '@/lib/core/media/transfer-rate';
import { RemoteFailure, TaskFailure, type TaskJob } from '@/media-worker/vod/tasks/task-job';
import { TransferTooSlow, startRateWatch } from '@/media-worker/vod/tasks/watch-rate';

export interface Download {
  /** Size limit of the file; the limit of the service by default. */
  readonly maxBytes?: number;
  readonly url: string;
  /** Storage key under which the file is stored. */
  readonly key: string;
  /** Called with the fraction of the file that was received, 0 to 1, if its size is known. */
  readonly onProgress: (fraction: number) => void;
  /** Lowest accepted transfer rate; tests shorten its times. */
  readonly minRate?: MinRate;
}

/** Timeout for the response headers. */
const HEADERS_TIMEOUT_MS = 30_000;
const MAX_REDIRECTS = 10;
/** How many times a connection that broke after receiving data is reopened without a delay. */
const MAX_RESUMES = 5;

/**
 * Downloads a file for a team, under the egress rules and with limits on size and time; ffmpeg never opens the URL.
 * Resumes a partial download, even after a crash, if the server supports range requests.
 * @returns the file name from the server or the URL; no hash, because the bytes are not hashed on their way
 * @throws TaskFailure if a retry would fail the same way, RemoteFailure otherwise
 */
export async function downloadSource(
  job: TaskJob,
  { url, key, onProgress, minRate, maxBytes = job.ctx.settings.maxUploadBytes }: Download,
): Promise<{ name: string; hash: null }> {
  const nameFromUrl = fileNameFromUrl(url);
  if (await job.ctx.storage.head(key)) return { name: nameFromUrl, hash: null };
  const partPath = join(job.scratch, 'download.part');
  for (let resumes = 0; ; resumes++) {
    const bytesBefore = await readFileSize(partPath);
    try {
      const nameFromServer = await fetchRest(job, {
        url,
        partPath,
        onProgress,
        maxBytes,
        ...(minRate ? { minRate } : {}),
      });
      await job.ctx.storage.putFile(key, partPath, { contentType: 'video/mp4' });
      return { name: nameFromServer ?? nameFromUrl, hash: null };
    } catch (error) {
      const hasProgressed = (await readFileSize(partPath)) > bytesBefore;
      if (!(error instanceof RemoteFailure) || !hasProgressed || resumes >= MAX_RESUMES) throw error;
    }
  }
}

interface FetchOptions extends Pick<Download, 'url' | 'onProgress' | 'minRate'> {
  readonly maxBytes: number;
  readonly partPath: string;
}

/**
 * Fetches the rest of the file into the partial file.
 * @returns the file name from Content-Disposition, or null
 */
async function fetchRest(
  job: TaskJob,
  { url, partPath, onProgress, minRate, maxBytes }: FetchOptions,
): Promise<string | null> {
  const validator = await readFile(`${partPath}.validator`, 'utf8').catch(() => '');
  const storedBytes = validator === '' ? 0 : await readFileSize(partPath);
  try {
    const reply = await job.egress.fetch(url, {
      maxRedirects: MAX_REDIRECTS,
      timeoutMs: HOUR_MS,
      headersTimeoutMs: HEADERS_TIMEOUT_MS,
      maxReplyBytes: maxBytes,
      signal: job.signal,
      headers: {
        'accept-encoding': 'identity',
        ...(storedBytes > 0 ? { range: `bytes=${storedBytes}-`, 'if-range': validator } : {}),
      },
    });
    if (reply.status === 416 && storedBytes > 0) {
      // The partial file is already complete, or the remote file became shorter. Only a new download is certain to
      // be right.
      reply.body.on('error', () => undefined).destroy();
      await rm(`${partPath}.validator`, { force: true });
      return await fetchRest(job, { url, partPath, onProgress, maxBytes, ...(minRate ? { minRate } : {}) });
    }
    const offset = await checkResponse(job, reply, { storedBytes, maxBytes });
    // The partial file does not exist before the first response.
    await truncate(partPath, offset).catch(() => undefined);
    await writeFile(`${partPath}.validator`, validatorOf(reply));
    await receive(job, reply, { partPath, offset, onProgress, minRate });
    return fileNameOf(reply);
  } catch (error) {
    job.signal.throwIfAborted();
    if (isFull(error)) {
      // Deleting the partial file frees its space for other work.
      await rm(partPath, { force: true });
      throw new StorageError('full', 'a download');
    }
    throw taskErrorOf(error, maxBytes);
  }
}

interface ReceiveOptions extends Pick<FetchOptions, 'partPath' | 'onProgress'> {
  /** Bytes of the partial file to keep. */
  readonly offset: number;
  readonly minRate: MinRate | undefined;
}

/** Appends the response body to the partial file. */
async function receive(
  { ctx }: TaskJob,
  { headers, body }: EgressReply,
  { partPath, offset, onProgress, minRate }: ReceiveOptions,
): Promise<void> {
  const totalBytes = offset + Number(headers['content-length'] ?? Number.NaN);
  const rateWatch = startRateWatch(ctx.clock, minRate);
  let receivedBytes = offset;
  body.on('data', (chunk: Buffer) => {
    receivedBytes += chunk.length;
    rateWatch.onBytes(chunk.length);
    if (totalBytes > 0) onProgress(receivedBytes / totalBytes);
  });
  const file = createWriteStream(partPath, { flags: offset > 0 ? 'a' : 'w', flush: true });
  try {
    await pipeline(body, createDiskSpaceLimit(ctx.settings.dataDir), file, { signal: rateWatch.signal });
  } catch (error) {
    const { reason } = rateWatch.signal as { reason: unknown };
    if (!(reason instanceof TransferTooSlow)) throw error;
    throw new RemoteFailure(`the file server sends too slowly: ${reason.message}`, { cause: error });
  } finally {
    rateWatch.close();
  }
  if (receivedBytes < totalBytes)
    throw new EgressError('interrupted', 'the connection ended before the file did');
}

/**
 * Checks the response to a download.
 * @returns the byte offset in the file at which the response body starts
 * @throws TaskFailure, RemoteFailure or StorageError `full` if the body must not be stored
 */
async function checkResponse(
  { ctx }: TaskJob,
  reply: EgressReply,
  { storedBytes, maxBytes }: { readonly storedBytes: number; readonly maxBytes: number },
): Promise<number> {
  const { dataDir } = ctx.settings;
  const { status } = reply;
  const reject = (error: Error): never => {
    reply.body.on('error', () => undefined).destroy();
    throw error;
  };
  if (status === 408 || status === 429 || status >= 500) {
    reject(new RemoteFailure(`the file server answered ${status}`));
  }
  const offset = status === 206 ? storedBytes : 0;
  if (status !== 200 && !(status === 206 && rangeStartOf(reply) === storedBytes)) {
    reject(new TaskFailure(`the file could not be downloaded: its server answered ${status}`));
  }
  const contentEncoding = compressionOf(reply);
  if (contentEncoding !== null)
    reject(
      new TaskFailure(
        `the file could not be downloaded: its server sends it compressed (${contentEncoding})`,
      ),
    );
  const bodyBytes = Number(reply.headers['content-length'] ?? 0);
  if (offset + bodyBytes > maxBytes) reject(createTooLargeFailure(maxBytes));
  if ((await freeDiskSpace(dataDir)) < bodyBytes) reject(new StorageError('full', 'a download'));
  return offset;
}

function taskErrorOf(error: unknown, maxBytes: number): unknown {
  if (!(error instanceof EgressError)) return error;
  if (error.failure === 'too_large') return createTooLargeFailure(maxBytes);
  // A name with a private address is retried like an unknown name, so that the timing does not reveal it.
  const isFinal = ['redirect', 'bad_request', 'malformed'].includes(error.failure);
  const message = `the file could not be downloaded: ${error.message}`;
  return isFinal ? new TaskFailure(message) : new RemoteFailure(message, { cause: error });
}

export function createTooLargeFailure(maxBytes: number): TaskFailure {
  return new TaskFailure(`the file is too large; at most ${maxBytes} bytes are accepted`);
}

/** The position of the first byte in the body of a partial response; NaN if it is not stated. */
function rangeStartOf({ headers }: EgressReply): number {
  return Number(/^bytes (\d+)-/.exec(String(headers['content-range'] ?? ''))?.[1] ?? Number.NaN);
}

/** The ETag for `If-Range`, which must be a strong one (RFC 9110 §13.1.5); empty otherwise. */
function validatorOf({ headers }: EgressReply): string {
  const etag = String(headers.etag ?? '');
  return etag.startsWith('"') ? etag : '';
}

/**
 * The content encoding of a body that was sent compressed despite `Accept-Encoding: identity`; null if there is
 * none.
 */
function compressionOf({ headers }: EgressReply): string | null {
  return (
    /\b(?:gzip|x-gzip|deflate|br|zstd|compress)\b/i.exec(String(headers['content-encoding'] ?? ''))?.[0] ??
    null
  );
}

/** Decodes bytes that are not ASCII like browsers: as UTF-8 if they are valid, otherwise as Latin-1. */
function decodeHeader(value: string): string {
  const bytes = Buffer.from(value, 'latin1');
  return isUtf8(bytes) ? bytes.toString() : value;
}

/** The file name in `Content-Disposition`, without folders; null if there is none. */
function fileNameOf({ headers }: EgressReply): string | null {
  try {
    const disposition = decodeHeader(String(headers['content-disposition'] ?? ''));
    const { filename } = parseDisposition(disposition).parameters;
    return filename ? filename.replace(/^.*[/\\]/s, '').slice(0, 200) : null;
  } catch {
    return null;
  }
}

function fileNameFromUrl(url: string): string {
  const segment = new URL(url).pathname.split('/').at(-1) ?? '';
  try {
    return decodeURIComponent(segment).slice(0, 200) || 'video.mp4';
  } catch {
    return segment.slice(0, 200);
  }
}

async function readFileSize(path: string): Promise<number> {
  return (await stat(path).catch(() => null))?.size ?? 0;
}
