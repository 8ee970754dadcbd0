import type { IncomingHttpHeaders } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { Answer } from '@/media-worker/kit/http/answer';
import { UpstreamError } from '@/media-worker/delivery/origin/live/upstream-error';
import { answerWith, cachePolicyOf, passedOf } from './cached-answer';
import { bodyError, type OpenedResponse, type Upstream } from './upstream';

const maxErrorBytes = 64 * 1024;

interface ProxiedRequest {
  readonly target: string;
  readonly method: 'GET' | 'HEAD';
  /** Headers of the request to the upstream. */
  readonly upstreamHeaders: Readonly<Record<string, string>>;
  /** Headers of the viewer. Only conditional headers are forwarded. */
  readonly headers: IncomingHttpHeaders;
  readonly isBlocking?: boolean;
}

/** Forwards one request to the upstream; nothing is cached. */
export async function proxyRequest(
  upstream: Pick<Upstream, 'open'>,
  { target, method, upstreamHeaders, headers, isBlocking = false }: ProxiedRequest,
): Promise<Answer> {
  const conditions = pickHeaders(headers, ['range', 'if-range', 'if-none-match']);
  const response = await upstream.open(target, {
    method,
    headers: { ...upstreamHeaders, ...conditions },
    isBlocking,
  });
  const bytes = Number(response.headers['content-length'] ?? NaN);
  if (response.status >= 300 || method === 'HEAD' || !Number.isSafeInteger(bytes)) {
    const body = await limitedBody(response);
    const policy = cachePolicyOf(target, response.status, response.headers);
    const answer = answerWith({ status: response.status, headers: response.headers, body, policy }, {});
    const length = method === 'HEAD' && Number.isSafeInteger(bytes) ? { 'Content-Length': bytes } : {};
    return method === 'HEAD' ? { status: answer.status, headers: { ...answer.headers, ...length } } : answer;
  }
  const stream = { bytes, open: () => Promise.resolve(response.body) };
  return { status: response.status, headers: passedOf(response.headers), stream };
}

/** The named headers that a request has. */
export function pickHeaders(
  headers: IncomingHttpHeaders,
  names: readonly string[],
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    names.flatMap((name) => (headers[name] === undefined ? [] : [[name, String(headers[name])]])),
  );
}

/** The body of an error or an empty answer, with a size limit. */
export async function limitedBody({ body }: OpenedResponse): Promise<Buffer> {
  let bytes = 0;
  body.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > maxErrorBytes) body.destroy(new UpstreamError('too_large'));
  });
  return buffer(body).catch((error: unknown) => {
    throw bodyError(error);
  });
}
