import cluster from 'node:cluster';
import { readFileSync } from 'node:fs';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { TLSSocket } from 'node:tls';
import type { Certificate, CertificateLog, TlsIdentity } from './tls/certificate';
import { ProxyHeaders, addConnectionLayer } from './proxy-protocol';
import { TlsConnections } from './tls/tls-connections';

export interface HttpServerLimits {
  /** Maximum number of connections; further ones are closed immediately. Limited by the file descriptors of this process. */
  readonly maxConnections: number;
  /** Timeout of a whole request; 0 for no limit of the body. */
  readonly requestTimeoutMs: number;
  /** CIDR ranges of proxies that may send PROXY headers. */
  readonly trustedProxies?: readonly string[];
  /** TLS for public clients; absent for plain HTTP. */
  readonly publicTls?: PublicTls | undefined;
}

export interface PublicTls {
  readonly certificate: Certificate;
  /** Public URL for redirects of clients without TLS; absent to reject them. */
  readonly publicUrl?: string;
  readonly log: CertificateLog;
}

/**
 * Fraction of the file descriptors that connections may use. The others are for files, the database and requests to other
 * processes.
 */
const CONNECTION_FRACTION = 0.8;
/** Interval at which Node checks for late headers and requests; its default is 30 s. */
const CHECK_INTERVAL_MS = 1_000;
const HEADERS_TIMEOUT_MS = 5_000;
/** Timeout of a connection between two requests. */
const KEEP_ALIVE_TIMEOUT_MS = 15_000;
/** Timeout of a connection that transfers no bytes during a request. */
const SOCKET_TIMEOUT_MS = 60_000;

/**
 * Creates an HTTP server in which every wait is bounded: incomplete requests, idle connections, slow readers.
 * @param tls TLS between nodes: clients without a certificate of their CA are rejected
 */
export function createHttpServer(
  handler: RequestListener,
  { maxConnections, requestTimeoutMs, trustedProxies = [], publicTls }: HttpServerLimits,
  tls?: TlsIdentity,
): Server {
  const options = {
    keepAlive: true,
    noDelay: true,
    headersTimeout: HEADERS_TIMEOUT_MS,
    requestTimeout: requestTimeoutMs,
    connectionsCheckingInterval: CHECK_INTERVAL_MS,
    maxHeaderSize: 16_384,
  };
  const mutualTls = { requestCert: true, rejectUnauthorized: true, handshakeTimeout: HEADERS_TIMEOUT_MS };
  const server = tls
    ? createTlsServer({ ...options, ...mutualTls, ...tls }, handler)
    : createServer(options, publicTls ? requireTls(handler, publicTls.publicUrl) : handler);
  server.keepAliveTimeout = KEEP_ALIVE_TIMEOUT_MS;
  server.timeout = SOCKET_TIMEOUT_MS;
  server.on('upgrade', rejectUpgrade);
  if (publicTls) addConnectionLayer(server, (next) => tlsLayer(next, publicTls));
  if (trustedProxies.length > 0) addConnectionLayer(server, (next) => new ProxyHeaders(trustedProxies, next));
  const connectionLimit = Math.min(maxConnections, Math.floor(CONNECTION_FRACTION * readDescriptorLimit()));
  if (cluster.isWorker) limitConnections(server, connectionLimit);
  else server.maxConnections = connectionLimit;
  return server;
}

const tlsLayer = (next: (socket: Socket) => void, { certificate, log }: PublicTls): TlsConnections =>
  new TlsConnections({ certificate, log, protocols: ['http/1.1'], onSecure: next, onPlain: next });

/** Handles requests over TLS, and answers requests without TLS with a redirect or an error. */
function requireTls(handler: RequestListener, publicUrl: string | undefined): RequestListener {
  return (request, response) => {
    if (request.socket instanceof TLSSocket) handler(request, response);
    else sendToHttps(request, response, publicUrl);
  };
}

/**
 * Redirects a client to the same path over https. A request that changes data or carries credentials is rejected instead,
 * so that its sender notices the missing encryption.
 */
export function sendToHttps(
  { method = '', url = '', headers }: IncomingMessage,
  response: ServerResponse,
  publicUrl: string | undefined,
): void {
  const closeHeader = { Connection: 'close' };
  const isRead = method === 'GET' || method === 'HEAD';
  if (publicUrl?.startsWith('https:') && isRead && url.startsWith('/') && !headers.authorization) {
    response.writeHead(301, { ...closeHeader, Location: `${publicUrl}${url}`, 'Content-Length': 0 }).end();
    return;
  }
  const body = JSON.stringify({ errors: ['This port requires TLS. Use https:// in the URL.'] });
  const contentType = { 'Content-Type': 'application/json; charset=utf-8' };
  response.writeHead(400, { ...closeHeader, ...contentType, 'Content-Length': Buffer.byteLength(body) });
  response.end(method === 'HEAD' ? undefined : body);
}

/**
 * Closes connections above a limit, like `maxConnections`, for processes that share a port. With `maxConnections`, full
 * processes would pass a connection to each other in a busy loop.
 */
export function limitConnections(server: Server, maxConnections: number): void {
  let openCount = 0;
  server.on('connection', (socket: Socket) => {
    openCount += 1;
    socket.once('close', () => (openCount -= 1));
    if (openCount > maxConnections) socket.destroy();
  });
}

/**
 * Rejects upgrades, because this server has no other protocol. Node stops applying timeouts to a socket with an upgrade
 * request, and Next ignores unknown upgrades, which would leak the descriptor.
 */
function rejectUpgrade(_request: IncomingMessage, socket: Duplex): void {
  // Node has removed its own error listener.
  socket.on('error', () => undefined);
  const rejection = 'HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n';
  socket.end(rejection, () => socket.destroy());
}

/** Maximum number of open files and sockets of this process; Infinity without /proc. */
function readDescriptorLimit(): number {
  try {
    const [, softLimit] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return Number(softLimit ?? Infinity);
  } catch {
    return Infinity;
  }
}
