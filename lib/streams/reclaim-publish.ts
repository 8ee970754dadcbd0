import { transact, type SystemContext } from '@/lib/context';
import type { PublishGuard } from './internal-live';

/**
 * Takes a running publish back after a sweeper declared this node dead by mistake (the database was away, say).
 * Only when nobody else has the stream and no other publish began. @returns whether the stream is ours again
 */
export async function reclaimPublish(
  ctx: SystemContext,
  publish: PublishGuard & { readonly sessionId: string },
): Promise<boolean> {
  return transact(ctx, async (tx) => {
    const { count } = await tx.db.stream.updateMany({
      where: { id: publish.streamId, runs: publish.run, liveNodeId: null },
      data: { liveNodeId: publish.nodeId },
    });
    if (count === 0) return false;
    await tx.db.session.updateMany({
      where: { id: publish.sessionId, state: 'waiting' },
      data: { state: 'live' },
    });
    return true;
  });
}
