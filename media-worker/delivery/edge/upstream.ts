import {
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestOptions,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { readResponseBody } from '@/media-worker/delivery/origin/live/live-proxy';
import { UpstreamError } from '@/media-worker/delivery/origin/live/upstream-error';

type RequestHeaders = Readonly<Record<string, string>>;

/** A response whose body is still arriving; read or destroy it. */
export interface OpenedResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: IncomingMessage;
}

export interface WholeResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

interface UpstreamRequest {
  readonly headers: RequestHeaders;
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PATCH' | 'DELETE' | 'OPTIONS';
  readonly body?: Buffer | string;
  /** Whether the origin may block the request until the content exists (low-latency HLS). */
  readonly isBlocking?: boolean;
}

export interface UpstreamTimeouts {
  /** Timeout for the response headers; longer than an origin waits for a restarting live node. */
  readonly responseTimeoutMs?: number;
  /** Timeout for the response headers of blocking requests; longer than an origin waits for a live node. */
  readonly blockingTimeoutMs?: number;
  /** Timeout for the next byte of a body. */
  readonly bodyIdleTimeoutMs?: number;
}

/** The error of a body that did not arrive: the timeout or size limit that ended it, or else `unreachable`. */
export const bodyError = (error: unknown): UpstreamError =>
  error instanceof UpstreamError ? error : new UpstreamError('unreachable');

/** The origin or edge behind an edge. Rejects with UpstreamError. */
export class Upstream {
  readonly #baseUrl: string;
  readonly #request: typeof httpRequest;
  readonly #agents: { readonly usual: HttpAgent; readonly blocking: HttpAgent };
  readonly #timeouts: Required<UpstreamTimeouts>;

  /** @param url without a trailing slash */
  constructor(
    url: string,
    {
      responseTimeoutMs = 15_000,
      blockingTimeoutMs = 50_000,
      bodyIdleTimeoutMs = 10_000,
    }: UpstreamTimeouts = {},
  ) {
    this.#baseUrl = url;
    this.#timeouts = { responseTimeoutMs, blockingTimeoutMs, bodyIdleTimeoutMs };
    const isHttps = url.startsWith('https:');
    this.#request = isHttps ? httpsRequest : httpRequest;
    const agentWith = (maxSockets: number) => {
      const options = { keepAlive: true, maxSockets, maxFreeSockets: 32, scheduling: 'lifo' } as const;
      return isHttps ? new HttpsAgent(options) : new HttpAgent(options);
    };
    // Blocking requests have their own connections, so that they do not delay others: 1,000, the default of `BlockingRequests`.
    this.#agents = { usual: agentWith(500), blocking: agentWith(1_000) };
  }

  /** Fetches the whole answer into memory. */
  async fetch(target: string, upstreamRequest: UpstreamRequest): Promise<WholeResponse> {
    const { body, ...responseHead } = await this.open(target, upstreamRequest);
    const failure = new Promise<never>((_, reject) => {
      body.once('error', (error) => reject(bodyError(error)));
    });
    return { ...responseHead, body: await Promise.race([readResponseBody(body), failure]) };
  }

  /** Resolves as soon as the headers of the answer have arrived. */
  open(
    target: string,
    { headers, method = 'GET', isBlocking = false, body }: UpstreamRequest,
  ): Promise<OpenedResponse> {
    const agent = isBlocking ? this.#agents.blocking : this.#agents.usual;
    return this.#send(target, { method, headers, agent }, isBlocking, body);
  }

  /**
   * Sends JSON.
   * @returns the status of the response
   */
  async post(target: string, body: string, headers: RequestHeaders): Promise<number> {
    const jsonHeaders = { 'Content-Type': 'application/json', ...headers };
    const response = await this.open(target, { method: 'POST', headers: jsonHeaders, body });
    response.body.resume();
    return response.status;
  }

  close(): void {
    this.#agents.usual.destroy();
    this.#agents.blocking.destroy();
  }

  #send(
    target: string,
    options: RequestOptions,
    isBlocking: boolean,
    body?: Buffer | string,
  ): Promise<OpenedResponse> {
    const { responseTimeoutMs, blockingTimeoutMs, bodyIdleTimeoutMs } = this.#timeouts;
    return new Promise((resolve, reject) => {
      const request = this.#request(this.#baseUrl + target, options);
      let hasTimedOut = false;
      const timer = setTimeout(
        () => {
          hasTimedOut = true;
          request.destroy();
        },
        isBlocking ? blockingTimeoutMs : responseTimeoutMs,
      );
      request.once('response', (response) => {
        clearTimeout(timer);
        // Ignore errors of a body that is not read to its end.
        response.on('error', () => undefined);
        response.setTimeout(bodyIdleTimeoutMs, () => response.destroy(new UpstreamError('timeout')));
        resolve({ status: response.statusCode ?? 502, headers: response.headers, body: response });
      });
      request.on('error', () => {
        clearTimeout(timer);
        reject(new UpstreamError(hasTimedOut ? 'timeout' : 'unreachable'));
      });
      request.end(body);
    });
  }
}
