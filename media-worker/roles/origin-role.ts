import type { IncomingMessage } from 'node:http';
import type { WorkerContext } from '@/lib/domain/context';
import { certificateOf } from '@/lib/infra/tls/certificate';
import { clientAddressFrom } from '@/lib/infra/egress/ip-address';
import { newId } from '@/lib/infra/ids';
import { metrics } from '@/lib/infra/metrics/metrics';
import { openMetrics } from '@/lib/infra/metrics/metrics-endpoint';
import { listen } from '@/lib/infra/notifications';
import { recordDelivered } from '@/lib/domain/metering';
import { findTeamOfContent, readExhaustedTeams } from '@/lib/domain/quotas';
import { loadMachineId, readAddresses } from '@/lib/infra/node-address';
import { createNodeSignatures, nodeSignatureHeader } from '@/lib/infra/node-signatures';
import { describeBroadcast, findChildPlayback, locateLive } from '@/lib/domain/streams';
import type { Delivery } from '@/media-worker/kit/http/answer';
import { answerWrites } from '@/media-worker/kit/http/internal-writes';
import { listenForNodes } from '@/media-worker/kit/http/listen-internal';
import { SlowReaders } from '@/media-worker/kit/http/slow-readers';
import { every } from '@/media-worker/kit/process/every';
import { announcePresence } from '@/media-worker/kit/process/presence';
import type { Lifecycle, StartRole } from '@/media-worker/kit/process/lifecycle';
import { countViewers } from '@/media-worker/delivery/origin/audience/count-viewers';
import { DeliveredCount } from '@/media-worker/delivery/origin/audience/delivered-count';
import {
  NodeFinder,
  createLocateNode,
  holdsWith,
  locationMs,
} from '@/media-worker/delivery/origin/live/find-node';
import { LiveProxy, createUpstream } from '@/media-worker/delivery/origin/live/live-proxy';
import { LiveSource } from '@/media-worker/delivery/origin/live/live-source';
import { LookupCache } from '@/media-worker/delivery/origin/lookup-cache';
import { QuotaGate } from '@/media-worker/delivery/origin/access/quota-gate';
import { serveStored } from '@/media-worker/delivery/origin/stored/serve-stored';
import { originHandler, startOrigin, type OriginOptions } from '@/media-worker/delivery/origin/server';
import { pictureUploads } from '@/media-worker/delivery/uploads/picture-uploads';
import { putUpload, deleteAbandonedPuts } from '@/media-worker/delivery/uploads/upload-put';
import { forwardTus } from '@/media-worker/delivery/uploads/forward-tus';
import { openTusUploads } from '@/media-worker/delivery/uploads/upload-tus';
import { keepAudience } from './keep-audience';
import { offerWebrtc } from './offer-webrtc';
import { gateOf, locateViewers } from './open-viewer-gate';

const sweepMs = 15_000;
const viewersMs = 5_000;
const deliveredMs = 10_000;
/** Together with the delay of writing usage, a limit takes effect within a minute. */
const quotasMs = 30_000;
const nodeLimits = { maxConnections: 2_000, requestTimeout: 0 };

/** Serves viewers, proxies live streams from their node, and receives uploads. */
export const startOriginRole: StartRole = async (ctx, lifecycle, signal) => {
  const signatures = createNodeSignatures(ctx.secrets, ctx.clock);
  const sign = (path: string) => ({ [nodeSignatureHeader]: signatures.sign({ method: 'GET', path }) });
  const upstream = createUpstream(sign, { internalTls: ctx.settings.internalTls });
  lifecycle.own('upstream connections', () => upstream.close());
  const locate = createLocateNode({
    row: (playbackId) => locateLive(ctx, playbackId),
    local: async () => (await readAddresses(ctx.settings, 'live')).filter((url) => url !== null),
    holds: holdsWith(ctx),
  });
  const nodes = findNodes(ctx, lifecycle, locate);
  const live = new LiveSource({ nodes, proxy: new LiveProxy({ fetch: upstream.fetch }) });
  const broadcasts = new LookupCache((playbackId: string) => describeBroadcast(ctx, playbackId), ctx.clock);
  const children = new LookupCache((playbackId: string) => findChildPlayback(ctx, playbackId), ctx.clock);
  const uploads = await takeUploads(ctx, lifecycle);
  const storedAnswers = await serveStored(ctx, lifecycle);
  const nodeId = newId();
  const deliveredCount = countDelivered(ctx, lifecycle, nodeId);
  const viewers = keepViewers(ctx, lifecycle, nodeId, (playbackId) => deliveredCount.recordView(playbackId));
  const { watch, watchAsset, writes, edgeReports } = viewers;
  const countryOf = locateViewers(ctx, lifecycle);
  const gate = gateOf(ctx, lifecycle, countryOf);
  const fromNodes = answerWrites(signatures, { ...writes, ...live.endedStreams.writes });
  const answerWrite = (request: IncomingMessage) => fromNodes(request) ?? edgeReports(request);
  const { host, mediaPort: port, trustedProxies, internalTls, publicTls, cdnUrl, processes } = ctx.settings;
  const quotas = keepQuotas(ctx, lifecycle);
  const onDelivery = (delivery: Delivery, bytes: number) => deliveredCount.add(delivery, bytes);
  const origin = {
    readers: new SlowReaders({ addressOf: clientAddressFrom(trustedProxies) }),
    ...{ live, broadcasts, children, uploads },
    ...storedAnswers,
    onDelivery,
    quotas,
    watch,
    watchAsset,
    guard: gate.guard,
    reports: keepAudience(ctx, lifecycle, nodeId, countryOf),
    webrtc: offerWebrtc(ctx, lifecycle, { gate, quotas, nodes, onDelivery, viewers }),
    ...{ answerWrite, log: ctx.log },
  };
  // Listen at the internal address first: other nodes may use it as soon as the public one answers.
  const internal =
    internalTls || publicTls || processes.origin > 1
      ? await listenForOrigin(ctx, lifecycle, origin)
      : undefined;
  const originMetrics = openMetrics('origin', ctx.settings, ctx.log);
  originMetrics.read([metrics.viewers], () => metrics.viewers.set(viewers.viewers()));
  const tls = publicTls && { certificate: certificateOf(publicTls), publicUrl: cdnUrl };
  const server = await startOrigin({
    ...{ host, port, trustedProxies, publicTls: tls, metrics: originMetrics },
    ...origin,
  });
  lifecycle.own('http', () => server.close());
  ctx.log.info({ port: server.port }, 'ready for viewers');
  const url = internal ?? `${originHost(ctx.settings)}:${server.port}`;
  const presence = await announcePresence(ctx, { id: nodeId, role: 'origin', url }, signal);
  lifecycle.own('node registration', () => presence.close());
};

