import type { RequestListener, Server } from 'node:http';
import { Server as TlsServer } from 'node:https';
import { createHttpServer } from '@/lib/infra/http-server';
import type { Logger } from '@/lib/infra/logger';
import type { NodeCertificate } from '@/lib/infra/node-tls';

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
  /** For TLS; absent: plain HTTP. */
  readonly certificate?: NodeCertificate | undefined;
  /** CIDR ranges of proxies that may send PROXY headers; none where only other nodes ask. */
  readonly trustedProxies?: readonly string[];
  readonly log: Logger;
}

const graceMs = 1_000;
/** How often the files of a certificate are looked at. */
const renewMs = 5_000;

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
  const { maxConnections, requestTimeout = 10_000, trustedProxies = [], certificate } = options;
  const limits = { maxConnections, requestTimeout, trustedProxies };
  const server = createHttpServer(guarded, limits, certificate?.current());
  const port = await bind(server, options);
  const renewing = certificate && keepCertificate(server, certificate, options.log);
  let closing: Promise<void> | null = null;
  const end = () => {
    clearInterval(renewing);
    return close(server);
  };
  return { port, close: () => (closing ??= end()) };
}

/** New connections get the certificate that the files have now; those that are open stay. */
function keepCertificate(server: Server, certificate: NodeCertificate, log: Logger): NodeJS.Timeout {
  let used = certificate.current();
  let reported = '';
  const renew = () => {
    try {
      const found = certificate.reload();
      reported = '';
      if (found === used || !(server instanceof TlsServer)) return;
      server.setSecureContext(found);
      used = found;
      log.info('certificate of this node renewed');
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      if (message !== reported) log.warn({ err: error }, 'certificate not renewed: the previous one is used');
      reported = message;
    }
  };
  return setInterval(renew, renewMs);
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
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearTimeout(timer);
}
