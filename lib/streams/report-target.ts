import { transact, type SystemContext } from '@/lib/context';
import { nextTargetState, targetStatesBefore } from '@/lib/core/target-state';
import type { Transaction } from '@/lib/infra/db';
import { writeStatus, type StatusKey, type TargetFact } from './target-events';

export interface TargetReport extends StatusKey, TargetFact {
  /** The live node that sends: reports of one that no longer holds the stream change nothing. */
  readonly nodeId: string;
}

/**
 * Stores the status of one target as the live role sees it. multistream.connected, .error and .disconnected are
 * written in the same transaction, or right after `stream.started` if that has not been written yet. Reporting the
 * same status again is harmless and repairs a lost one.
 * @returns whether this node still holds the stream
 */
export async function reportTarget(ctx: SystemContext, report: TargetReport): Promise<boolean> {
  const { streamId, targetId, profile, nodeId, ...fact } = report;
  const key = { streamId, targetId, profile };
  if (fact.state === 'connected' && (await refreshed(ctx, report))) return true;
  return transact(ctx, async (tx) => {
    // The stream before the status, like everybody: no deadlocks.
    const [held] = await tx.db.$queryRaw<{ isActive: boolean }[]>`
      select "isActive" from "Stream" where "id" = ${streamId}::uuid and "liveNodeId" = ${nodeId}::uuid for no key update`;
    if (!held) return false;
    const row = await tx.db.targetStatus.findUnique({ where: { streamId_targetId_profile: key } });
    await writeStatus(tx, key, row, fact, held.isActive);
    if (fact.state === 'disconnected') await forgetUnreferenced(tx, streamId);
    return true;
  });
}

/**
 * The publish is over: nothing is sent any more, whatever the live role managed to say. Call it in the transaction
 * that has updated the stream's row.
 */
export async function disconnectTargets(
  tx: SystemContext & { readonly db: Transaction },
  streamId: string,
): Promise<void> {
  const rows = await tx.db.targetStatus.findMany({
    where: { streamId, state: { in: targetStatesBefore('stopped') } },
    orderBy: [{ targetId: 'asc' }, { profile: 'asc' }],
  });
  for (const row of rows) {
    const key = { streamId, targetId: row.targetId, profile: row.profile };
    const state = nextTargetState(row.state, 'stopped');
    if (state) await writeStatus(tx, key, row, { state }, true);
  }
  if (rows.length > 0) await forgetUnreferenced(tx, streamId);
}

/** The usual case, without the stream's lock: still connected, and receivers know it. */
async function refreshed(ctx: SystemContext, report: TargetReport): Promise<boolean> {
  const { streamId, targetId, profile, nodeId, bitrate = 0 } = report;
  const { count } = await ctx.db.targetStatus.updateMany({
    where: {
      ...{ streamId, targetId, profile, state: 'connected', told: 'multistream.connected' },
      stream: { liveNodeId: nodeId },
    },
    data: { bitrate: Math.round(bitrate) },
  });
  return count > 0;
}

/** A status of a reference that was taken away has served its purpose once its end was told. */
async function forgetUnreferenced(
  tx: SystemContext & { readonly db: Transaction },
  streamId: string,
): Promise<void> {
  await tx.db.$executeRaw`
    delete from "TargetStatus" as s where s."streamId" = ${streamId}::uuid and s."state" = 'disconnected'
      and not exists (select 1 from "StreamTarget" as t
        where t."streamId" = s."streamId" and t."targetId" = s."targetId" and t."profile" = s."profile")`;
}
