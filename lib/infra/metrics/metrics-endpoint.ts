import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { metricsAccess } from '@/lib/core/access/metrics-access';
import { isSameHost, peerAddress } from '@/lib/infra/egress/ip-address';
import type { OperatorSettings } from '@/lib/infra/env';
import type { Logger } from '@/lib/infra/logger';
import { isInGroup, joinGroup } from './group-channel';
import type { MetricRole } from './define-metric';
import { formatExposition, expositionType, ProcessMetrics } from './process-metrics';

/** Metrics of a process, and the endpoint for the metrics of its role. */
export interface OpenMetrics {
  readonly registerReader: ProcessMetrics['registerReader'];
  /** Wraps a request listener and answers `/metrics` itself. */
  readonly withMetricsEndpoint: (next: RequestListener) => RequestListener;
}

type MetricsSettings = Pick<OperatorSettings, 'dataDir' | 'slot' | 'metricsToken'>;

/** Opens the metrics of this process. Must be called once per process. */
export function openMetrics(role: MetricRole, settings: MetricsSettings, log: Logger): OpenMetrics {
  const ownMetrics = new ProcessMetrics({ role, dataDir: settings.dataDir });
  const measureAlone = async () => [{ slot: settings.slot, processValues: await ownMetrics.measure() }];
  const measureAll = isInGroup() ? joinGroup(() => ownMetrics.measure()) : measureAlone;
  return {
    registerReader: (gauges, readGauges) => ownMetrics.registerReader(gauges, readGauges),
    withMetricsEndpoint: createMetricsEndpoint({
      token: settings.metricsToken,
      log,
      text: async () => formatExposition(await measureAll()),
    }),
  };
}

interface MetricsEndpointOptions {
  /** Bearer token for scrapes (METRICS_TOKEN). */
  readonly token: string | undefined;
  readonly text: () => Promise<string>;
  readonly log: Logger;
}

/** Request filter that answers `/metrics`; exported for its test. */
export function createMetricsEndpoint({
  token,
  text,
  log,
}: MetricsEndpointOptions): OpenMetrics['withMetricsEndpoint'] {
  const tokenDigest = token === undefined ? null : sha256(token);
  return (next) => (request, response) => {
    const { method, url = '' } = request;
    const isMetricsPath = url === '/metrics' || url.startsWith('/metrics?');
    const access =
      isMetricsPath && (method === 'GET' || method === 'HEAD') ? accessOf(request, tokenDigest) : 'hidden';
    switch (access) {
      case 'hidden':
        next(request, response);
        break;
      case 'unauthorized':
        sendText(response, 401, { 'WWW-Authenticate': 'Bearer' }, 'METRICS_TOKEN is required.\n');
        break;
      case 'allowed':
        text()
          .then((body) => sendText(response, 200, { 'Content-Type': expositionType }, body))
          .catch((error: unknown) => {
            log.error({ err: error }, 'metrics not collected');
            sendText(response, 503, { 'Retry-After': '5' }, 'The metrics could not be collected.\n');
          });
    }
  };
}

function accessOf(request: IncomingMessage, tokenDigest: Buffer | null) {
  const { headers, socket } = request;
  const [, bearerToken] = /^Bearer (.+)$/i.exec(headers.authorization ?? '') ?? [];
  return metricsAccess({
    // Null without METRICS_TOKEN, false for an absent or wrong token. Digests have equal lengths, so the comparison reveals
    // nothing about the token.
    isTokenValid:
      tokenDigest && bearerToken !== undefined
        ? timingSafeEqual(sha256(bearerToken), tokenDigest)
        : tokenDigest && false,
    // Both the peer and the client in a PROXY header must be local, because a balancer on this machine forwards remote
    // clients.
    isLocal: [socket.remoteAddress ?? '', peerAddress(socket)].every((address) =>
      isSameHost(address, '127.0.0.1'),
    ),
    host: headers.host,
    headers: Object.keys(headers),
  });
}

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

function sendText(
  response: ServerResponse,
  status: number,
  headers: Readonly<Record<string, string>>,
  text: string,
): void {
  const body = Buffer.from(text);
  const common = { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' };
  response.writeHead(status, { ...common, 'Content-Length': body.length, ...headers });
  response.end(response.req.method === 'HEAD' ? undefined : body);
}
