import { Readable, Transform } from 'node:stream';
import type { Dispatcher } from 'undici';
import { createEgressConnector } from './egress-connector';
import { EgressError, headersForHop, nextHop, requestUrl, toEgressError } from './egress-redirect';
import { ConnectionPool, type PooledConnection } from './egress-pool';
import { createEgressPolicy } from './egress-policy';
import { type Resolve, ownAddresses, systemResolve } from './own-addresses';
import { version } from '../version';

/** All outbound HTTP requests to addresses chosen by an account go through this class. */

export interface EgressRequest {
  readonly method?: string;
  /** Names in any case. `host`, and those that belong to the connection, are refused. `user-agent` has a default. */
  readonly headers?: Readonly<Record<string, string>>;
  /** A stream can be sent once: a redirect that asks for it again is an error. */
  readonly body?: string | Uint8Array | Readable;
  readonly signal?: AbortSignal;
  /** Timeout of the whole request, from look-up to last byte; 30 s by default. */
  readonly timeoutMs?: number;
  /** Timeout until the response headers; `timeoutMs` by default. */
  readonly headersTimeoutMs?: number;
  /** Timeout between two chunks of the body; 30 s by default. */
  readonly idleTimeoutMs?: number;
  /** 0 when left out: a redirect is an answer like any other. */
  readonly maxRedirects?: number;
  /** The body ends with an error beyond it; 1 MB when left out. */
  readonly maxReplyBytes?: number;
  /**
   * Calls with the same name may reuse a connection within seconds (ADR 17). If that connection turns out to be closed,
   * the request is sent again on a new one, so it must be safe to send twice. Without a name, and for stream bodies, a
   * call has its own connection.
   */
  readonly keep?: string;
  /** Called with the address of a connection; never with a denied one. */
  readonly onConnected?: (address: string) => void;
}

export interface EgressReply {
  readonly status: number;
  readonly statusText: string;
  /** Headers as received. Bodies are never decompressed. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Final URL after redirects. */
  readonly url: string;
  /** Read it to its end or destroy it. Its errors are EgressErrors. */
  readonly body: Readable;
}

export interface Egress {
  /** @throws EgressError */
  fetch(url: string, request?: EgressRequest): Promise<EgressReply>;
  /** Ends what is under way. */
  close(): Promise<void>;
}

interface EgressOptions {
  /** EGRESS_ALLOW_CIDRS */
  readonly allowCidrs: readonly string[];
  /** Names of this service (`publicHosts`), which are closed, too. */
  readonly ownHosts?: readonly string[];
  /** Another resolver, for tests. */
  readonly resolve?: Resolve;
}

/** Many servers and firewalls refuse requests without one. */
const userAgent = `Headwater/${version}`;
const defaults = { timeoutMs: 30_000, idleTimeoutMs: 30_000, maxReplyBytes: 1_048_576 };
/** The maximum of setTimeout. */
const maxTimerMs = 2_147_483_647;

/** Opens the egress client of a process. It uses no cookies and no proxies. */
export function openEgress({ allowCidrs, ownHosts = [], resolve = systemResolve }: EgressOptions): Egress {
  const policy = createEgressPolicy(allowCidrs, ownAddresses({ hosts: ownHosts, resolve }));
  const lines = new ConnectionPool(createEgressConnector(policy, resolve));
  return {
    fetch: (url, request = {}) => call(lines, url, request),
    close: () => lines.close(),
  };
}

