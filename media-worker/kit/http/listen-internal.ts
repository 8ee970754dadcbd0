import type { RequestListener } from 'node:http';
import type { WorkerContext } from '@/lib/domain/context';
import { internalPortOffset } from '@/lib/core/nodes/process-slots';
import { createNodeSignatures } from '@/lib/infra/node-signatures';
import { certificateOf } from '@/lib/infra/tls/certificate';
import type { OpenMetrics } from '@/lib/infra/metrics/metrics-endpoint';
import { errorAnswer, send } from './answer';
import { answerWrites, signatureOf, unsignedAnswer, type InternalWrites } from './internal-writes';
import { probeAnswer } from './probes';
import { listen, type HttpServer, type ListenOptions } from './listen';

export interface InternalServer extends HttpServer {
  /** Address for other nodes. */
  readonly url: string;
}

const readOnly = errorAnswer(405, 'Only GET and HEAD are allowed.', { Allow: 'GET, HEAD' });

interface InternalOptions {
  readonly maxConnections: number;
  readonly writes?: InternalWrites;
  /** Largest body of a write; the usual limit if absent. */
  readonly maxWriteBytes?: number;
  /** Whether a load balancer may send requests; if absent, as soon as the server listens. */
  readonly isReady?: () => boolean;
  /** Serves `/metrics`, without a signature. */
  readonly metrics?: Pick<OpenMetrics, 'withMetricsEndpoint'>;
}

/**
 * Serves other nodes and processes of this machine at the internal address: signed requests only, except probes and
 * metrics.
 */
export async function listenInternal(
  { settings, secrets, clock, log }: Pick<WorkerContext, 'settings' | 'secrets' | 'clock' | 'log'>,
  role: 'live' | 'jobs' | 'rtc',
  handler: RequestListener,
  { maxConnections, writes = {}, maxWriteBytes, isReady = () => true, metrics }: InternalOptions,
): Promise<InternalServer> {
  const signatures = createNodeSignatures(secrets, clock);
  const answerWrite = answerWrites(signatures, writes, maxWriteBytes);
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
    } else if (!signatures.accepts({ method, path: url }, signatureOf(request)))
      send(response, unsignedAnswer);
    else if (method !== 'GET' && method !== 'HEAD') send(response, readOnly);
    else handler(request, response);
  };
  const measuredHandler = metrics ? metrics.withMetricsEndpoint(guardedHandler) : guardedHandler;
  return listenForNodes({ settings, log }, role, measuredHandler, { maxConnections });
}

/** Serves the internal address; with TLS between nodes, only clients with a certificate. */
export async function listenForNodes(
  { settings, log }: Pick<WorkerContext, 'settings' | 'log'>,
  role: 'live' | 'jobs' | 'origin' | 'rtc',
  handler: RequestListener,
  limits: Pick<ListenOptions, 'maxConnections' | 'requestTimeout'>,
): Promise<InternalServer> {
  const { internalHost: host, internalPort, internalUrl, internalTls, processes, slot } = settings;
  const port = internalPort === undefined ? 0 : internalPort + internalPortOffset({ role, slot }, processes);
  const certificate = internalTls && certificateOf(internalTls);
  // Processes of one role share their public port; each has its own internal one.
  const server = await listen(handler, { host, port, exclusive: true, certificate, log, ...limits });
  return { ...server, url: `${internalUrl}:${server.port}` };
}
