import type { RequestListener } from 'node:http';
import type { WorkerContext } from '@/lib/domain/context';
import { internalPortOffset } from '@/lib/core/nodes/process-slots';
import { createNodeSignatures } from '@/lib/infra/node-signatures';
import { certificateOf } from '@/lib/infra/tls/certificate';
import type { OpenMetrics } from '@/lib/infra/metrics/metrics-endpoint';
import { errorAnswer, send } from './answer';
import { createWriteHandler, signatureOf, unsignedAnswer, type InternalWrites } from './internal-writes';
import { probeAnswer } from './probes';
import { listen, type HttpServer, type ListenOptions } from './listen';

export interface InternalServer extends HttpServer {
  /** URL for other nodes. */
  readonly url: string;
}

const methodNotAllowed = errorAnswer(405, 'Only GET and HEAD are allowed.', { Allow: 'GET, HEAD' });

interface InternalServerOptions {
  readonly maxConnections: number;
  readonly writes?: InternalWrites;
  /** Maximum length of the body of a POST request. Default: that of `createWriteHandler`. */
  readonly maxWriteBytes?: number;
  /** Whether a load balancer may send requests. Default: true. */
  readonly isReady?: () => boolean;
  /** Serves `/metrics` without a signature. */
  readonly metrics?: Pick<OpenMetrics, 'withMetricsEndpoint'>;
}

/**
 * Serves other nodes, and processes of this machine, at the internal URL. Requests must be signed, except
 * probes and metrics.
 */
export async function listenInternal(
  { settings, secrets, clock, log }: Pick<WorkerContext, 'settings' | 'secrets' | 'clock' | 'log'>,
  role: 'live' | 'jobs' | 'rtc',
  handler: RequestListener,
  { maxConnections, writes = {}, maxWriteBytes, isReady = () => true, metrics }: InternalServerOptions,
): Promise<InternalServer> {
  const signatures = createNodeSignatures(secrets, clock);
  const answerWrite = createWriteHandler({
    signatures,
    receiver: () => server.url,
    writes,
    maxBytes: maxWriteBytes,
  });
  const guardedHandler: RequestListener = (request, response) => {
    const { method = '', url = '' } = request;
    const writeAnswer = answerWrite(request);
    const probeReply = probeAnswer(request, isReady);
    if (probeReply) send(response, probeReply);
    else if (writeAnswer) {
      writeAnswer
        .then((answer) => send(response, answer))
        .catch((error: unknown) => {
          log.error({ err: error, path: url }, 'request failed');
          response.destroy();
        });
    } else if (!signatures.accepts({ receiver: server.url, method, path: url }, signatureOf(request)))
      send(response, unsignedAnswer);
    else if (method !== 'GET' && method !== 'HEAD') send(response, methodNotAllowed);
    else handler(request, response);
  };
  const measuredHandler = metrics ? metrics.withMetricsEndpoint(guardedHandler) : guardedHandler;
  const server: InternalServer = await listenForNodes({ settings, log }, role, measuredHandler, {
    maxConnections,
  });
  return server;
}

/**
 * Starts a server at the internal URL. With TLS between nodes, clients need a certificate of this
 * installation.
 */
export async function listenForNodes(
  { settings, log }: Pick<WorkerContext, 'settings' | 'log'>,
  role: 'live' | 'jobs' | 'origin' | 'rtc',
  handler: RequestListener,
  limits: Pick<ListenOptions, 'maxConnections' | 'requestTimeoutMs'>,
): Promise<InternalServer> {
  const { internalHost: host, internalPort, internalUrl, internalTls, processes, slot } = settings;
  const port = internalPort === undefined ? 0 : internalPort + internalPortOffset({ role, slot }, processes);
  const certificate = internalTls && certificateOf(internalTls);
  // Processes of one role share their public port, and each has its own internal port.
  const server = await listen(handler, { host, port, exclusive: true, certificate, log, ...limits });
  return { ...server, url: `${internalUrl}:${server.port}` };
}
