import { transact, type SystemContext } from '@/lib/context';
import { healthyWith } from '@/lib/core/stream-issues';
import { followStream } from '@/lib/recordings/state';
import { activateSession } from '@/lib/sessions';
import { emitStreamEvent, type PublishGuard } from './internal-live';
import { emitRecordingEvent } from './recording-events';
import { emitTargetEvents } from './report-target';

/**
 * The first segment of this publish can be fetched: the stream is active, and `stream.started` is written exactly
 * when that was news, with `recording.started` behind it when that was, and what its targets came to meanwhile. @returns whether the stream was not before
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
        isHealthy: healthyWith(publish.issues),
        issues: [...publish.issues],
        lastSeen: tx.clock.now(),
        eventSequence: { increment: 1 },
      },
    });
    if (!stream) return false;
    await activateSession(tx, stream.id);
    await emitStreamEvent(tx, 'stream.started', stream);
    await emitRecordingEvent(tx, await followStream(tx, stream.id, 'playable'));
    await emitTargetEvents(tx, stream.id);
    return true;
  });
}
