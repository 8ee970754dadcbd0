import type { RequestListener, Server } from 'node:http';
import { Server as TlsServer } from 'node:https';
import type { Certificate } from '@/lib/infra/tls/certificate';
import { createHttpServer, type PublicTls } from '@/lib/infra/http-server';
import type { Logger } from '@/lib/infra/logger';

export interface HttpServer {
  readonly port: number;
  /** Stops listening, lets running answers finish for `graceMs`, then closes every socket. May be called twice. */
  close(): Promise<void>;
}

export interface ListenOptions {
  readonly host: string;
  /** 0 picks a free port. */
  readonly port: number;
  /** Not shared with the other processes of this role. */
  readonly exclusive?: boolean;
  readonly maxConnections: number;
  /** For a whole request, in milliseconds; 0 where a body may take as long as it takes. */
  readonly requestTimeout?: number;
  /** For TLS with other nodes alone; absent: plain HTTP. */
  readonly certificate?: Certificate | undefined;
  /** For TLS with viewers; absent: plain HTTP. */
  readonly publicTls?: Omit<PublicTls, 'log'> | undefined;
  /** CIDR ranges of proxies that may send PROXY headers; none where only other nodes ask. */
  readonly trustedProxies?: readonly string[];
  readonly log: Logger;
}

const graceMs = 1_000;

/** Serves until it is closed, with the bounds that every server of ours has. */
export async function listen(handler: RequestListener, options: ListenOptions): Promise<HttpServer> {
  const guardedHandler: RequestListener = (request, response) => {
    try {
      handler(request, response);
    } catch (error) {
      // One bad answer must not end the process that all streams live in.
      options.log.error({ err: error }, 'request failed');
      response.destroy();
    }
  };
  const { maxConnections, requestTimeout = 10_000, trustedProxies = [], certificate, log } = options;
  const publicTls = options.publicTls && { ...options.publicTls, log };
  const limits = { maxConnections, requestTimeout, trustedProxies, publicTls };
  const server = createHttpServer(guardedHandler, limits, certificate?.current());
  const port = await bind(server, options);
  const unwatch = certificate?.watch((identity) => {
    // New connections get it; those that are open stay.
    if (server instanceof TlsServer) server.setSecureContext(identity);
  }, log);
  let closing: Promise<void> | null = null;
  const end = () => {
    unwatch?.();
    return close(server);
  };
  return { port, close: () => (closing ??= end()) };
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

async function close(server: Server): Promise<void> {
  const whenClosed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), graceMs);
  await whenClosed;
  clearTimeout(timer);
}
