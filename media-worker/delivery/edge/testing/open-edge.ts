import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { SliceCache } from '@/lib/infra/cache/slice-cache';
import { createRangeTest, createClientAddressReader } from '@/lib/infra/egress/ip-address';
import { createLogger } from '@/lib/infra/logger';
import { createEdgeName, formatVia } from '@/media-worker/kit/http/via';
import { ViewerLog } from '@/media-worker/delivery/edge/viewer-log';
import { startEdge } from '@/media-worker/delivery/edge/server';
import { Upstream } from '@/media-worker/delivery/edge/upstream';
import { createEdgeId } from './test-origin';

export interface OpenEdge {
  readonly url: string;
  readonly name: string;
  readonly viewers: ViewerLog;
  close(): Promise<void>;
}

interface EdgeOptions {
  /** Folder for cached slices. Without a folder, no slices are cached. */
  readonly folder?: string | undefined;
  readonly port?: number;
  readonly trustedRanges?: readonly string[];
  /** Timeout for the response headers of the upstream. */
  readonly responseTimeoutMs?: number;
}

/** Starts an edge with this upstream, as the edge role does. */
export async function openEdge(
  upstreamUrl: string,
  { folder, port = 0, trustedRanges = ['127.0.0.0/8'], responseTimeoutMs = 2_000 }: EdgeOptions = {},
): Promise<OpenEdge> {
  const name = createEdgeName(createEdgeId());
  const upstream = new Upstream(upstreamUrl, { responseTimeoutMs, blockingTimeoutMs: 6_000 });
  const addressOf = createClientAddressReader(trustedRanges);
  const isInTrustedRange = createRangeTest(trustedRanges);
  const viewers = new ViewerLog({ upstream, via: formatVia([name]), addressOf });
  const slices =
    folder === undefined
      ? null
      : new SliceCache({
          folder: await mkdtemp(join(folder, 'slices-')),
          maxBytes: 1024 ** 2,
          readFreeBytes: () => Promise.resolve(Infinity),
          sliceBytes: 1_000,
        });
  const isTrusted = (request: Parameters<typeof addressOf>[0]) => isInTrustedRange(addressOf(request));
  const log = createLogger('test', 'silent');
  const server = await startEdge({
    host: '127.0.0.1',
    port,
    log,
    name,
    upstream,
    slices,
    viewers,
    addressOf,
    isTrusted,
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    name,
    viewers,
    close: async () => {
      await server.close();
      upstream.close();
    },
  };
}
