import { recordAudit } from '@/lib/audit';
import { transact, type AccountContext } from '@/lib/context';
import { AppError } from '@/lib/core/errors';

/**
 * Deletes a key; the next request with it is refused.
 * @throws AppError `not_found`, also for another account's key
 */
export async function deleteApiKey(ctx: AccountContext, id: string): Promise<void> {
  await transact(ctx, async (tx) => {
    const { count } = await tx.db.apiKey.deleteMany({ where: { id, userId: ctx.actor.userId } });
    if (count === 0) throw new AppError('not_found', 'not found');
    await recordAudit(tx, { action: 'api-key.deleted', objectId: id });
  });
}
