import { type SystemContext, transact } from '@/lib/domain/context';
import { isHealthyWith } from '@/lib/core/streams/stream-doctor';
import { activateChildStream, startOrPauseRecording } from '@/lib/domain/sessions';
import { emitHeldTargetEvents } from '@/lib/domain/streams/targets/report-target';
import { type PublishGuard, emitStreamEvent } from './internal-live';
import { emitRecordingEvent } from './recording-events';

/**
 * Marks a stream as active when the first segment of its publish can be fetched. If it was not active, emits
 * `stream.started`, then `recording.started` if a recording started, then the target events that were held back.
 * @returns whether the stream was not active before
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
        runs: publish.publishNumber,
        isActive: false,
        deletedAt: null,
        suspended: false,
      },
      data: {
        isActive: true,
        isHealthy: isHealthyWith(publish.issues),
        healthChangedAt: tx.clock.now(),
        issues: [...publish.issues],
        lastSeen: tx.clock.now(),
        eventSequence: { increment: 1 },
      },
    });
    if (!stream) return false;
    await activateChildStream(tx, stream.id);
    await emitStreamEvent(tx, 'stream.started', stream);
    await emitRecordingEvent(tx, await startOrPauseRecording(tx, stream.id, 'playable'));
    await emitHeldTargetEvents(tx, stream.id);
    return true;
  });
}

/**
 * Stores the issues of a publish on its stream. Without issues, or with hints only, the stream is healthy. Changes nothing
 * once the publish has ended or a later one has started.
 */
export async function reportIssues(
  ctx: SystemContext,
  { streamId, publishNumber, issues }: { streamId: string; publishNumber: number; issues: readonly string[] },
): Promise<void> {
  const isHealthy = isHealthyWith(issues);
  await ctx.db.$executeRaw`
    update "Stream" set "issues" = ${[...issues]}, "isHealthy" = ${isHealthy},
      "healthChangedAt" =
        case when "isHealthy" is distinct from ${isHealthy} then clock_timestamp() else "healthChangedAt" end
    where "id" = ${streamId}::uuid and "runs" = ${publishNumber} and "liveNodeId" is not null`;
}
