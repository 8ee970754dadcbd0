import type { IncomingHttpHeaders } from 'node:http';
import CachePolicy from 'http-cache-semantics';
import { errorAnswer, type Answer, type Headers } from '@/media-worker/kit/http/answer';
import { serveBytes } from '@/media-worker/delivery/origin/stored/serve-bytes';
import { UpstreamError } from '@/media-worker/delivery/origin/live/upstream-error';

/** Response headers that are the same for every client and range. */
const commonHeaders = [
  'cache-control',
  'vary',
  'content-disposition',
  'content-location',
  'x-ipfs-path',
  'x-ipfs-roots',
];
/** Response headers that describe the content. */
const representationHeaders = ['content-type', 'content-encoding', 'last-modified'];

/** The cache policy that the headers of an answer define for a shared cache (RFC 9111). */
export function cachePolicyOf(url: string, status: number, headers: IncomingHttpHeaders): CachePolicy {
  const responseHeaders = headers as CachePolicy.Headers;
  return new CachePolicy(
    { url, method: 'GET', headers: {} },
    { status, headers: responseHeaders },
    // Without an explicit lifetime, nothing is cached.
    { shared: true, cacheHeuristic: 0 },
  );
}

/**
 * Whether an answer may be cached: its status is below 500, and it is fresh or within `stale-if-error` or
 * `stale-while-revalidate`. Callers use a stale answer only if a new request to the upstream failed.
 */
export function isUsable(policy: CachePolicy, status: number): boolean {
  return status < 500 && policy.storable() && policy.timeToLive() > 0;
}

const pickHeaderValues = (headers: IncomingHttpHeaders, names: readonly string[]): Headers =>
  Object.fromEntries(
    names.flatMap((name) => (headers[name] === undefined ? [] : [[name, String(headers[name])]])),
  );

export const commonHeadersOf = (headers: IncomingHttpHeaders): Headers =>
  pickHeaderValues(headers, commonHeaders);
export const representationHeadersOf = (headers: IncomingHttpHeaders): Headers =>
  pickHeaderValues(headers, representationHeaders);
/** Headers of an answer that is forwarded unchanged. */
export const forwardedHeadersOf = (headers: IncomingHttpHeaders): Headers =>
  pickHeaderValues(headers, [
    ...commonHeaders,
    ...representationHeaders,
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
  if (status >= 500) return unavailableAnswer(status, headers['retry-after']);
  if (status >= 300 && status < 400 && status !== 304) return redirectErrorAnswer;
  const age = { Age: Math.floor(policy.age()) };
  const isRangeOrConditional =
    headers['accept-ranges'] === 'bytes' && (request.range ?? request['if-none-match']) !== undefined;
  if (status !== 200 || !isRangeOrConditional) {
    return {
      status,
      headers: { ...forwardedHeadersOf(headers), ...age },
      ...(status === 304 ? {} : { body: [body] }),
    };
  }
  return serveBytes(
    {
      bytes: body.length,
      etag: headers.etag ?? null,
      headers: { ...commonHeadersOf(headers), ...age },
      contentHeaders: representationHeadersOf(headers),
      from: body,
    },
    request,
  );
}

const redirectErrorAnswer = errorAnswer(
  502,
  'UPSTREAM_ORIGIN redirects. Set it to the URL that it redirects to.',
);

/** The error answer of an edge whose upstream fails or leads back to the edge. */
export function unavailableAnswer(status: number, retryAfter = '1'): Answer {
  if (status === 508) return errorAnswer(508, 'UPSTREAM_ORIGIN leads back to this edge.');
  const knownStatus = status === 504 ? 504 : 503;
  return errorAnswer(knownStatus, 'Temporarily unavailable. Try again.', { 'Retry-After': retryAfter });
}

/** The answer for an upstream error; rethrows other errors. */
export function failureAnswer(error: unknown): Answer {
  if (!(error instanceof UpstreamError)) throw error;
  return unavailableAnswer(error.kind === 'timeout' ? 504 : 503);
}
