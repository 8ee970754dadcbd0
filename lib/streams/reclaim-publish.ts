import { transact, type SystemContext } from '@/lib/context';
import { sessionStateAfter, sessionStatesBefore } from '@/lib/core/session-state';
import { startOrResumeSession } from '@/lib/sessions';
import type { PublishGuard } from './internal-live';

/**
 * Takes a running publish back after a sweeper declared this node dead by mistake (the database was away, say).
 * Only if no other node has the stream and no other publish started.
 * @returns the session that it belongs to: a new one when its own has ended meanwhile; null when the stream is not ours
 */
export async function reclaimPublish(
  ctx: SystemContext,
  publish: PublishGuard & { readonly sessionId: string },
): Promise<{ readonly sessionId: string } | null> {
  return transact(ctx, async (tx) => {
    const [stream] = await tx.db.stream.updateManyAndReturn({
      where: { id: publish.streamId, runs: publish.run, liveNodeId: null },
      data: { liveNodeId: publish.nodeId },
    });
    if (!stream) return null;
    const { count } = await tx.db.session.updateMany({
      where: { id: publish.sessionId, state: { in: sessionStatesBefore('reclaimed') } },
      data: { state: sessionStateAfter('reclaimed') },
    });
    // What is recorded of an ended session is being made, or is made already.
    return count > 0 ? { sessionId: publish.sessionId } : startOrResumeSession(tx, stream);
  });
}
