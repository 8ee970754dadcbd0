import type { IncomingHttpHeaders } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { Answer } from '@/media-worker/kit/http/answer';
import { UpstreamError } from '@/media-worker/delivery/origin/live/upstream-error';
import { answerWith, cachePolicyOf, forwardedHeadersOf } from './cached-answer';
import { bodyError, type OpenedResponse, type Upstream } from './upstream';

const MAX_BUFFERED_BYTES = 64 * 1024;

interface ProxiedRequest {
  readonly target: string;
  readonly method: 'GET' | 'HEAD';
  /** Headers of the request to the upstream. */
  readonly upstreamHeaders: Readonly<Record<string, string>>;
  /** Headers of the viewer. Only the range and conditional headers are forwarded. */
  readonly headers: IncomingHttpHeaders;
  readonly isBlocking?: boolean;
}

/** Forwards one request to the upstream; nothing is cached. */
export async function proxyRequest(
  upstream: Pick<Upstream, 'open'>,
  { target, method, upstreamHeaders, headers, isBlocking = false }: ProxiedRequest,
): Promise<Answer> {
  const conditionalHeaders = pickHeaders(headers, ['range', 'if-range', 'if-none-match']);
  const response = await upstream.open(target, {
    method,
    headers: { ...upstreamHeaders, ...conditionalHeaders },
    isBlocking,
  });
  const bytes = Number(response.headers['content-length'] ?? NaN);
  if (response.status >= 300 || method === 'HEAD' || !Number.isSafeInteger(bytes)) {
    const body = await readLimitedBody(response);
    const policy = cachePolicyOf(target, response.status, response.headers);
    const answer = answerWith({ status: response.status, headers: response.headers, body, policy }, {});
    const lengthHeader = method === 'HEAD' && Number.isSafeInteger(bytes) ? { 'Content-Length': bytes } : {};
    return method === 'HEAD'
      ? { status: answer.status, headers: { ...answer.headers, ...lengthHeader } }
      : answer;
  }
  const stream = { bytes, open: () => Promise.resolve(response.body) };
  return { status: response.status, headers: forwardedHeadersOf(response.headers), stream };
}

/** The named headers that are present, as strings. */
export function pickHeaders(
  headers: IncomingHttpHeaders,
  names: readonly string[],
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    names.flatMap((name) => (headers[name] === undefined ? [] : [[name, String(headers[name])]])),
  );
}

/**
 * Reads a small body into memory.
 * @throws UpstreamError `unreachable` if the body breaks off, `timeout` if it stalls, `too_large` above 64 KiB
 */
export async function readLimitedBody({ body }: OpenedResponse): Promise<Buffer> {
  let bytes = 0;
  body.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MAX_BUFFERED_BYTES) body.destroy(new UpstreamError('too_large'));
  });
  return buffer(body).catch((error: unknown) => {
    throw bodyError(error);
  });
}
