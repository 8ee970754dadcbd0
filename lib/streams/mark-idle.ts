import { transact, type SystemContext } from '@/lib/context';
import { endPublish, type PublishGuard } from './internal-live';

/**
 * The publish is over: the stream is idle with `stream.idle` if it was active, and belongs to no node.
 * A later publish (a higher run) is not touched. @returns whether the stream was active
 */
export async function markIdle(ctx: SystemContext, publish: PublishGuard): Promise<boolean> {
  return transact(ctx, (tx) => endPublish(tx, publish));
}
