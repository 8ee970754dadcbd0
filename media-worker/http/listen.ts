import { createServer, type RequestListener, type Server } from 'node:http';
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
  readonly maxConnections: number;
  /** For a whole request, in milliseconds; 0 where a body may take as long as it takes. */
  readonly requestTimeout?: number;
  readonly log: Logger;
}

const graceMs = 1_000;

/** An HTTP server in which every wait ends: half a request, an idle connection, a reader that stopped reading. */
export async function listen(handler: RequestListener, options: ListenOptions): Promise<HttpServer> {
  const server = createServer(
    {
      keepAlive: true,
      noDelay: true,
      headersTimeout: 5_000,
      requestTimeout: options.requestTimeout ?? 10_000,
      maxHeaderSize: 16_384,
    },
    (request, response) => {
      try {
        handler(request, response);
      } catch (error) {
        // One bad answer must not end the process that all streams live in.
        options.log.error({ err: error }, 'request failed');
        response.destroy();
      }
    },
  );
  server.keepAliveTimeout = 15_000;
  server.timeout = 60_000;
  server.maxConnections = options.maxConnections;
  const port = await bind(server, options);
  let closing: Promise<void> | null = null;
  return { port, close: () => (closing ??= close(server)) };
}

function bind(server: Server, { host, port }: ListenOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, () => {
      server.off('error', reject);
      const address = server.address();
      resolve(typeof address === 'object' && address ? address.port : port);
    });
  });
}

async function close(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearTimeout(timer);
}
