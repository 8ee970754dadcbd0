import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { errorAnswer, type Answer, type Delivery, type Headers } from '../http/answer';
import { byteRange } from './byte-range';

/** Bytes that never change under their validator, wherever they lie. */
export interface ServedBytes {
  readonly bytes: number;
  /** In its quotes. */
  readonly etag: string;
  /** Of "not modified" as well. */
  readonly headers: Headers;
  /** Of answers that hold bytes. */
  readonly described: Headers;
  readonly open: (range?: { readonly start: number; readonly end: number }) => Promise<Readable>;
  readonly delivery?: Delivery;
}

/** Answers a GET or HEAD with them: all, a range of them, or "not modified" (RFC 9110 §13, §14). */
export function serveBytes(
  { bytes, etag, headers: always, described, open, delivery }: ServedBytes,
  request: IncomingHttpHeaders,
): Answer {
  const headers: Headers = { ...always, ETag: etag };
  if (names(request['if-none-match'], etag)) return { status: 304, headers };
  const file: Headers = { ...headers, ...described, 'Accept-Ranges': 'bytes' };
  const common = { headers: file, ...(delivery ? { delivery } : {}) };
  // A range of another version would be of no use (RFC 9110 §13.1.5).
  const ranged = request['if-range'] === undefined || request['if-range'] === etag;
  const range = ranged ? byteRange(request.range, bytes) : 'whole';
  if (range === 'whole') return { status: 200, ...common, stream: { bytes, open: () => open() } };
  if (range === 'unsatisfiable') {
    return errorAnswer(416, 'The requested range is outside the file.', {
      'Content-Range': `bytes */${bytes}`,
    });
  }
  const { start, end } = range;
  return {
    ...common,
    status: 206,
    headers: { ...file, 'Content-Range': `bytes ${start}-${end}/${bytes}` },
    stream: { bytes: end - start + 1, open: () => open(range) },
  };
}

/** Whether an If-None-Match names this validator; a cache in between may have marked it as weak (RFC 9110 §13.1.2). */
export function names(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  return ifNoneMatch.split(',').some((one) => ['*', etag, `W/${etag}`].includes(one.trim()));
}
