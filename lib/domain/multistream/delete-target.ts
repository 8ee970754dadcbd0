import { notFound } from '@/lib/core/errors';
import { recordAudit } from '@/lib/domain/audit';
import { transact, type TeamContext } from '@/lib/domain/context';
import { notifyReferringStreams, lockReferringStreams } from './internal';

/**
 * Deletes a target and the references of streams to it, in one transaction. The row is kept, marked as deleted. Live
 * streams stop sending to it.
 * @throws AppError `not_found`
 */
export async function deleteTarget(ctx: TeamContext, id: string): Promise<void> {
  const { teamId } = ctx.actor;
  await transact(ctx, async (tx) => {
    await lockReferringStreams(tx, id);
    // The row is marked before the references are read: a transaction that adds a reference locks this row, so it waits and
    // then sees the mark.
    const { count } = await tx.db.multistreamTarget.updateMany({
      where: { id, teamId, deletedAt: null },
      data: { deletedAt: ctx.clock.now() },
    });
    if (count === 0) throw notFound();
    for (const streamId of await notifyReferringStreams(tx, id))
      await recordAudit(tx, { action: 'stream.targets-changed', objectId: streamId });
    await tx.db.streamTarget.deleteMany({ where: { targetId: id } });
    await recordAudit(tx, { action: 'target.deleted', objectId: id });
  });
}
