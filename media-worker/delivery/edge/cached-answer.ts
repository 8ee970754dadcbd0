import type { IncomingHttpHeaders } from 'node:http';
import CachePolicy from 'http-cache-semantics';
import { errorAnswer, type Answer, type Headers } from '@/media-worker/kit/http/answer';
import { serveBytes } from '@/media-worker/delivery/origin/stored/serve-bytes';
import { UpstreamError } from '@/media-worker/delivery/origin/live/upstream-error';

/** Headers of the body, the same for every client and range. */
const always = [
  'cache-control',
  'vary',
  'content-disposition',
  'content-location',
  'x-ipfs-path',
  'x-ipfs-roots',
];
const describedHeaders = ['content-type', 'content-encoding', 'last-modified'];

/** How long an answer may be cached by its headers (RFC 9111). */
export function cachePolicyOf(url: string, status: number, headers: IncomingHttpHeaders): CachePolicy {
  const responseHeaders = headers as CachePolicy.Headers;
  return new CachePolicy(
    { url, method: 'GET', headers: {} },
    { status, headers: responseHeaders },
    { shared: true, cacheHeuristic: 0 },
  );
}

/** Whether an answer may be used now. A stale answer is used only while the upstream is unavailable, an error never. */
export function isUsable(policy: CachePolicy, status: number): boolean {
  return status < 500 && policy.storable() && policy.timeToLive() > 0;
}

const pickHeaderValues = (headers: IncomingHttpHeaders, names: readonly string[]): Headers =>
  Object.fromEntries(
    names.flatMap((name) => (headers[name] === undefined ? [] : [[name, String(headers[name])]])),
  );

export const alwaysOf = (headers: IncomingHttpHeaders): Headers => pickHeaderValues(headers, always);
export const describedOf = (headers: IncomingHttpHeaders): Headers =>
  pickHeaderValues(headers, describedHeaders);
/** Headers of an answer that is forwarded unchanged. */
export const passedOf = (headers: IncomingHttpHeaders): Headers =>
  pickHeaderValues(headers, [
    ...always,
    ...describedHeaders,
    'etag',
    'accept-ranges',
    'content-range',
    'retry-after',
  ]);

/** A whole answer of the upstream in memory. */
export interface CachedAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly policy: CachePolicy;
}

/** The answer for one viewer: the whole body, a range, or "not modified". */
export function answerWith(
  { status, headers, body, policy }: CachedAnswer,
  request: IncomingHttpHeaders,
): Answer {
  if (status >= 500) return unavailable(status, headers['retry-after']);
  if (status >= 300 && status < 400 && status !== 304) return redirects;
  const age = { Age: Math.floor(policy.age()) };
  const partly =
    headers['accept-ranges'] === 'bytes' && (request.range ?? request['if-none-match']) !== undefined;
  if (status !== 200 || !partly) {
    return { status, headers: { ...passedOf(headers), ...age }, ...(status === 304 ? {} : { body: [body] }) };
  }
  return serveBytes(
    {
      bytes: body.length,
      etag: headers.etag ?? null,
      headers: { ...alwaysOf(headers), ...age },
      contentHeaders: describedOf(headers),
      from: body,
    },
    request,
  );
}

const redirects = errorAnswer(502, 'UPSTREAM_ORIGIN redirects. Set it to the URL that it redirects to.');

/** The answer of an edge whose upstream does not respond. */
export function unavailable(status: number, retryAfter = '1'): Answer {
  if (status === 508) return errorAnswer(508, 'UPSTREAM_ORIGIN leads back to this edge.');
  const knownStatus = status === 504 ? 504 : 503;
  return errorAnswer(knownStatus, 'Temporarily unavailable. Try again.', { 'Retry-After': retryAfter });
}

/** The answer for an upstream error; rethrows other errors. */
export function failureAnswer(error: unknown): Answer {
  if (!(error instanceof UpstreamError)) throw error;
  return unavailable(error.kind === 'timeout' ? 504 : 503);
}
