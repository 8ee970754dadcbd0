import { createServer, type RequestListener } from 'node:http';
import next from 'next';
import { readSettings } from '@/lib/infra/env';
import { createLogger } from '@/lib/infra/logger';
import { frontDoor } from './front-door';
import { withSecurityHeaders } from './security-headers';

/** The process of the dashboard and the API: Next behind our own server. Built into .build/web.js. */

const settings = readSettings();
const log = createLogger('web', settings.logLevel);
const app = next({ dev: false, dir: process.cwd(), hostname: settings.host, port: settings.port });
await app.prepare();
const handle = app.getRequestHandler();
const listener: RequestListener = (request, response) => void handle(request, response);

const server = createServer(
  { headersTimeout: 10_000, requestTimeout: 60_000, maxHeaderSize: 16_384 },
  frontDoor(withSecurityHeaders(listener, settings), settings.trustedProxies),
);
server.keepAliveTimeout = 15_000;
server.on('error', (error) => {
  log.error({ err: error }, 'web server failed');
  process.exit(1);
});
server.listen({ host: settings.host, port: settings.port });

/** Answers that run are finished first; the supervisor's patience bounds it. */
const end = () => {
  server.close(() => {
    void app.close().finally(() => process.exit(0));
  });
  server.closeIdleConnections();
};
process.once('SIGTERM', end);
process.once('SIGINT', end);
