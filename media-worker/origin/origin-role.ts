import type { IncomingMessage } from 'node:http';
import { rm } from 'node:fs/promises';
import { newId } from '@/lib/infra/ids';
import { findRecordedSession } from '@/lib/sessions';
import { locateAsset } from '@/lib/assets';
import { locateLive } from '@/lib/streams';
import { every } from '../every';
import { takePlace } from '../presence';
import type { StartRole } from '../role';
import { NodeFinder } from './find-node';
import { LiveProxy } from './live-proxy';
import { createServeAsset } from './serve-asset';
import { startOrigin } from './server';
import { putFolder, putUpload } from './upload-put';
import { openTusUploads } from './upload-tus';
import { createUpstream } from './upstream';

const sweepMs = 60_000;

/** Serves viewers, for live streams in front of the node that has them, and takes uploads in. */
export const startOriginRole: StartRole = async (ctx, lifecycle, signal) => {
  const upstream = createUpstream();
  lifecycle.own('upstream connections', () => upstream.close());
  const nodes = new NodeFinder((playbackId) => locateLive(ctx, playbackId), ctx.clock);
  const proxy = new LiveProxy({ fetch: upstream.fetch });
  const { host, mediaPort: port } = ctx.settings;
  // What a process before this one had received by then can never be completed.
  await rm(putFolder(ctx.settings.dataDir), { recursive: true, force: true });
  const tus = openTusUploads(ctx);
  const uploads = { put: (request: IncomingMessage) => putUpload(ctx, request), tus };
  const recorded = async (sessionId: string) => (await findRecordedSession(ctx, sessionId))?.id ?? null;
  const recordings = { storage: ctx.storage, sessions: new NodeFinder(recorded, ctx.clock) };
  const locate = (playbackId: string) => locateAsset(ctx, playbackId);
  const serveAsset = createServeAsset({ storage: ctx.storage, locate });
  const folders = { uploads, recordings, serveAsset };
  const server = await startOrigin({ host, port, nodes, proxy, ...folders, log: ctx.log });
  lifecycle.own('http', () => server.close());
  ctx.log.info({ port: server.port }, 'ready for viewers');
  const url = `http://${reachable(host)}:${server.port}`;
  const place = await takePlace(ctx, { id: newId(), role: 'origin', url }, signal);
  lifecycle.own('place among the nodes', () => place.close());
  const sweep = every(sweepMs, 'sweep of uploads', ctx.log, () => tus.sweep());
  lifecycle.own('sweep of uploads', () => sweep.close());
};

/** "Every address" is no address to connect to. */
function reachable(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}
