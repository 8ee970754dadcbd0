import { recordAudit } from '@/lib/audit';
import { transact, type TeamContext } from '@/lib/context';
import { AppError } from '@/lib/core/errors';
import { notFound, type Tx } from './internal';

const namedStreams = 3;

/**
 * Deletes a target that no stream refers to; the row stays, marked. A target in use is rejected, so that no stream
 * loses a target unintentionally.
 * @throws AppError `not_found`, `conflict` naming streams that refer to it
 */
export async function deleteTarget(ctx: TeamContext, id: string): Promise<void> {
  const { teamId } = ctx.actor;
  await transact(ctx, async (tx) => {
    // Marked first: adding a reference waits for this row (resolve-references.ts) and then finds it deleted.
    const { count } = await tx.db.multistreamTarget.updateMany({
      where: { id, teamId, deletedAt: null },
      data: { deletedAt: ctx.clock.now() },
    });
    if (count === 0) throw notFound();
    await refuseWhileReferenced(tx, id);
    await recordAudit(tx, { action: 'target.deleted', objectId: id });
  });
}

async function refuseWhileReferenced(tx: Tx, targetId: string): Promise<void> {
  const streams = await tx.db.stream.findMany({
    where: { teamId: tx.actor.teamId, deletedAt: null, targets: { some: { targetId } } },
    select: { name: true },
    orderBy: [{ name: 'asc' }, { id: 'asc' }],
    take: namedStreams + 1,
  });
  if (streams.length === 0) return;
  const names = streams.slice(0, namedStreams).map(({ name }) => JSON.stringify(name.slice(0, 100)));
  const more = streams.length > namedStreams ? ' and others' : '';
  throw new AppError(
    'conflict',
    `the target is used by ${names.join(', ')}${more}: remove it from these streams first`,
  );
}
