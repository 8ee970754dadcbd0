import { recordAudit } from '@/lib/audit';
import { transact, type AccountContext } from '@/lib/context';
import { notFound } from './internal';

/**
 * Deletes a webhook and its log, and cancels its pending deliveries. The
 * row stays, marked.
 * @throws AppError `not_found`
 */
export async function deleteWebhook(ctx: AccountContext, id: string): Promise<void> {
  await transact(ctx, async (tx) => {
    const { count } = await tx.db.webhook.updateMany({
      where: { id, userId: ctx.actor.userId, deletedAt: null },
      data: { deletedAt: ctx.clock.now() },
    });
    if (count === 0) throw notFound();
    await recordAudit(tx, { action: 'webhook.deleted', objectId: id });
  });
}
