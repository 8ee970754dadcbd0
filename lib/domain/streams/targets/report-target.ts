import { transact, type SystemContext, type InTransaction } from '@/lib/domain/context';
import {
  reportHeldTargetEvents,
  refreshTargetStatus,
  stopTargetStatuses,
  writeTargetStatus,
  type StatusKey,
  type TargetStatusReport,
  type TargetStatusEvent,
} from '@/lib/domain/multistream';
import { emitEvent } from '@/lib/domain/webhooks';
import { readStreamEventFields } from '@/lib/domain/streams/stream-event-fields';

/** Status of a target of a stream, reported by the live node that sends to it. */
export interface TargetReport extends StatusKey, TargetStatusReport {
  /** The reporting live node. Its reports change nothing once it no longer holds the stream. */
  readonly nodeId: string;
}

/**
 * Stores the status of one target. The events multistream.connected, .error and .disconnected are written in the same
 * transaction, or right after `stream.started` if that was not written yet. Idempotent: a repeated report makes up for a
 * lost one.
 * @returns whether this node still holds the stream
 */
export async function reportTarget(ctx: SystemContext, report: TargetReport): Promise<boolean> {
  const { streamId, targetId, profile, nodeId, ...status } = report;
  const key = { streamId, targetId, profile };
  const { state, bitrate = 0 } = status;
  if (state === 'connected' && (await refreshTargetStatus(ctx, key, { nodeId, bitrate }))) return true;
  return transact(ctx, async (tx) => {
    // The stream is locked before the status, as everywhere, to avoid deadlocks.
    const [lockedStream] = await tx.db.$queryRaw<{ isActive: boolean }[]>`
      select "isActive" from "Stream" where "id" = ${streamId}::uuid and "liveNodeId" = ${nodeId}::uuid for no key update`;
    if (!lockedStream) return false;
    const event = await writeTargetStatus(tx, key, status, lockedStream.isActive);
    if (event) await emitTargetEvent(tx, event);
    return true;
  });
}

/** Emits the target events that were held back, when their stream becomes active, in the transaction of the caller. */
export async function emitHeldTargetEvents(
  tx: InTransaction<SystemContext>,
  streamId: string,
): Promise<void> {
  for (const event of await reportHeldTargetEvents(tx, streamId)) await emitTargetEvent(tx, event);
}

/**
 * Marks the targets of an ended publish as disconnected. Must run in the transaction that has updated the stream's row.
 */
export async function disconnectTargets(tx: InTransaction<SystemContext>, streamId: string): Promise<void> {
  for (const event of await stopTargetStatuses(tx, streamId)) await emitTargetEvent(tx, event);
}

async function emitTargetEvent(
  tx: InTransaction<SystemContext>,
  { streamId, targetId, profile, name, error }: TargetStatusEvent,
): Promise<void> {
  const target = await tx.db.multistreamTarget.findUniqueOrThrow({
    where: { id: targetId },
    select: { id: true, name: true },
  });
  const stream = await tx.db.stream.update({
    where: { id: streamId },
    data: { eventSequence: { increment: 1 } },
  });
  const reason = name === 'multistream.error' && error !== null ? { error } : {};
  const payload = { target: { ...target, profile }, ...reason };
  await emitEvent(tx, { name, ...(await readStreamEventFields(tx, stream)), payload });
}
