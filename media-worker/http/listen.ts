import type { RequestListener, Server } from 'node:http';
import { createHttpServer } from '@/lib/infra/http-server';
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

/** Serves until it is closed, with the bounds that every server of ours has. */
export async function listen(handler: RequestListener, options: ListenOptions): Promise<HttpServer> {
  const guarded: RequestListener = (request, response) => {
    try {
      handler(request, response);
    } catch (error) {
      // One bad answer must not end the process that all streams live in.
      options.log.error({ err: error }, 'request failed');
      response.destroy();
    }
  };
  const { maxConnections, requestTimeout = 10_000 } = options;
  const server = createHttpServer(guarded, { maxConnections, requestTimeout });
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
