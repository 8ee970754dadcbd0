import type { IncomingHttpHeaders } from 'node:http';
import CachePolicy from 'http-cache-semantics';
import { errorAnswer, type Answer, type Headers } from '@/media-worker/kit/http/answer';
import { serveBytes } from '@/media-worker/delivery/origin/stored/serve-bytes';
import { UpstreamError } from '@/media-worker/delivery/origin/live/upstream-error';

/** Headers that describe the body. They are the same for every client and every range. */
const always = [
  'cache-control',
  'vary',
  'content-disposition',
  'content-location',
  'x-ipfs-path',
  'x-ipfs-roots',
];
const describedHeaders = ['content-type', 'content-encoding', 'last-modified'];

/** How long an answer may be kept, as its headers say (RFC 9111). */
export function cachePolicyOf(url: string, status: number, headers: IncomingHttpHeaders): CachePolicy {
  const responseHeaders = headers as CachePolicy.Headers;
  return new CachePolicy(
    { url, method: 'GET', headers: {} },
    { status, headers: responseHeaders },
    { shared: true, cacheHeuristic: 0 },
  );
}

/** Whether an answer may be used now, if only because the upstream is away. Failures never may. */
export function isUsable(policy: CachePolicy, status: number): boolean {
  return status < 500 && policy.storable() && policy.timeToLive() > 0;
}

const pickFrom = (headers: IncomingHttpHeaders, names: readonly string[]): Headers =>
  Object.fromEntries(
    names.flatMap((name) => (headers[name] === undefined ? [] : [[name, String(headers[name])]])),
  );

export const alwaysOf = (headers: IncomingHttpHeaders): Headers => pickFrom(headers, always);
export const describedOf = (headers: IncomingHttpHeaders): Headers => pickFrom(headers, describedHeaders);
/** Of an answer that is passed on as it came. */
export const passedOf = (headers: IncomingHttpHeaders): Headers =>
  pickFrom(headers, [
    ...always,
    ...describedHeaders,
    'etag',
    'accept-ranges',
    'content-range',
    'retry-after',
  ]);

/** An answer of the upstream, whole in memory. */
export interface CachedAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly policy: CachePolicy;
}

/** The same answer for a viewer: all of it, a range, or "not modified". */
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

/** What an edge answers when its upstream does not. */
export function unavailable(status: number, retryAfter = '1'): Answer {
  if (status === 508) return errorAnswer(508, 'UPSTREAM_ORIGIN leads back to this edge.');
  const knownStatus = status === 504 ? 504 : 503;
  return errorAnswer(knownStatus, 'Temporarily unavailable. Try again.', { 'Retry-After': retryAfter });
}

/** The same for an error; rethrows one that is not the upstream's. */
export function failureAnswer(error: unknown): Answer {
  if (!(error instanceof UpstreamError)) throw error;
  return unavailable(error.kind === 'timeout' ? 504 : 503);
}
