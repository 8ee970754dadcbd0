import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Answer } from '@/media-worker/kit/http/answer';
import { acceptsGzip, gzipAnswer, matchesEtag } from './serve-bytes';

/** Bytes in memory that viewers get as a file of an asset. */
export interface AssetBytes {
  readonly bytes: Buffer;
  readonly contentType: string;
  readonly cacheControl: string;
  readonly assetId: string;
}

/**
 * Answers a GET or HEAD with bytes in memory, or "not modified". They count as delivered bytes of the asset, without
 * seconds of playback.
 * @param suffix end of the ETag, which tells encodings of the same bytes apart
 */
export function bytesAnswer(
  { bytes, contentType, cacheControl, assetId }: AssetBytes,
  request: IncomingHttpHeaders,
  suffix = '',
): Answer {
  const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}${suffix}"`;
  const headers = { 'Cache-Control': cacheControl, ETag: etag };
  if (matchesEtag(request['if-none-match'], etag)) return { status: 304, headers };
  return {
    status: 200,
    headers: { ...headers, 'Content-Type': contentType },
    body: [bytes],
    delivery: { kind: 'asset', id: assetId, secondsPerByte: 0 },
  };
}

/** Answers a GET or HEAD with a text in memory, compressed with gzip if the client accepts it, or "not modified". */
export function textAnswer(text: AssetBytes, request: IncomingHttpHeaders): Answer {
  const gzip = acceptsGzip(request['accept-encoding']);
  const answer = bytesAnswer(text, request, gzip ? '-gzip' : '');
  const answerWithVary = { ...answer, headers: { ...answer.headers, Vary: 'Accept-Encoding' } };
  return gzip && answerWithVary.body ? gzipAnswer(answerWithVary) : answerWithVary;
}
