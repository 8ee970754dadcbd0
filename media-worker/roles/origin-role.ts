import type { IncomingMessage } from 'node:http';
import type { WorkerContext } from '@/lib/domain/context';
import { certificateOf } from '@/lib/infra/tls/certificate';
import { createClientAddressReader } from '@/lib/infra/egress/ip-address';
import { newId } from '@/lib/infra/ids';
import { metrics } from '@/lib/infra/metrics/metrics';
import { openMetrics } from '@/lib/infra/metrics/metrics-endpoint';
import { listen } from '@/lib/infra/notifications';
import { recordDelivered } from '@/lib/domain/metering';
import { findTeamOfContent, readExhaustedTeams } from '@/lib/domain/quotas';
import { readProcessUrls } from '@/lib/infra/process-urls';
import { loadMachineId } from '@/lib/infra/machine-id';
import { createNodeSignatures, nodeSignatureHeader, type NodeSignatures } from '@/lib/infra/node-signatures';
import { describePublicStatus, findChildPlayback, locateLive } from '@/lib/domain/streams';
import type { Delivery } from '@/media-worker/kit/http/answer';
import { type AnswerWrite, createWriteHandler } from '@/media-worker/kit/http/internal-writes';
import { listenForNodes } from '@/media-worker/kit/http/listen-internal';
import { SlowReaders } from '@/media-worker/kit/http/slow-readers';
import { runPeriodically } from '@/media-worker/kit/process/run-periodically';
import { registerProcess } from '@/media-worker/kit/process/presence';
import type { Lifecycle, StartRole } from '@/media-worker/kit/process/lifecycle';
import { createViewerCount } from '@/media-worker/delivery/origin/audience/count-viewers';
import { DeliveredCount } from '@/media-worker/delivery/origin/audience/delivered-count';
import {
  NodeFinder,
  createLocateNode,
  createHoldsCheck,
  locationMaxAgeMs,
} from '@/media-worker/delivery/origin/live/find-node';
import { LiveProxy, createUpstream } from '@/media-worker/delivery/origin/live/live-proxy';
import { LiveSource } from '@/media-worker/delivery/origin/live/live-source';
import { LookupCache } from '@/media-worker/delivery/origin/lookup-cache';
import { QuotaGate } from '@/media-worker/delivery/origin/access/quota-gate';
import { createStoredContent } from '@/media-worker/delivery/origin/stored/serve-stored';
import { createOriginHandler, startOrigin, type OriginOptions } from '@/media-worker/delivery/origin/server';
import { createPictureUploads } from '@/media-worker/delivery/uploads/picture-uploads';
import { putUpload, deleteAbandonedPuts } from '@/media-worker/delivery/uploads/upload-put';
import { createTusForwarder } from '@/media-worker/delivery/uploads/forward-tus';
import { openTusUploads } from '@/media-worker/delivery/uploads/upload-tus';
import { startPlayerReports } from './start-player-reports';
import { startWebrtc } from './start-webrtc';
import { openViewerAccess, openCountryLookup } from './open-viewer-access';

const UPLOAD_SWEEP_INTERVAL_MS = 15_000;
const VIEWER_COUNT_INTERVAL_MS = 5_000;
const DELIVERY_INTERVAL_MS = 10_000;
/** Interval at which exhausted quotas are read. Usage is written with a delay, so a limit takes effect within a minute. */
const QUOTA_INTERVAL_MS = 30_000;
const nodeLimits = { maxConnections: 2_000, requestTimeoutMs: 0 };

