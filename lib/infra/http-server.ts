import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { Duplex } from 'node:stream';

export interface HttpServerLimits {
  /** Further connections are closed at once. Never more than this process has descriptors for. */
  readonly maxConnections: number;
  /** For a whole request, in milliseconds; 0 where a body may take as long as it takes. */
  readonly requestTimeout: number;
}

/** The rest is for files, the database and requests to other processes. */
const connectionShare = 0.8;
/** Node looks for late headers and requests this seldom; by default it does so every 30 s. */
const lookMs = 1_000;

/** An HTTP server in which every wait ends: half a request, an idle connection, a reader that stopped reading. */
export function createHttpServer(
  handler: RequestListener,
  { maxConnections, requestTimeout }: HttpServerLimits,
): Server {
  const server = createServer(
    {
      keepAlive: true,
      noDelay: true,
      headersTimeout: 5_000,
      requestTimeout,
      connectionsCheckingInterval: lookMs,
      maxHeaderSize: 16_384,
    },
    handler,
  );
  server.keepAliveTimeout = 15_000;
  server.timeout = 60_000;
  server.maxConnections = Math.min(maxConnections, Math.floor(connectionShare * descriptorLimit()));
  server.on('upgrade', refuseUpgrade);
  return server;
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
