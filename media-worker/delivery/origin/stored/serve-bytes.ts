import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { type Answer, type Delivery, type Headers, errorAnswer } from '@/media-worker/kit/http/answer';

/** A byte range of a file of `length` bytes: inclusive positions, the whole file, or unsatisfiable. */
type ByteRange = { readonly start: number; readonly end: number } | 'whole' | 'unsatisfiable';

/** Parses a `Range` header. A header with several ranges is ignored, as RFC 9110 §14.2 allows. */
export function parseByteRange(header: string | undefined, length: number): ByteRange {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '');
  if (!match) return 'whole';
  const [, first = '', last = ''] = match;
  if (first === '' && last === '') return 'whole';
  if (first === '') {
    const suffixLength = Number(last);
    if (suffixLength === 0 || length === 0) return 'unsatisfiable';
    return { start: Math.max(0, length - suffixLength), end: length - 1 };
  }
  const start = Number(first);
  if (last !== '' && Number(last) < start) return 'whole';
  if (start >= length) return 'unsatisfiable';
  return { start, end: last === '' ? length - 1 : Math.min(Number(last), length - 1) };
}

/** The compressed version of each answer. */
const compressedAnswers = new WeakMap<Answer, Answer>();

/** Compresses an answer with gzip, once for all viewers. The answer is unchanged if gzip is not shorter. */
export function gzipAnswer(answer: Answer): Answer {
  let compressedAnswer = compressedAnswers.get(answer);
  if (!compressedAnswer) compressedAnswers.set(answer, (compressedAnswer = compressIfSmaller(answer)));
  return compressedAnswer;
}

function compressIfSmaller(answer: Answer): Answer {
  const uncompressedBody = Buffer.concat([...(answer.body ?? [])]);
  const gzip = gzipSync(uncompressedBody);
  if (gzip.length >= uncompressedBody.length) return answer;
  return { ...answer, headers: { ...answer.headers, 'Content-Encoding': 'gzip' }, body: [gzip] };
}

/** Whether an `Accept-Encoding` header allows gzip (RFC 9110 §12.5.3). */
export function acceptsGzip(header: string | undefined): boolean {
  let isWildcardAccepted = false;
  for (const part of header?.split(',') ?? []) {
    const [coding = '', ...parameters] = part.toLowerCase().split(';');
    const isAccepted = parameters.every((parameter) => !/^\s*q\s*=\s*0(?:\.0*)?\s*$/.test(parameter));
    if (coding.trim() === 'gzip') return isAccepted;
    if (coding.trim() === '*') isWildcardAccepted = isAccepted;
  }
  return isWildcardAccepted;
}

/** Reads bytes, or a range of them. */
export type OpenRange = (range?: { readonly start: number; readonly end: number }) => Promise<Readable>;

/** A response body that never changes under its validator. */
export interface ServedBytes {
  readonly bytes: number;
  /** Entity tag with quotes; null without a validator. */
  readonly etag: string | null;
  /** Headers of every answer, including "not modified". */
  readonly headers: Headers;
  /** Headers of answers with a body. */
  readonly contentHeaders: Headers;
  /** The bytes, or a function that opens a stream of them. */
  readonly from: Buffer | OpenRange;
  readonly delivery?: Delivery;
}

/** Answers a GET or HEAD: all bytes, a range, or "not modified" (RFC 9110 §13, §14). */
export function serveBytes(
  { bytes, etag, headers: commonHeaders, contentHeaders, from, delivery }: ServedBytes,
  request: IncomingHttpHeaders,
): Answer {
  const headers: Headers = { ...commonHeaders, ...(etag === null ? {} : { ETag: etag }) };
  if (etag !== null && matchesEtag(request['if-none-match'], etag)) return { status: 304, headers };
  const bodyHeaders: Headers = { ...headers, ...contentHeaders, 'Accept-Ranges': 'bytes' };
  const commonFields = { headers: bodyHeaders, ...(delivery ? { delivery } : {}) };
  // If the client has another version of the file, it gets the whole file (RFC 9110 §13.1.5).
  const allowsRange = request['if-range'] === undefined || request['if-range'] === etag;
  const range = allowsRange ? parseByteRange(request.range, bytes) : 'whole';
  if (range === 'whole') return { status: 200, ...commonFields, ...rangeBody(from, { bytes }) };
  if (range === 'unsatisfiable') {
    return errorAnswer(416, 'The requested range is outside the file.', {
      'Content-Range': `bytes */${bytes}`,
    });
  }
  const { start, end } = range;
  return {
    ...commonFields,
    status: 206,
    headers: { ...bodyHeaders, 'Content-Range': `bytes ${start}-${end}/${bytes}` },
    ...rangeBody(from, { bytes: end - start + 1, range }),
  };
}

function rangeBody(
  from: ServedBytes['from'],
  {
    bytes,
    range,
  }: { readonly bytes: number; readonly range?: { readonly start: number; readonly end: number } },
): Pick<Answer, 'body' | 'stream'> {
  if (Buffer.isBuffer(from)) return { body: [range ? from.subarray(range.start, range.end + 1) : from] };
  return { stream: { bytes, open: () => from(range) } };
}

/** Whether an If-None-Match header contains this validator, which a cache may have marked as weak (RFC 9110 §13.1.2). */
export function matchesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  return ifNoneMatch.split(',').some((tag) => ['*', etag, `W/${etag}`].includes(tag.trim()));
}
