import { recordAudit } from '@/lib/audit';
import { transact, type AccountContext } from '@/lib/context';
import type { WebhookLog } from '@/lib/contract/webhook';
import { deliveryStateAfter } from '@/lib/core/delivery-state';
import { AppError } from '@/lib/core/errors';
import { notify } from '@/lib/infra/notifications';
import { attemptOf, notFound, webhookOf } from './internal';
import { serializeLog } from './serialize-log';

interface DueDelivery {
  readonly eventId: string;
  /** How many attempts were begun. */
  readonly attempt: number;
}

/**
 * Makes the delivery behind a log entry due now, also when its retries are over, and answers with the entry
 * that the next attempt will fill. The entry exists before
 * anything is sent, so it has neither request nor response yet. While one waits, asking again changes nothing.
 * @throws AppError `not_found`, `conflict` for a webhook that is switched off
 */
export async function resendLog(
  ctx: AccountContext,
  ids: { readonly id: string; readonly logId: string },
): Promise<WebhookLog> {
  return transact(ctx, async (tx) => {
    const webhook = await webhookOf(tx, ids.id);
    const { deliveryId, event, resourceId } = await attemptOf(tx, ids);
    if (webhook.disabled) throw new AppError('conflict', 'the webhook is disabled: enable it first');
    // The update locks the delivery: two resends, or a resend and an attempt, come one after the other.
    const [delivery] = await tx.db.$queryRaw<DueDelivery[]>`
      update "WebhookDelivery"
      set "state" = ${deliveryStateAfter('resent')}::"DeliveryState", "nextAt" = now(), "triesBefore" = "attempt", "firstAt" = null
      where "id" = ${deliveryId}::uuid
      returning "eventId", "attempt"`;
    if (!delivery) throw notFound();
    const attempt = delivery.attempt + 1;
    const waiting = await tx.db.webhookAttempt.findUnique({
      where: { deliveryId_attempt: { deliveryId, attempt } },
    });
    if (waiting) return serializeLog(waiting);
    const { id: webhookId, userId } = webhook;
    const row = await tx.db.webhookAttempt.create({
      data: {
        userId,
        webhookId,
        deliveryId,
        event,
        resourceId,
        attempt,
        createdAt: ctx.clock.now(),
      },
    });
    await recordAudit(tx, { action: 'webhook.resent', objectId: webhookId });
    await notify(tx.db, 'event_written', delivery.eventId);
    return serializeLog(row);
  });
}