/** Starts the origin role: it serves viewers, proxies live streams from their node, and receives uploads. */
export const startOriginRole: StartRole = async (ctx, lifecycle, signal) => {
  const signatures = createNodeSignatures(ctx.secrets, ctx.clock);
  const { nodes, live } = createLiveSource(ctx, lifecycle, signatures);
  const publicStatuses = new LookupCache((id: string) => describePublicStatus(ctx, id), ctx.clock);
  const childPlaybacks = new LookupCache(
    (playbackId: string) => findChildPlayback(ctx, playbackId),
    ctx.clock,
  );
  const uploads = await startUploads(ctx, lifecycle);
  const storedAnswers = await createStoredContent(ctx, lifecycle);
  const nodeId = newId();
  const deliveredCount = startDeliveredCount(ctx, lifecycle, nodeId);
  const viewers = startViewerCount(ctx, lifecycle, nodeId, (playbackId) =>
    deliveredCount.recordView(playbackId),
  );
  const { watch, watchAsset } = viewers;
  const countryOf = openCountryLookup(ctx, lifecycle);
  const access = openViewerAccess(ctx, lifecycle, countryOf);
  let nodeUrl: string | undefined;
  const { host, mediaPort: port, trustedProxies, internalTls, publicTls, cdnUrl, processes } = ctx.settings;
  const quotas = startQuotaGate(ctx, lifecycle);
  const onDelivery = (delivery: Delivery, bytes: number) => deliveredCount.add(delivery, bytes);
  const origin = {
    readers: new SlowReaders({ addressOf: createClientAddressReader(trustedProxies) }),
    live,
    publicStatuses,
    children: childPlaybacks,
    uploads,
    ...storedAnswers,
    onDelivery,
    quotas,
    watch,
    watchAsset,
    guard: access.guard,
    reports: startPlayerReports(ctx, lifecycle, nodeId, countryOf),
    webrtc: startWebrtc(ctx, lifecycle, { access, quotas, nodes, onDelivery, viewers }),
    answerWrite: createOriginWrites({ signatures, receiver: () => nodeUrl, viewers, live }),
    log: ctx.log,
  };
  // The internal server starts first, because other nodes may use it as soon as the public server responds.
  if (internalTls || publicTls || processes.origin > 1)
    nodeUrl = await listenForOrigin(ctx, lifecycle, origin);
  const originMetrics = openMetrics('origin', ctx.settings, ctx.log);
  originMetrics.registerReader([metrics.viewers], () => metrics.viewers.set(viewers.currentViewers()));
  const originTls = publicTls && { certificate: certificateOf(publicTls), publicUrl: cdnUrl };
  const server = await startOrigin({
    host,
    port,
    trustedProxies,
    publicTls: originTls,
    metrics: originMetrics,
    ...origin,
  });
  lifecycle.own('http', () => server.close());
  ctx.log.info({ port: server.port }, 'ready for viewers');
  nodeUrl ??= `${originBaseUrl(ctx.settings)}:${server.port}`;
  const presence = await registerProcess(ctx, { id: nodeId, role: 'origin', url: nodeUrl }, signal);
  lifecycle.own('node registration', () => presence.close());
};

interface OriginWrites {
  readonly signatures: NodeSignatures;
  /** URL of this origin for other nodes; undefined until it listens. */
  readonly receiver: () => string | undefined;
  readonly viewers: Pick<ReturnType<typeof createViewerCount>, 'writes' | 'edgeReports'>;
  readonly live: LiveSource;
}

/** Handles writes of other nodes and reports of edges. */
function createOriginWrites({ signatures, receiver, viewers, live }: OriginWrites): AnswerWrite {
  const writes = { ...viewers.writes, ...live.endedStreams.writes };
  const answerNodeWrite = createWriteHandler({ signatures, receiver, writes });
  return (request) => answerNodeWrite(request) ?? viewers.edgeReports(request);
}

/** Creates the source of live streams, which reads them from the nodes that publish them. */
function createLiveSource(ctx: WorkerContext, lifecycle: Lifecycle, signatures: NodeSignatures) {
  const sign = (receiver: string, path: string) => ({
    [nodeSignatureHeader]: signatures.sign({ receiver, method: 'GET', path }),
  });
  const upstream = createUpstream(sign, { internalTls: ctx.settings.internalTls });
  lifecycle.own('upstream connections', () => upstream.close());
  const locate = createLocateNode({
    findRow: (playbackId) => locateLive(ctx, playbackId),
    findLocalUrls: async () => (await readProcessUrls(ctx.settings, 'live')).filter((url) => url !== null),
    holds: createHoldsCheck(ctx),
  });
  const nodes = createNodeFinder(ctx, lifecycle, locate);
  return { nodes, live: new LiveSource({ nodes, proxy: new LiveProxy({ fetch: upstream.fetch }) }) };
}

