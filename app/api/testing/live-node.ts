import { withoutWebrtc } from '@/media-worker/live/multistream/testing/without-webrtc';
import type { RequestListener } from 'node:http';
import { openEgressSockets } from '@/lib/infra/egress/egress-socket';
import type { Resolve } from '@/lib/infra/egress/own-addresses';
import { newId } from '@/lib/infra/ids';
import type { Logger } from '@/lib/infra/logger';
import { targetTestPath } from '@/lib/domain/nodes';
import { listenInternal } from '@/media-worker/kit/http/listen-internal';
import { TargetTests } from '@/media-worker/live/multistream/target-tests';
import type { TestApi } from './test-api';

interface LiveNodeOptions {
  readonly log?: Logger;
  readonly allowCidrs?: readonly string[];
  /** DNS resolver; by default no name exists. */
  readonly resolve?: Resolve;
}

const resolveNothing: Resolve = () =>
  Promise.reject(Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' }));
const HOUR_MS = 3_600_000;

/**
 * Starts the internal server of a live process, which only tests multistream targets. It is announced as a live node once,
 * an hour ahead, so that it needs no heartbeats.
 */
export async function startLiveNode({ services }: TestApi, options: LiveNodeOptions = {}) {
  const { log = services.log, allowCidrs = [], resolve = resolveNothing } = options;
  const targetTests = new TargetTests({
    ctx: services,
    sockets: openEgressSockets({ allowCidrs, resolve }),
    askWhip: withoutWebrtc.ask,
    limits: { connectMs: 2_000, publishMs: 60_000 },
  });
  const notFound: RequestListener = (_request, response) => void response.writeHead(404).end();
  const server = await listenInternal({ ...services, log }, 'live', notFound, {
    maxConnections: 100,
    writes: { [targetTestPath]: (body) => targetTests.answer(body) },
  });
  const id = newId();
  const { url } = server;
  const seenAt = new Date(Date.now() + HOUR_MS);
  await services.db.node.create({ data: { id, role: 'live', url, seenAt } });
  return {
    url,
    close: async () => {
      await services.db.node.deleteMany({ where: { id } });
      await server.close();
    },
  };
}