async function takeUploads(ctx: WorkerContext, lifecycle: Lifecycle): Promise<OriginOptions['uploads']> {
  await deleteAbandonedPuts(ctx);
  const tus = openTusUploads(ctx);
  const sweep = every(sweepMs, 'upload sweep', ctx.log, () => tus.sweep());
  lifecycle.own('upload sweep', () => sweep.close());
  const machineId = await loadMachineId(ctx.settings.dataDir).catch(() => null);
  return {
    put: (request: IncomingMessage) => putUpload(ctx, request),
    ...pictureUploads(ctx),
    tus: forwardTus(ctx, machineId, tus),
  };
}

/** Exported for its test alone. */
export function findNodes(
  ctx: Pick<WorkerContext, 'settings' | 'clock' | 'log'>,
  lifecycle: Pick<Lifecycle, 'own'>,
  locate: (playbackId: string) => Promise<string | null>,
): NodeFinder {
  const undoubtedMs = () => locationMs(listener.listening);
  const nodes = new NodeFinder(locate, ctx.clock, { undoubtedMs });
  const onChange = (playbackId: string | null) =>
    playbackId === null ? nodes.doubtAll() : nodes.invalidate(playbackId);
  const listener = listen(ctx.settings.databaseUrl, 'stream_published', onChange, ctx.log);
  lifecycle.own('notifications', () => listener.close());
  return nodes;
}

/** Starts without the first reading, because the database may be unavailable. */
function keepQuotas(ctx: WorkerContext, lifecycle: Lifecycle): QuotaGate {
  const quotas = new QuotaGate({
    clock: ctx.clock,
    exhausted: () => readExhaustedTeams(ctx),
    teamOf: (id) => findTeamOfContent(ctx, id),
  });
  const refreshTimer = every(quotasMs, 'quotas', ctx.log, () => quotas.refresh());
  refreshTimer.now();
  lifecycle.own('quotas', () => refreshTimer.close());
  return quotas;
}

/** Counting continues while the database is unavailable; the last values are written at the end. */
function keepViewers(
  ctx: WorkerContext,
  lifecycle: Lifecycle,
  nodeId: string,
  onView: (playbackId: string) => void,
) {
  const viewers = countViewers(ctx, nodeId, onView);
  const sampleTimer = setInterval(() => viewers.sample(), viewersMs);
  const writeTimer = every(viewersMs, 'viewer count', ctx.log, () => viewers.write());
  lifecycle.own('viewer count', async () => {
    clearInterval(sampleTimer);
    await writeTimer.close();
    await viewers.finish();
  });
  return viewers;
}

/** Counts delivered bytes and asset views like viewers. */
function countDelivered(ctx: WorkerContext, lifecycle: Lifecycle, nodeId: string): DeliveredCount {
  const count = new DeliveredCount(ctx.clock, {
    write: (batch) => recordDelivered(ctx, { nodeId, ...batch }),
    onLoss: (loss) => ctx.log.warn(loss, 'usage of too many objects at once is lost'),
  });
  const writeTimer = every(deliveredMs, 'delivered bytes', ctx.log, () => count.flush());
  lifecycle.own('delivered bytes', async () => {
    await writeTimer.close();
    await count.flush();
  });
  return count;
}

/** Listens for other nodes on a port of its own, because the viewers' port has other TLS or is shared. @returns the address */
async function listenForOrigin(
  ctx: WorkerContext,
  lifecycle: Lifecycle,
  origin: Parameters<typeof originHandler>[0],
): Promise<string> {
  const server = await listenForNodes(ctx, 'origin', originHandler(origin), nodeLimits);
  lifecycle.own('http for other nodes', () => server.close());
  return server.url;
}

/** The host for other nodes without TLS: the internal address, unless the origin listens on a specific address. */
function originHost({ host, internalUrl }: WorkerContext['settings']): string {
  if (host === '0.0.0.0' || host === '::') return internalUrl;
  return `http://${host.includes(':') ? `[${host}]` : host}`;
}
