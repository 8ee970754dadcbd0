import { transact, type SystemContext } from '@/lib/context';
import { activateSession } from '@/lib/sessions';
import { emitStreamEvent, type PublishGuard } from './internal-live';

/**
 * The first segment of this publish can be fetched: the stream is active, and `stream.started` is written exactly
 * when that was news. @returns whether it was
 */
export async function markActive(
  ctx: SystemContext,
  publish: PublishGuard & { readonly issues: readonly string[] },
): Promise<boolean> {
  return transact(ctx, async (tx) => {
    const [stream] = await tx.db.stream.updateManyAndReturn({
      where: {
        id: publish.streamId,
        liveNodeId: publish.nodeId,
        runs: publish.run,
        isActive: false,
        deletedAt: null,
        suspended: false,
      },
      data: {
        isActive: true,
        isHealthy: publish.issues.length === 0,
        issues: [...publish.issues],
        lastSeen: tx.clock.now(),
        eventSequence: { increment: 1 },
      },
    });
    if (!stream) return false;
    await activateSession(tx, stream.id);
    await emitStreamEvent(tx, 'stream.started', stream);
    return true;
  });
}