async function call(lines: ConnectionPool, address: string, request: EgressRequest): Promise<EgressReply> {
  const url = requestUrl(address);
  const timeoutMs = Math.min(request.timeoutMs ?? defaults.timeoutMs, maxTimerMs);
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(tooLate(timeoutMs)), timeoutMs);
  const signal = request.signal ? AbortSignal.any([limit.signal, request.signal]) : limit.signal;
  const toError = (error: unknown) => reasonOf(error, limit.signal, request.signal);
  try {
    const { reply, from, line } = await follow(lines, url, request, { signal, timeoutMs });
    const onDone = (isComplete: boolean) => {
      clearTimeout(timer);
      if (isComplete) lines.release(line);
      else lines.end(line);
    };
    const body = limitBody(reply.body, request.maxReplyBytes ?? defaults.maxReplyBytes, {
      toError,
      done: onDone,
    });
    const { statusCode: status, statusText, headers } = reply;
    return { status, statusText, headers, url: from.href, body };
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

/** The response at the end of the redirects. Each hop is checked, because each makes a connection. */
async function follow(lines: ConnectionPool, first: URL, request: EgressRequest, limits: Limits) {
  let hop = { url: first, method: (request.method ?? 'GET').toUpperCase(), body: request.body };
  for (let redirectsLeft = request.maxRedirects ?? 0; ; redirectsLeft--) {
    const hopHeaders = headersForHop(request.headers ?? {}, { first, url: hop.url, body: hop.body });
    const headers = { 'user-agent': userAgent, ...hopHeaders };
    const { reply, line } = await exchange(lines, { ...hop, headers }, request, limits);
    try {
      const next = request.maxRedirects ? nextHop(hop, reply.statusCode, reply.headers.location) : null;
      if (!next) return { reply, from: hop.url, line };
      if (redirectsLeft === 0) throw new EgressError('redirect', 'the address redirects too many times');
      hop = next;
    } catch (error) {
      discard(lines, reply, line);
      throw error;
    }
    discard(lines, reply, line);
  }
}

/** Discards a body; its errors don't matter. */
function discard(lines: ConnectionPool, reply: Dispatcher.ResponseData, line: PooledConnection): void {
  reply.body.on('error', () => undefined).destroy();
  lines.end(line);
}

/** Sends one request and reads the response headers. The caller then owns the connection. */
async function exchange(lines: ConnectionPool, hop: Hop, request: EgressRequest, limits: Limits) {
  const { origin } = hop.url;
  const keepsMethod =
    request.keep === undefined || hop.body instanceof Readable ? null : `${request.keep} ${origin}`;
  let line = lines.take(origin, keepsMethod);
  for (;;) {
    const before = line.connections;
    try {
      const reply = await send(line.client, hop, request, limits);
      return { reply, line };
    } catch (error) {
      const wasReused = line.connections === before && before > 0;
      lines.end(line);
      if (!wasReused || limits.signal.aborted || toEgressError(error).failure !== 'interrupted') throw error;
      // The server closed the idle connection, which is not a failure: retry on a new one.
      line = lines.open(origin, keepsMethod);
    } finally {
      if (line.address !== undefined) request.onConnected?.(line.address);
    }
  }
}

interface Hop {
  readonly url: URL;
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body: EgressRequest['body'];
}

function send(
  client: Dispatcher,
  hop: Hop,
  request: EgressRequest,
  limits: Limits,
): Promise<Dispatcher.ResponseData> {
  const { url, method, headers, body } = hop;
  return client.request({
    path: `${url.pathname}${url.search}`,
    // undici's type lists common methods; any valid token can be sent.
    method,
    headers,
    body: body ?? null,
    signal: limits.signal,
    headersTimeout: request.headersTimeoutMs ?? limits.timeoutMs,
    bodyTimeout: request.idleTimeoutMs ?? defaults.idleTimeoutMs,
  });
}

interface BodyEnd {
  readonly toError: (error: unknown) => EgressError;
  /** Called with whether the body was read to its end. */
  readonly done: (isComplete: boolean) => void;
}

/** Counts the body, names its errors, and ends the time limit with it. */
function limitBody(source: Readable, maxBytes: number, { toError, done }: BodyEnd): Readable {
  let bytes = 0;
  const countingStream = new Transform({
    transform(chunk: Buffer, _encoding, callback) {
      bytes += chunk.length;
      if (bytes <= maxBytes) callback(null, chunk);
      else callback(new EgressError('too_large', `the response is longer than ${maxBytes} bytes`));
    },
  });
  source.on('error', (error) => countingStream.destroy(toError(error)));
  // A later reader still gets the error; until then there may be no listener.
  countingStream.on('error', () => undefined);
  countingStream.on('close', () => {
    done(source.readableEnded);
    source.destroy();
  });
  return source.pipe(countingStream);
}

function reasonOf(error: unknown, limit: AbortSignal, caller: AbortSignal | undefined): EgressError {
  if (limit.aborted && limit.reason instanceof EgressError) return limit.reason;
  if (caller?.aborted) return new EgressError('aborted', 'the request was aborted', { cause: error });
  return toEgressError(error);
}

function tooLate(ms: number): EgressError {
  return new EgressError('timed_out', `there was no complete response within ${ms / 1000} s`);
}
