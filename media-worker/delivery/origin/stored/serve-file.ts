import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { create as contentDisposition } from 'content-disposition';
import { omitUndefined } from '@/lib/core/omit-undefined';
import type { StorageDriver } from '@/lib/infra/storage';
import type { CachedReads } from '@/media-worker/vod/index/indexed-reads';
import type { StoredRange } from '@/lib/infra/storage/storage-driver';
import { contentTypes } from '@/media-worker/kit/http/hls-request';
import type { Answer, Delivery } from '@/media-worker/kit/http/answer';
import { acceptsGzip, serveBytes } from './serve-bytes';

/** A stored file as viewers get it. */
export interface ServedFile {
  readonly key: string;
  readonly contentType: string;
  readonly cacheControl: string;
  /** The `Content-Disposition` header of a download. */
  readonly disposition?: string;
  /** The object for which the bytes count; `seconds` of media in the whole file, null if unknown. */
  readonly delivery?: Pick<Delivery, 'kind' | 'id'> & { readonly seconds: number | null };
}

/**
 * Maximum size of a playlist to compress, because compression needs the whole text in memory. A playlist of a day
 * with 2 s segments has 3 MB.
 */
const MAX_GZIP_BYTES = 4 * 1024 * 1024;

/**
 * Answers a GET or HEAD with a stored file: whole, a range, or "not modified" (RFC 9110 §13, §14); null if the file does not
 * exist. Playlists are compressed if the client accepts it.
 */
export async function serveFile(
  storage: CachedReads,
  { key, contentType, cacheControl, disposition, delivery: deliveredObject }: ServedFile,
  request: IncomingHttpHeaders,
): Promise<Answer | null> {
  const object = await storage.head(key);
  if (!object) return null;
  const { bytes, etag, modifiedAt } = object;
  const isPlaylist = contentType === contentTypes.playlist;
  const isCompressed =
    isPlaylist && bytes <= MAX_GZIP_BYTES && !request.range && acceptsGzip(request['accept-encoding']);
  const hasCondition = request['if-none-match'] !== undefined;
  const answer = serveBytes(
    {
      bytes,
      etag: isCompressed ? `"${etag}-gzip"` : `"${etag}"`,
      headers: {
        'Cache-Control': cacheControl,
        ...(isPlaylist ? { Vary: 'Accept-Encoding' } : {}),
        // Included in "not modified", because the name can change without the file.
        ...omitUndefined({ 'Content-Disposition': disposition }),
      },
      contentHeaders: {
        'Content-Type': contentType,
        'Last-Modified': modifiedAt.toUTCString(),
      },
      from:
        (hasCondition ? null : await storage.cachedBytes?.(key)) ??
        ((range) => openStored(storage, key, range)),
      ...(deliveredObject ? { delivery: deliveryOf(deliveredObject, bytes) } : {}),
    },
    request,
  );
  return isCompressed ? compressAnswer(answer) : answer;
}

async function compressAnswer({ stream, ...answer }: Answer): Promise<Answer> {
  if (!stream) return answer;
  const uncompressedBody = await buffer(await stream.open());
  const compressedBody = await promisify(gzip)(uncompressedBody);
  if (compressedBody.length >= uncompressedBody.length) return { ...answer, body: [uncompressedBody] };
  return { ...answer, headers: { ...answer.headers, 'Content-Encoding': 'gzip' }, body: [compressedBody] };
}

/**
 * Opens a stored file, or a range of it.
 * @throws Error if the file no longer exists
 */
export async function openStored(
  storage: Pick<StorageDriver, 'read'>,
  key: string,
  range?: StoredRange,
): Promise<Readable> {
  const source = await storage.read(key, range);
  if (!source) throw new Error('The file was deleted during the request');
  return source;
}

function deliveryOf({ kind, id, seconds }: NonNullable<ServedFile['delivery']>, bytes: number): Delivery {
  return { kind, id, secondsPerByte: seconds === null ? null : seconds / Math.max(1, bytes) };
}

/**
 * Builds a `Content-Disposition` header with the name of an asset or session (RFC 6266).
 * @param download whether browsers save the file instead of showing it
 * @param ending file extension without a dot
 */
export function dispositionOf(name: string, download: boolean, ending = 'mp4'): string {
  const cleanName = name.replace(/[\p{Cc}/\\]/gu, ' ').trim() || 'video';
  const filename = cleanName.toLowerCase().endsWith(`.${ending}`) ? cleanName : `${cleanName}.${ending}`;
  return contentDisposition(filename, { type: download ? 'attachment' : 'inline' });
}
