import type { WorkerContext } from '@/lib/domain/context';
import { openEgress } from '@/lib/infra/egress/egress';
import { publicHosts } from '@/lib/infra/egress/own-addresses';
import type { PullClients } from '@/media-worker/ingest/pull/open-source';
import { Pulls, type PullsOptions } from '@/media-worker/ingest/pull/pulls';
import type { Lifecycle } from '@/media-worker/kit/process/lifecycle';
import { isOwnIngest } from '@/media-worker/live/multistream/own-ingest';

/** Timeout for closing the pulls: ffmpeg gets 4 s to end before it is killed. */
const CLOSE_TIMEOUT_MS = 4_500;

type PullParts = Pick<PullsOptions, 'nodeId' | 'admit' | 'drain'> & Pick<PullClients, 'sockets'>;

/** Starts the pulls of this process; null if pulls are disabled. */
export function openPulls(
  ctx: WorkerContext,
  lifecycle: Lifecycle,
  { sockets, ...parts }: PullParts,
): Pulls | null {
  const { egressAllowCidrs: allowCidrs, pullStreams } = ctx.settings;
  if (pullStreams === 0) return null;
  const egress = openEgress({ allowCidrs, ownHosts: publicHosts(ctx.settings) });
  lifecycle.own('pull sources', () => egress.close());
  const isOwn: PullClients['isOwn'] = (destination) => isOwnIngest(destination, ctx);
  const pulls = new Pulls({ ctx, ...parts, clients: { egress, sockets, isOwn } });
  lifecycle.own('pulls', () => pulls.close(), CLOSE_TIMEOUT_MS);
  return pulls;
}
