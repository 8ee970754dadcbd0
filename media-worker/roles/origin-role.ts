import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { rm } from 'node:fs/promises';
import type { WorkerContext } from '@/lib/context';
import { newId } from '@/lib/infra/ids';
import { recordDelivered } from '@/lib/metering';
import { findRecordedSession } from '@/lib/sessions';
import { findIpfsContent, locateAsset } from '@/lib/assets';
import { clientAddressFrom } from '@/lib/infra/egress/ip-address';
import { readAddress } from '@/lib/infra/node-address';
import { createNodeSignatures, nodeSignatureHeader } from '@/lib/infra/node-signatures';
import { PreviewTokens, describeBroadcast, locateLive, recordViewers } from '@/lib/streams';
import { every } from '../process/every';
import { announcePresence } from '../process/presence';
import type { Lifecycle, StartRole } from '../process/lifecycle';
import { DeliveredCount } from '@/media-worker/origin/delivered-count';
import { NodeFinder, createLocateNode, holdsWith } from '@/media-worker/origin/find-node';
import { LiveProxy, createUpstream } from '@/media-worker/origin/live-proxy';
import { LiveSource } from '@/media-worker/origin/live-source';
import { LookupCache } from '@/media-worker/origin/lookup-cache';
import { createServeAsset } from '@/media-worker/origin/serve-asset';
import { serveLogoFile } from '@/media-worker/origin/serve-logo';
import { createServeIpfs } from '@/media-worker/origin/serve-ipfs';
import { startOrigin, type OriginOptions } from '@/media-worker/origin/server';
import { putLogo } from '@/media-worker/uploads/upload-logo';
import { putFolder, putUpload } from '@/media-worker/uploads/upload-put';
import { openTusUploads } from '@/media-worker/uploads/upload-tus';
import { ViewerCount } from '@/media-worker/origin/viewer-count';
import { ViewerTokens, type WatchPlaylists, watchPlaylists } from '@/media-worker/origin/watch-playlists';

const sweepMs = 15_000;
const viewersMs = 5_000;
const deliveredMs = 10_000;

/** Serves viewers, for live streams in front of the node that has them, and takes uploads in. */
export const startOriginRole: StartRole = async (ctx, lifecycle, signal) => {
  const signatures = createNodeSignatures(ctx.secrets, ctx.clock);
  const sign = (path: string) => ({ [nodeSignatureHeader]: signatures.sign({ method: 'GET', path }) });
  const upstream = createUpstream(sign);
  lifecycle.own('upstream connections', () => upstream.close());
  const live = new LiveSource({
    nodes: new NodeFinder(
      createLocateNode({
        row: (playbackId) => locateLive(ctx, playbackId),
        local: () => readAddress(ctx.settings.dataDir, 'live'),
        holds: holdsWith(sign),
      }),
      ctx.clock,
    ),
    proxy: new LiveProxy({ fetch: upstream.fetch }),
  });
  const broadcasts = new LookupCache((playbackId: string) => describeBroadcast(ctx, playbackId), ctx.clock);
  const { host, mediaPort: port } = ctx.settings;
  // What a process before this one had received by then can never be completed.
  await rm(putFolder(ctx.settings.dataDir), { recursive: true, force: true });
  const tus = openTusUploads(ctx);
  const uploads = {
    put: (request: IncomingMessage) => putUpload(ctx, request),
    logo: (request: IncomingMessage) => putLogo(ctx, request),
    tus,
  };
  const recorded = (sessionId: string) => findRecordedSession(ctx, sessionId);
  const recordings = { storage: ctx.storage, sessions: new LookupCache(recorded, ctx.clock) };
  const locate = (playbackId: string) => locateAsset(ctx, playbackId);
  const serveAsset = createServeAsset({ storage: ctx.storage, locate });
  const serveIpfs = createServeIpfs({ storage: ctx.storage, find: (cid) => findIpfsContent(ctx, cid) });
  const nodeId = newId();
  const watch = countViewers(ctx, lifecycle, nodeId);
  const delivered = countDelivered(ctx, lifecycle, nodeId);
  const serveLogo = (path: string, headers: IncomingHttpHeaders) => serveLogoFile(ctx.storage, path, headers);
  const folders = { uploads, recordings, serveAsset, serveIpfs, serveLogo, watch, delivered };
  const server = await startOrigin({ host, port, live, broadcasts, ...folders, log: ctx.log });
  lifecycle.own('http', () => server.close());
  ctx.log.info({ port: server.port }, 'ready for viewers');
  const url = `${originHost(ctx.settings)}:${server.port}`;
  const presence = await announcePresence(ctx, { id: nodeId, role: 'origin', url }, signal);
  lifecycle.own('place among the nodes', () => presence.close());
  const sweep = every(sweepMs, 'upload sweep', ctx.log, () => tus.sweep());
  lifecycle.own('upload sweep', () => sweep.close());
};

/** Counting continues while the database is away; the last values are written at the end. */
function countViewers(ctx: WorkerContext, lifecycle: Lifecycle, nodeId: string): WatchPlaylists {
  const count = new ViewerCount(ctx.clock, (samples) => recordViewers(ctx, nodeId, samples));
  const sampling = setInterval(() => count.sample(), viewersMs);
  const writing = every(viewersMs, 'viewer count', ctx.log, () => count.flush());
  lifecycle.own('viewer count', async () => {
    clearInterval(sampling);
    await writing.close();
    count.sample();
    await count.flush();
  });
  const tokens = new ViewerTokens(ctx.secrets.derive('viewer tokens'));
  const addressOf = clientAddressFrom(ctx.settings.trustedProxies);
  return watchPlaylists({ count, tokens, previews: new PreviewTokens(ctx), addressOf });
}

/** The same with what was sent. */
function countDelivered(
  ctx: WorkerContext,
  lifecycle: Lifecycle,
  nodeId: string,
): OriginOptions['delivered'] {
  const count = new DeliveredCount(ctx.clock, (batch) => recordDelivered(ctx, { nodeId, ...batch }));
  const writing = every(deliveredMs, 'delivered bytes', ctx.log, () => count.flush());
  lifecycle.own('delivered bytes', async () => {
    await writing.close();
    await count.flush();
  });
  return (delivery, bytes) => count.add(delivery, bytes);
}

/** Where other nodes reach an origin: at the internal address, unless it listens on one other address alone. */
function originHost({ host, internalUrl }: WorkerContext['settings']): string {
  if (host === '0.0.0.0' || host === '::') return internalUrl;
  return `http://${host.includes(':') ? `[${host}]` : host}`;
}
