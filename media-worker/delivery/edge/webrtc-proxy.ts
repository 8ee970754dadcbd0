import type { IncomingMessage } from 'node:http';
import { errorAnswer, type Answer } from '@/media-worker/kit/http/answer';
import { pathOf } from '@/media-worker/kit/http/request-url';
import { readBody } from '@/media-worker/kit/http/read-body';
import { MAX_SDP_BYTES } from '@/media-worker/rtc/sdp';
import { readLimitedBody, pickHeaders } from './proxy-request';
import type { Upstream } from './upstream';

/** Paths of viewers: a playback id with an optional token, or a session. Publishers connect to the origin. */
const viewerPath = /^\/webrtc\/(?:[a-z0-9]{16}(?:\/~[\w-]{40,1024}\/?)?|session\/[\w-]{1,64})$/;
const methods = ['OPTIONS', 'HEAD', 'POST', 'PATCH', 'DELETE'] as const;
const requestHeaders = ['content-type', 'if-match', 'access-control-request-headers'];
const responseHeaders = [
  ...['content-type', 'location', 'etag', 'link', 'accept-post', 'accept-patch', 'allow', 'retry-after'],
  ...['access-control-allow-methods', 'access-control-allow-headers', 'access-control-max-age'],
];
const MAX_CONCURRENT_REQUESTS = 256;
const overloadedAnswer = errorAnswer(503, 'Too many viewers are connecting. Try again.', {
  'Retry-After': 2,
});
const bodyTimeoutAnswer = errorAnswer(408, 'The body did not arrive in time.');

/** Whether a request is about a viewer over WebRTC. */
export const isWebrtcOfViewer = ({ url }: IncomingMessage): boolean => viewerPath.test(pathOf(url));

/**
 * Forwards the signalling of viewers over WebRTC to the upstream. The answer names the addresses of the origin, and media never
 * passes this edge (ADR 114).
 */
export class WebrtcProxy {
  readonly #upstream: Pick<Upstream, 'open'>;
  #pendingRequests = 0;

  constructor(upstream: Pick<Upstream, 'open'>) {
    this.#upstream = upstream;
  }

  /** @param identityHeaders headers that identify the viewer to the upstream */
  async forward(
    request: IncomingMessage,
    identityHeaders: Readonly<Record<string, string>>,
  ): Promise<Answer> {
    const method = methods.find((allowedMethod) => allowedMethod === request.method);
    if (!method)
      return errorAnswer(405, `Only ${methods.join(', ')} are allowed.`, { Allow: methods.join(', ') });
    if (this.#pendingRequests >= MAX_CONCURRENT_REQUESTS) return overloadedAnswer;
    this.#pendingRequests += 1;
    try {
      const body = await readBody(request, MAX_SDP_BYTES).catch(() => bodyTimeoutAnswer);
      if (!Buffer.isBuffer(body)) return body;
      const { url = '', headers } = request;
      const upstreamHeaders = { ...identityHeaders, ...pickHeaders(headers, requestHeaders) };
      const response = await this.#upstream.open(url, { method, headers: upstreamHeaders, body });
      const answer = { status: response.status, headers: pickHeaders(response.headers, responseHeaders) };
      const responseBody = await readLimitedBody(response);
      return {
        ...answer,
        headers: { ...answer.headers, 'Cache-Control': 'no-store' },
        ...(responseBody.length > 0 ? { body: [responseBody] } : {}),
      };
    } finally {
      this.#pendingRequests -= 1;
    }
  }
}
