import { Readable, Transform } from 'node:stream';
import type { Dispatcher } from 'undici';
import { createEgressConnector } from './egress-connector';
import { EgressError, toEgressError } from './egress-error';
import { headersForHop, nextHop, parseRequestUrl } from './egress-redirect';
import { ConnectionPool, type PooledConnection } from './egress-pool';
import { createEgressPolicy } from './egress-policy';
import { type Resolve, createOwnAddresses, systemResolve } from './own-addresses';
import { version } from '../version';

/** An outbound request to a URL that a team chose. */
export interface EgressRequest {
  readonly method?: string;
  /** Headers by name, in any case. `host` and connection headers are rejected. `user-agent` has a default. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Body of the request. A stream cannot be sent twice, so a redirect that repeats the request fails. */
  readonly body?: string | Uint8Array | Readable;
  readonly signal?: AbortSignal;
  /** Timeout of the whole call, with its redirects, from the lookup to the last byte of the body; default 30 s. */
  readonly timeoutMs?: number;
  /** Timeout until the response headers; `timeoutMs` is the default. */
  readonly headersTimeoutMs?: number;
  /** Timeout between two chunks of the body; default 30 s. */
  readonly idleTimeoutMs?: number;
  /** Maximum redirects to follow; default 0, which returns the redirect as a response. */
  readonly maxRedirects?: number;
  /** Maximum length of the body in bytes; a longer body ends with an error. Default 1 MiB. */
  readonly maxReplyBytes?: number;
  /**
   * Key of consecutive calls that may use the same connection within seconds (ADR 17). If the server closed that connection,
   * the request is sent again on a new one, so it must be safe to send twice. Without a key, and for stream bodies, each call
   * has its own connection.
   */
  readonly connectionKey?: string;
  /**
   * Called with the remote address of each connection that the request is sent on, also a reused one. Denied addresses are
   * never connected.
   */
  readonly onConnected?: (address: string) => void;
}

export interface EgressReply {
  readonly status: number;
  readonly statusText: string;
  /** Headers as received. Bodies are never decompressed. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Final URL after redirects. */
  readonly url: string;
  /** The caller must read the body to its end or destroy it. Its errors are EgressErrors. */
  readonly body: Readable;
}

export interface Egress {
  /** @throws EgressError */
  fetch(url: string, request?: EgressRequest): Promise<EgressReply>;
  /** Aborts running requests and closes all connections. */
  close(): Promise<void>;
}

interface EgressOptions {
  /** Ranges that the operator allows (EGRESS_ALLOW_CIDRS). */
  readonly allowCidrs: readonly string[];
  /** Names of this service (`publicHosts`), which are denied. */
  readonly ownHosts?: readonly string[];
  /** Resolver of tests; by default the resolver of the machine. */
  readonly resolve?: Resolve;
}

/** Many servers and firewalls reject requests without a user agent. */
const userAgent = `Headwater/${version}`;
/** Defaults of EgressRequest. */
const defaults = { timeoutMs: 30_000, idleTimeoutMs: 30_000, maxReplyBytes: 1_048_576 };
/** Maximum delay of setTimeout. */
const MAX_TIMER_MS = 2_147_483_647;

/** Opens the egress client of a process. It has no cookies and uses no proxies. */
export function openEgress({ allowCidrs, ownHosts = [], resolve = systemResolve }: EgressOptions): Egress {
  const policy = createEgressPolicy(allowCidrs, createOwnAddresses({ hosts: ownHosts, resolve }));
  const pool = new ConnectionPool(createEgressConnector(policy, resolve));
  return {
    fetch: (url, request = {}) => fetchWithLimits(pool, url, request),
    close: () => pool.close(),
  };
}

async function fetchWithLimits(
  pool: ConnectionPool,
  urlText: string,
  request: EgressRequest,
): Promise<EgressReply> {
  const url = parseRequestUrl(urlText);
  const timeoutMs = Math.min(request.timeoutMs ?? defaults.timeoutMs, MAX_TIMER_MS);
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(timeoutError(timeoutMs)), timeoutMs);
  const signal = request.signal ? AbortSignal.any([timeout.signal, request.signal]) : timeout.signal;
  const toError = (error: unknown) => toCallError(error, timeout.signal, request.signal);
  try {
    const { reply, finalUrl, connection } = await followRedirects(pool, url, request, { signal, timeoutMs });
    const returnConnection = (isComplete: boolean) => {
      clearTimeout(timer);
      if (isComplete) pool.release(connection);
      else pool.destroy(connection);
    };
    const body = limitBody(reply.body, request.maxReplyBytes ?? defaults.maxReplyBytes, {
      toError,
      onEnd: returnConnection,
    });
    const { statusCode: status, statusText, headers } = reply;
    return { status, statusText, headers, url: finalUrl.href, body };
  } catch (error) {
    clearTimeout(timer);
    if (request.body instanceof Readable) request.body.destroy();
    throw toError(error);
  }
}

