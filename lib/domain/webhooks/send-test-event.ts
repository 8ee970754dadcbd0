import { recordAudit } from '@/lib/domain/audit';
import { transact, type TeamContext } from '@/lib/domain/context';
import { createSampleContent } from '@/lib/contract/webhooks/event-samples';
import type { WebhookLog } from '@/lib/contract/webhooks/webhook';
import type { EventName } from '@/lib/core/webhooks/events';
import { newId } from '@/lib/infra/ids';
import { notify } from '@/lib/infra/notifications';
import { currentTraceparent } from '@/lib/infra/tracing';
import { requireEnabledWebhook } from './internal';
import { serializeLog } from './read-logs';

/**
 * Delivers a sample event, marked `test: true`, to this webhook only.
 * @returns the log entry of the first attempt, without request and response until it is sent
 * @throws AppError `not_found`, `conflict` if the webhook is disabled
 */
export async function sendTestEvent(
  ctx: TeamContext,
  { id: webhookId, event: name }: { readonly id: string; readonly event: EventName },
): Promise<WebhookLog> {
  return transact(ctx, async (tx) => {
    const { teamId } = await requireEnabledWebhook(tx, webhookId);
    const { sequence, ...payload } = createSampleContent(name, teamId);
    const event = await tx.db.event.create({
      data: {
        teamId,
        name,
        test: true,
        payload,
        sequence: sequence ?? null,
        traceparent: currentTraceparent(),
      },
    });
    const deliveryId = newId();
    await tx.db.$executeRaw`
      insert into "WebhookDelivery" ("id", "eventId", "webhookId", "nextAt")
      values (${deliveryId}::uuid, ${event.id}::uuid, ${webhookId}::uuid, now())`;
    const row = await tx.db.webhookAttempt.create({
      data: { teamId, webhookId, deliveryId, event: name, attempt: 1 },
    });
    await recordAudit(tx, { action: 'webhook.tested', objectId: webhookId });
    await notify(tx.db, 'event_written', event.id);
    return serializeLog(row);
  });
}
