import type { RequestListener } from 'node:http';
import { readSettings } from '@/lib/infra/env';
import { createHttpServer } from '@/lib/infra/http-server';
import { createLogger } from '@/lib/infra/logger';
import { answerSupervisor, markReady } from '@/lib/infra/supervisor-channel';
import { frontDoor } from './front-door';
import { withSecurityHeaders } from './security-headers';

/** The process of the dashboard and the API: Next behind an HTTP server with limits. Built into .build/web.js. */

const maxConnections = 5_000;

answerSupervisor();
const settings = readSettings();
const log = createLogger('web', settings.logLevel);

const fail = (error: unknown): never => {
  log.error({ err: error }, 'web server failed');
  process.exit(1);
};

// Listen before Next is loaded, so that requests after a restart wait instead of failing.
const prepared = prepare();
const listener: RequestListener = (request, response) =>
  void prepared.then(({ handle }) => handle(request, response));

const server = createHttpServer(frontDoor(withSecurityHeaders(listener, settings), settings.trustedProxies), {
  maxConnections,
  requestTimeout: 60_000,
});
server.on('error', fail);
server.listen({ host: settings.host, port: settings.port });
prepared.then(markReady, fail);

async function prepare() {
  const { default: next } = await import('next');
  const app = next({ dev: false, dir: process.cwd(), hostname: settings.host, port: settings.port });
  await app.prepare();
  return { app, handle: app.getRequestHandler() };
}

/** Completes running requests before exiting. The supervisor kills the process after a timeout. */
const shutDown = () => {
  server.close(() => {
    void prepared.then(({ app }) => app.close()).finally(() => process.exit(0));
  });
  server.closeIdleConnections();
};
process.once('SIGTERM', shutDown);
process.once('SIGINT', shutDown);
