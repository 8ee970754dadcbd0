import type { IncomingHttpHeaders } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { omitUndefined } from '@/lib/core/omit-undefined';
import type { CachedReads } from '@/media-worker/vod/index/indexed-reads';
import { contentTypes } from '@/media-worker/kit/http/content-types';
import type { Answer, Delivery } from '@/media-worker/kit/http/answer';
import { acceptsGzip, serveBytes } from './serve-bytes';
import { openStored } from './open-stored';

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

function deliveryOf({ kind, id, seconds }: NonNullable<ServedFile['delivery']>, bytes: number): Delivery {
  return { kind, id, secondsPerByte: seconds === null ? null : seconds / Math.max(1, bytes) };
}
