import type { RequestListener, Server } from 'node:http';
import { Server as TlsServer } from 'node:https';
import type { Certificate } from '@/lib/infra/tls/certificate';
import { createHttpServer, type PublicTls } from '@/lib/infra/http-server';
import type { Logger } from '@/lib/infra/logger';

export interface HttpServer {
  readonly port: number;
  /** Stops listening, lets running responses finish for a second, then closes every socket. Idempotent. */
  close(): Promise<void>;
}

export interface ListenOptions {
  readonly host: string;
  /** The port; 0 picks a free one. */
  readonly port: number;
  /** Whether the port is not shared with other processes of this role. */
  readonly exclusive?: boolean;
  readonly maxConnections: number;
  /** Timeout of a whole request, ms; 0 for no limit, which uploads need. */
  readonly requestTimeoutMs?: number;
  /** Certificate for TLS between nodes; plain HTTP if absent. */
  readonly certificate?: Certificate | undefined;
  /** TLS for viewers; plain HTTP if absent. */
  readonly publicTls?: Omit<PublicTls, 'log'> | undefined;
  /** CIDR ranges of proxies that may send PROXY headers. */
  readonly trustedProxies?: readonly string[];
  readonly log: Logger;
}

/** Time that running responses get when the server closes. */
const GRACE_MS = 1_000;

/** Starts an HTTP server with the limits that all servers of the service have. */
export async function listen(handler: RequestListener, options: ListenOptions): Promise<HttpServer> {
  const guardedHandler: RequestListener = (request, response) => {
    try {
      handler(request, response);
    } catch (error) {
      // One failed response must not end the process that serves all streams.
      options.log.error({ err: error }, 'request failed');
      response.destroy();
    }
  };
  const { maxConnections, requestTimeoutMs = 10_000, trustedProxies = [], certificate, log } = options;
  const publicTls = options.publicTls && { ...options.publicTls, log };
  const limits = { maxConnections, requestTimeoutMs, trustedProxies, publicTls };
  const server = createHttpServer(guardedHandler, limits, certificate?.current());
  const port = await bind(server, options);
  const unwatch = certificate?.watch((identity) => {
    // New connections use the new certificate; open ones keep the old one.
    if (server instanceof TlsServer) server.setSecureContext(identity);
  }, log);
  let closing: Promise<void> | null = null;
  const closeOnce = () => {
    unwatch?.();
    return closeServer(server);
  };
  return { port, close: () => (closing ??= closeOnce()) };
}

function bind(server: Server, { host, port, exclusive = false }: ListenOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port, exclusive }, () => {
      server.off('error', reject);
      const address = server.address();
      resolve(typeof address === 'object' && address ? address.port : port);
    });
  });
}

async function closeServer(server: Server): Promise<void> {
  const whenClosed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), GRACE_MS);
  await whenClosed;
  clearTimeout(timer);
}
