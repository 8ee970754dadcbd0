import cluster from 'node:cluster';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { NodeTls } from './node-tls';
import { readProxyHeaders } from './proxy-protocol';

export interface HttpServerLimits {
  /** Further connections are closed at once. Never more than this process has descriptors for. */
  readonly maxConnections: number;
  /** For a whole request, in milliseconds; 0 where a body may take as long as it takes. */
  readonly requestTimeout: number;
  /** CIDR ranges of proxies that may send PROXY headers. */
  readonly trustedProxies?: readonly string[];
}

/** The rest is for files, the database and requests to other processes. */
const connectionShare = 0.8;
/** Node looks for late headers and requests this seldom; by default it does so every 30 s. */
const lookMs = 1_000;
const headersTimeout = 5_000;

/**
 * An HTTP server in which every wait ends: half a request, an idle connection, a reader that stopped reading.
 * @param tls for other nodes alone: clients without a certificate of their CA are refused
 */
export function createHttpServer(
  handler: RequestListener,
  { maxConnections, requestTimeout, trustedProxies = [] }: HttpServerLimits,
  tls?: NodeTls,
): Server {
  const options = {
    keepAlive: true,
    noDelay: true,
    headersTimeout,
    requestTimeout,
    connectionsCheckingInterval: lookMs,
    maxHeaderSize: 16_384,
  };
  const mutual = { requestCert: true, rejectUnauthorized: true, handshakeTimeout: headersTimeout };
  const server = tls
    ? createTlsServer({ ...options, ...mutual, ...tls }, handler)
    : createServer(options, handler);
  server.keepAliveTimeout = 15_000;
  server.timeout = 60_000;
  const most = Math.min(maxConnections, Math.floor(connectionShare * descriptorLimit()));
  if (cluster.isWorker) closeFurther(server, most);
  else server.maxConnections = most;
  server.on('upgrade', refuseUpgrade);
  if (trustedProxies.length > 0) readProxyHeaders(server, trustedProxies);
  return server;
}

/**
 * What `maxConnections` does, for processes that share a port: they would give a connection that is one too many to each
 * other in turn for as long as all of them are full, with all the CPU time there is.
 */
export function closeFurther(server: Server, most: number): void {
  let open = 0;
  server.on('connection', (socket: Socket) => {
    open += 1;
    socket.once('close', () => (open -= 1));
    if (open > most) socket.destroy();
  });
}

/**
 * This server has no other protocol. Node hands the socket to the upgrade listener and applies none of its
 * timeouts to it anymore: Next listens and forgets unknown ones, which would keep the descriptor open forever.
 */
function refuseUpgrade(_request: IncomingMessage, socket: Duplex): void {
  // Node has taken its own listener away.
  socket.on('error', () => undefined);
  const answer = 'HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n';
  socket.end(answer, () => socket.destroy());
}

/** How many files and sockets this process may have open; Infinity where there is no /proc to say. */
function descriptorLimit(): number {
  try {
    const [, soft] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return Number(soft ?? Infinity);
  } catch {
    return Infinity;
  }
}