interface Limits {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
}

/** Sends the request and follows its redirects. The connection of each request is checked against the egress policy. */
async function followRedirects(pool: ConnectionPool, firstUrl: URL, request: EgressRequest, limits: Limits) {
  let hop = { url: firstUrl, method: (request.method ?? 'GET').toUpperCase(), body: request.body };
  for (let redirectsLeft = request.maxRedirects ?? 0; ; redirectsLeft--) {
    const hopHeaders = headersForHop(request.headers ?? {}, {
      firstUrl,
      url: hop.url,
      body: hop.body,
    });
    const headers = { 'user-agent': userAgent, ...hopHeaders };
    const { reply, connection } = await sendPooled(pool, { ...hop, headers }, request, limits);
    try {
      const redirectedHop = request.maxRedirects
        ? nextHop(hop, reply.statusCode, reply.headers.location)
        : null;
      if (!redirectedHop) return { reply, finalUrl: hop.url, connection };
      if (redirectsLeft === 0) throw new EgressError('redirect', 'the address redirects too many times');
      hop = redirectedHop;
    } catch (error) {
      discardReply(pool, reply, connection);
      throw error;
    }
    discardReply(pool, reply, connection);
  }
}

/** Discards a body and ignores its errors. */
function discardReply(
  pool: ConnectionPool,
  reply: Dispatcher.ResponseData,
  connection: PooledConnection,
): void {
  reply.body.on('error', () => undefined).destroy();
  pool.destroy(connection);
}

/** Sends one request and reads the response headers. The caller must release or destroy the connection. */
async function sendPooled(pool: ConnectionPool, hop: HopRequest, request: EgressRequest, limits: Limits) {
  const { origin } = hop.url;
  const poolKey =
    request.connectionKey === undefined || hop.body instanceof Readable
      ? null
      : `${request.connectionKey} ${origin}`;
  let connection = pool.takeConnection(origin, poolKey);
  for (;;) {
    const usedConnection = connection;
    const openCountBefore = usedConnection.openCount;
    try {
      const reply = await send(usedConnection.client, hop, request, limits);
      return { reply, connection: usedConnection };
    } catch (error) {
      const wasReused = usedConnection.openCount === openCountBefore && openCountBefore > 0;
      pool.destroy(usedConnection);
      if (!wasReused || limits.signal.aborted || toEgressError(error).failure !== 'interrupted') throw error;
      // The server closed the idle connection, which is not a failure, so the request is sent on a new one.
      connection = pool.create(origin, poolKey);
    } finally {
      if (usedConnection.remoteAddress !== undefined) request.onConnected?.(usedConnection.remoteAddress);
    }
  }
}

/** One of the requests of a call: the first one, or the one that follows a redirect. */
interface HopRequest {
  readonly url: URL;
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body: EgressRequest['body'];
}

function send(
  client: Dispatcher,
  hop: HopRequest,
  request: EgressRequest,
  limits: Limits,
): Promise<Dispatcher.ResponseData> {
  const { url, method, headers, body } = hop;
  return client.request({
    path: `${url.pathname}${url.search}`,
    // The type of undici lists common methods, but accepts any valid token at runtime.
    method,
    headers,
    body: body ?? null,
    signal: limits.signal,
    headersTimeout: request.headersTimeoutMs ?? limits.timeoutMs,
    bodyTimeout: request.idleTimeoutMs ?? defaults.idleTimeoutMs,
  });
}

interface BodyHandlers {
  readonly toError: (error: unknown) => EgressError;
  /** Called when the body is closed, with whether it was read to its end. */
  readonly onEnd: (isComplete: boolean) => void;
}

/** Limits the length of a body, converts its errors, and stops the timeout at its end. */
function limitBody(source: Readable, maxBytes: number, { toError, onEnd }: BodyHandlers): Readable {
  let bytes = 0;
  const limitedBody = new Transform({
    transform(chunk: Buffer, _encoding, callback) {
      bytes += chunk.length;
      if (bytes <= maxBytes) callback(null, chunk);
      else callback(new EgressError('too_large', `the response is longer than ${maxBytes} bytes`));
    },
  });
  source.on('error', (error) => limitedBody.destroy(toError(error)));
  // An error before the caller listens must not end the process; a later reader still gets it.
  limitedBody.on('error', () => undefined);
  limitedBody.on('close', () => {
    onEnd(source.readableEnded);
    source.destroy();
  });
  return source.pipe(limitedBody);
}

function toCallError(error: unknown, timeout: AbortSignal, caller: AbortSignal | undefined): EgressError {
  if (timeout.aborted && timeout.reason instanceof EgressError) return timeout.reason;
  if (caller?.aborted) return new EgressError('aborted', 'the request was aborted', { cause: error });
  return toEgressError(error);
}

function timeoutError(timeoutMs: number): EgressError {
  return new EgressError('timed_out', `there was no complete response within ${timeoutMs / 1000} s`);
}
