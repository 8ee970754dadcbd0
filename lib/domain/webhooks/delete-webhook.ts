import { recordAudit } from '@/lib/domain/audit';
import { type TeamContext, transact } from '@/lib/domain/context';
import type { Webhook } from '@/lib/contract/webhooks/webhook';
import { notFound } from '@/lib/core/errors';
import { requireWebhook } from './internal';
import { serializeWebhook } from './serialize';

/**
 * Marks a webhook as deleted: it gets no more deliveries and its log is hidden. `expireWebhookLog` later removes the log and the
 * pending deliveries, which may be too many rows for one request.
 * @returns the webhook before its deletion
 * @throws AppError `not_found`
 */
export async function deleteWebhook(ctx: TeamContext, id: string): Promise<Webhook> {
  return transact(ctx, async (tx) => {
    const deletedWebhook = serializeWebhook(await requireWebhook(tx, id));
    const { count } = await tx.db.webhook.updateMany({
      where: { id, teamId: ctx.actor.teamId, deletedAt: null },
      data: { deletedAt: ctx.clock.now() },
    });
    if (count === 0) throw notFound();
    await recordAudit(tx, { action: 'webhook.deleted', objectId: id });
    return deletedWebhook;
  });
}
