import type { PublishEndCause } from '@/lib/core/sessions/session-ends';
import { type InTransaction, type SystemContext, transact } from '@/lib/domain/context';
import { startOrPauseRecording, startReconnectWindow } from '@/lib/domain/sessions';
import { disconnectTargets } from '@/lib/domain/streams/targets/report-target';
import { Prisma } from '@/lib/generated/prisma/client';
import { type PublishGuard, emitStreamEvent } from './internal-live';
import { emitRecordingEvent } from './recording-events';

/** Columns of a stream whose health is unknown, because it is not live. */
const noHealthColumns = { isHealthy: null, issues: [], healthChangedAt: null, warnedAt: null };

/**
 * Ends the publish of a stream: the stream becomes idle, with an event if it was active, and has no node, no connected
 * targets and no issues; its session waits. The reason of a rejected publish is kept. A later publish (with a higher number) is
 * not changed.
 * @returns whether the stream was active
 */
export async function endPublish(
  tx: InTransaction<SystemContext>,
  { streamId, nodeId, publishNumber }: PublishGuard,
  cause: PublishEndCause,
): Promise<boolean> {
  const publishFilter = { id: streamId, liveNodeId: nodeId, runs: publishNumber };
  const releasedColumns = { liveNodeId: null, program: Prisma.DbNull };
  const [stream] = await tx.db.stream.updateManyAndReturn({
    where: { ...publishFilter, isActive: true },
    data: { ...releasedColumns, ...noHealthColumns, isActive: false, eventSequence: { increment: 1 } },
  });
  if (stream) {
    await emitStreamEvent(tx, 'stream.idle', stream);
    await emitRecordingEvent(tx, await startOrPauseRecording(tx, streamId, 'idle'));
  } else {
    const { count } = await tx.db.stream.updateMany({ where: publishFilter, data: releasedColumns });
    if (count === 0) return false;
  }
  await disconnectTargets(tx, streamId);
  await startReconnectWindow(tx, streamId);
  tx.log.info({ streamId, cause }, 'publish ended');
  return stream !== undefined;
}

/**
 * Ends a publish in its own transaction (`endPublish`).
 * @returns whether the stream was active
 */
export async function markIdle(
  ctx: SystemContext,
  publish: PublishGuard,
  cause: PublishEndCause = 'encoder_gone',
): Promise<boolean> {
  return transact(ctx, (tx) => endPublish(tx, publish, cause));
}
