import cluster from 'node:cluster';
import type { RequestListener } from 'node:http';
import { processName } from '@/lib/core/nodes/process-slots';
import { certificateOf } from '@/lib/infra/tls/certificate';
import { readSettings } from '@/lib/infra/env';
import { createHttpServer } from '@/lib/infra/http-server';
import { createLogger } from '@/lib/infra/logger';
import { openMetrics } from '@/lib/infra/metrics/metrics-endpoint';
import { measureResponses } from '@/lib/infra/metrics/observe-responses';
import { runProcessGroup, startsGroup } from '@/lib/infra/process-group';
import { answerSupervisor, markReady } from '@/lib/infra/supervisor-channel';
import { startTracing } from '@/lib/infra/tracing';
import { createRequestFilter } from './request-filter';
import { withSecurityHeaders } from './security-headers';

/** The process of the dashboard and the API: Next behind an HTTP server with limits. Built into .build/web.js. */

const MAX_CONNECTIONS = 5_000;

answerSupervisor();
const settings = readSettings();
const log = createLogger(processName('web', settings.slot), settings.logLevel);

const exitWithError = (error: unknown): never => {
  log.error({ err: error }, 'web server failed');
  process.exit(1);
};

if (startsGroup('web', settings)) runProcessGroup('web', settings.processes.web, log);
else serve();

function serve(): void {
  const nextStarted = prepareNext();
  const listener: RequestListener = (request, response) =>
    void nextStarted.then(({ handle }) => handle(request, response));
  const filteredListener = createRequestFilter(
    withSecurityHeaders(listener, settings),
    settings.trustedProxies,
  );
  const { trustedProxies, publicTls, baseUrl: publicUrl } = settings;
  const tls = publicTls && { certificate: certificateOf(publicTls), publicUrl, log };
  const limits = {
    maxConnections: MAX_CONNECTIONS,
    requestTimeoutMs: 60_000,
    trustedProxies,
    publicTls: tls,
  };
  const metrics = openMetrics('web', settings, log);
  const server = createHttpServer(metrics.withMetricsEndpoint(measureResponses(filteredListener)), limits);
  server.on('error', exitWithError);
  const listen = () => void server.listen({ host: settings.host, port: settings.port });
  // A single process listens before Next is loaded, so that requests after a restart wait instead of failing.
  if (cluster.isWorker) nextStarted.then(listen, exitWithError);
  else listen();
  nextStarted.then(markReady, exitWithError);

  /** Exits when running requests have ended. The supervisor kills the process after a timeout. */
  const shutDown = () => {
    server.close(() => {
      void nextStarted
        .then(({ app, tracing }) => Promise.all([app.close(), tracing?.close()]))
        .finally(() => process.exit(0));
    });
    server.closeIdleConnections();
  };
  process.once('SIGTERM', shutDown);
  process.once('SIGINT', shutDown);
}

async function prepareNext() {
  // Tracing must start before Next, which looks for it when it is loaded.
  const tracing = await startTracing(settings, processName('web', settings.slot));
  const { default: next } = await import('next');
  const app = next({ dev: false, dir: process.cwd(), hostname: settings.host, port: settings.port });
  await app.prepare();
  return { app, tracing, handle: app.getRequestHandler() };
}
