import { randomBytes } from 'node:crypto';
import { certificateOf } from '@/lib/infra/tls/certificate';
import { createRangeTest, createClientAddressReader } from '@/lib/infra/egress/ip-address';
import type { OperatorSettings } from '@/lib/infra/env';
import { openDiskCache } from '@/lib/infra/cache/cache-folder';
import type { Logger } from '@/lib/infra/logger';
import { openMetrics } from '@/lib/infra/metrics/metrics-endpoint';
import type { IncomingMessage } from 'node:http';
import { ViewerLog } from '@/media-worker/delivery/edge/viewer-log';
import { startEdge } from '@/media-worker/delivery/edge/server';
import { Upstream } from '@/media-worker/delivery/edge/upstream';
import { createEdgeName, formatVia } from '@/media-worker/kit/http/via';
import { runPeriodically } from '@/media-worker/kit/process/run-periodically';
import type { Lifecycle } from '@/media-worker/kit/process/lifecycle';

/** Interval at which the views are reported to the upstream. */
const REPORT_INTERVAL_MS = 5_000;

/** Starts an edge: it serves viewers from its cache and from another origin or edge, without a database. */
export async function startEdgeRole(
  settings: OperatorSettings,
  upstreamUrl: string,
  log: Logger,
  lifecycle: Lifecycle,
): Promise<void> {
  const { host, mediaPort: port, dataDir, trustedProxies } = settings;
  const publicTls = settings.publicTls && { certificate: certificateOf(settings.publicTls) };
  const name = createEdgeName(randomBytes(4).toString('hex'));
  const upstream = new Upstream(upstreamUrl);
  lifecycle.own('upstream connections', () => upstream.close());
  const slices = await openDiskCache(dataDir, settings.originCacheBytes);
  const addressOf = createClientAddressReader(trustedProxies);
  const isInTrustedRange = createRangeTest(trustedProxies);
  const isTrusted = (request: IncomingMessage) => isInTrustedRange(addressOf(request));
  const viewers = new ViewerLog({ upstream, via: formatVia([name]), addressOf });
  const reportTimer = runPeriodically(REPORT_INTERVAL_MS, 'viewer reports', log, () => viewers.report());
  lifecycle.own('viewer reports', () => reportTimer.close());
  const viewerOptions = { viewers, addressOf, isTrusted, trustedProxies, publicTls };
  const metrics = openMetrics('edge', settings, log);
  const server = await startEdge({ host, port, log, name, upstream, slices, metrics, ...viewerOptions });
  lifecycle.own('http', () => server.close());
  log.info({ port: server.port, upstream: upstreamUrl }, 'ready for viewers');
}
