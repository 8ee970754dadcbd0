import type { WorkerContext } from '@/lib/domain/context';
import { openEgress } from '@/lib/infra/egress/egress';
import { publicHosts } from '@/lib/infra/egress/own-addresses';
import type { PullDoors } from '@/media-worker/ingest/pull/open-source';
import { Pulls, type PullsOptions } from '@/media-worker/ingest/pull/pulls';
import type { Lifecycle } from '@/media-worker/kit/process/lifecycle';
import { isOwnIngest } from '@/media-worker/live/push/own-ingest';

/** ffmpeg gets 4 s before it is killed. */
const pullsMs = 4_500;

type Parts = Pick<PullsOptions, 'nodeId' | 'admit' | 'drain'> & Pick<PullDoors, 'sockets'>;

/** Starts the pulls of this process; null if pulls are disabled. */
export function openPulls(
  ctx: WorkerContext,
  lifecycle: Lifecycle,
  { sockets, ...parts }: Parts,
): Pulls | null {
  const { egressAllowCidrs: allowCidrs, pullStreams } = ctx.settings;
  if (pullStreams === 0) return null;
  const egress = openEgress({ allowCidrs, ownHosts: publicHosts(ctx.settings) });
  lifecycle.own('pull sources', () => egress.close());
  const isOwn: PullDoors['isOwn'] = (destination) => isOwnIngest(destination, ctx);
  const pulls = new Pulls({ ctx, ...parts, doors: { egress, sockets, isOwn } });
  lifecycle.own('pulls', () => pulls.close(), pullsMs);
  return pulls;
}