async function startUploads(ctx: WorkerContext, lifecycle: Lifecycle): Promise<OriginOptions['uploads']> {
  await deleteAbandonedPuts(ctx);
  const tus = openTusUploads(ctx);
  const sweepTimer = runPeriodically(UPLOAD_SWEEP_INTERVAL_MS, 'upload sweep', ctx.log, () => tus.sweep());
  lifecycle.own('upload sweep', () => sweepTimer.close());
  const machineId = await loadMachineId(ctx.settings.dataDir).catch(() => null);
  return {
    put: (request: IncomingMessage) => putUpload(ctx, request),
    ...createPictureUploads(ctx),
    tus: createTusForwarder(ctx, machineId, tus),
  };
}

/**
 * Creates the node finder. A database listener forgets the node of a stream when another node publishes it.
 * Exported for its test.
 */
export function createNodeFinder(
  ctx: Pick<WorkerContext, 'settings' | 'clock' | 'log'>,
  lifecycle: Pick<Lifecycle, 'own'>,
  locate: (playbackId: string) => Promise<string | null>,
): NodeFinder {
  const announcedMaxAgeMs = () => locationMaxAgeMs(listener.isListening);
  const nodes = new NodeFinder(locate, ctx.clock, { announcedMaxAgeMs });
  const onChange = (playbackId: string | null) =>
    playbackId === null ? nodes.markAllStale() : nodes.invalidate(playbackId);
  const listener = listen(ctx.settings.databaseUrl, 'stream_published', onChange, ctx.log);
  lifecycle.own('notifications', () => listener.close());
  return nodes;
}

/** Starts the quota gate without waiting for its first reading, because the database may be unavailable. */
function startQuotaGate(ctx: WorkerContext, lifecycle: Lifecycle): QuotaGate {
  const quotas = new QuotaGate({
    clock: ctx.clock,
    findExhausted: () => readExhaustedTeams(ctx),
    teamOf: (id) => findTeamOfContent(ctx, id),
  });
  const refreshTimer = runPeriodically(QUOTA_INTERVAL_MS, 'quotas', ctx.log, () => quotas.refresh());
  refreshTimer.runNow();
  lifecycle.own('quotas', () => refreshTimer.close());
  return quotas;
}

/**
 * Starts to count viewers. Counting continues while the database is unavailable, and the last values are written
 * when the origin closes.
 */
function startViewerCount(
  ctx: WorkerContext,
  lifecycle: Lifecycle,
  nodeId: string,
  onView: (playbackId: string) => void,
) {
  const viewers = createViewerCount(ctx, nodeId, onView);
  const sampleTimer = setInterval(() => viewers.sample(), VIEWER_COUNT_INTERVAL_MS);
  const writeTimer = runPeriodically(VIEWER_COUNT_INTERVAL_MS, 'viewer count', ctx.log, () =>
    viewers.write(),
  );
  lifecycle.own('viewer count', async () => {
    clearInterval(sampleTimer);
    await writeTimer.close();
    await viewers.finish();
  });
  return viewers;
}

/**
 * Starts to count delivered bytes and views. Counting continues while the database is unavailable, and the last
 * values are written when the origin closes.
 */
function startDeliveredCount(ctx: WorkerContext, lifecycle: Lifecycle, nodeId: string): DeliveredCount {
  const count = new DeliveredCount(ctx.clock, {
    write: (batch) => recordDelivered(ctx, { nodeId, ...batch }),
    onLoss: (loss) => ctx.log.warn(loss, 'usage of too many objects at once is lost'),
  });
  const writeTimer = runPeriodically(DELIVERY_INTERVAL_MS, 'delivered bytes', ctx.log, () => count.flush());
  lifecycle.own('delivered bytes', async () => {
    await writeTimer.close();
    await count.flush();
  });
  return count;
}

/**
 * Starts a server for other nodes on a separate port, because the viewers' port has another certificate or is
 * shared by several processes.
 * @returns its URL
 */
async function listenForOrigin(
  ctx: WorkerContext,
  lifecycle: Lifecycle,
  origin: Parameters<typeof createOriginHandler>[0],
): Promise<string> {
  const server = await listenForNodes(ctx, 'origin', createOriginHandler(origin), nodeLimits);
  lifecycle.own('http for other nodes', () => server.close());
  return server.url;
}

/**
 * The URL, without a port, at which other nodes reach an origin that has no internal server: the internal URL,
 * unless the origin listens on a specific address.
 */
function originBaseUrl({ host, internalUrl }: WorkerContext['settings']): string {
  if (host === '0.0.0.0' || host === '::') return internalUrl;
  return `http://${host.includes(':') ? `[${host}]` : host}`;
}
