import { newId } from '@/lib/infra/ids';
import { locateLive } from '@/lib/streams';
import { takePlace } from '../presence';
import type { StartRole } from '../role';
import { NodeFinder } from './find-node';
import { LiveProxy } from './live-proxy';
import { startOrigin } from './server';
import { createUpstream } from './upstream';

/** Serves viewers: finds the live node of a stream and stands in front of it. */
export const startOriginRole: StartRole = async (ctx, lifecycle, signal) => {
  const upstream = createUpstream();
  lifecycle.own('upstream connections', () => upstream.close());
  const nodes = new NodeFinder((playbackId) => locateLive(ctx, playbackId), ctx.clock);
  const proxy = new LiveProxy({ fetch: upstream.fetch });
  const { host, mediaPort: port } = ctx.settings;
  const server = await startOrigin({ host, port, nodes, proxy, log: ctx.log });
  lifecycle.own('http', () => server.close());
  ctx.log.info({ port: server.port }, 'ready for viewers');
  const url = `http://${reachable(host)}:${server.port}`;
  const place = await takePlace(ctx, { id: newId(), role: 'origin', url }, signal);
  lifecycle.own('place among the nodes', () => place.close());
};

/** "Every address" is no address to connect to. */
function reachable(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}
