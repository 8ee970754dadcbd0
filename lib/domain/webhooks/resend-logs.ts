import { recordAudit } from '@/lib/domain/audit';
import { type TeamContext, transact } from '@/lib/domain/context';
import type { WebhookLog } from '@/lib/contract/webhooks/webhook';
import { AppError, notFound } from '@/lib/core/errors';
import { deliveryMachine } from '@/lib/core/webhooks/delivery-state';
import { notify } from '@/lib/infra/notifications';
import { requireAttempt, requireEnabledWebhook, requireWebhook } from './internal';
import { serializeLog } from './read-logs';

interface ResentDelivery {
  readonly eventId: string;
  /** Number of previous attempts. */
  readonly attempt: number;
}

/**
 * Makes the delivery of a log entry due immediately, even if its retries have ended. While a resend is waiting, another
 * call returns the same entry.
 * @returns the log entry of the next attempt, without request and response until it is sent
 * @throws AppError `not_found`, `conflict` if the webhook is disabled
 */
export async function resendLog(
  ctx: TeamContext,
  ids: { readonly id: string; readonly logId: string },
): Promise<WebhookLog> {
  return transact(ctx, async (tx) => {
    const webhook = await requireWebhook(tx, ids.id);
    const { deliveryId, event, resourceId } = await requireAttempt(tx, ids);
    if (webhook.disabled) throw new AppError('conflict', 'the webhook is disabled: enable it first');
    // The update locks the delivery, so that concurrent resends and attempts run one after the other.
    const [delivery] = await tx.db.$queryRaw<ResentDelivery[]>`
      update "WebhookDelivery"
      set "state" = ${deliveryMachine.stateAfter('resent')}::"DeliveryState", "nextAt" = now(), "triesBefore" = "attempt", "firstAt" = null
      where "id" = ${deliveryId}::uuid
      returning "eventId", "attempt"`;
    if (!delivery) throw notFound();
    const attempt = delivery.attempt + 1;
    const waitingAttempt = await tx.db.webhookAttempt.findUnique({
      where: { deliveryId_attempt: { deliveryId, attempt } },
    });
    if (waitingAttempt) return serializeLog(waitingAttempt);
    const { id: webhookId, teamId } = webhook;
    const row = await tx.db.webhookAttempt.create({
      data: {
        teamId,
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

/** Maximum number of deliveries per call. */
const MAX_DELIVERIES_PER_CALL = 5_000;

/**
 * Makes up to 5,000 failed and skipped deliveries due, oldest first. Each gets a full retry schedule.
 * @throws AppError `not_found`, `conflict` if the webhook is disabled
 */
export async function resendFailed(ctx: TeamContext, id: string): Promise<{ resent: number }> {
  return transact(ctx, async (tx) => {
    await requireEnabledWebhook(tx, id);
    const resendableStates = deliveryMachine.statesBefore('failures_resent');
    const resent = await tx.db.$executeRaw`
      update "WebhookDelivery"
      set "state" = ${deliveryMachine.stateAfter('failures_resent')}::"DeliveryState", "nextAt" = now(), "triesBefore" = "attempt", "firstAt" = null
      where "id" in (
        select "id" from "WebhookDelivery" where "webhookId" = ${id}::uuid and "state" = any(${resendableStates}::"DeliveryState"[])
        order by "createdAt" limit ${MAX_DELIVERIES_PER_CALL})
        and "state" = any(${resendableStates}::"DeliveryState"[])`;
    await recordAudit(tx, { action: 'webhook.resent', objectId: id });
    await notify(tx.db, 'event_written', id);
    return { resent };
  });
}

/**
 * Delivers the events that the webhook is subscribed to, from `from` to before `to` (Unix milliseconds), even if they were
 * never due for this webhook.
 * @throws AppError `not_found`, `conflict` if the webhook is disabled, `invalid` for more than 5,000 events
 */
export async function replayEvents(
  ctx: TeamContext,
  { id, from, to }: { readonly id: string; readonly from: number; readonly to: number },
): Promise<{ resent: number }> {
  return transact(ctx, async (tx) => {
    const { teamId, events, streamId } = await requireEnabledWebhook(tx, id);
    const range = { gte: new Date(from), lt: new Date(to) };
    const where = {
      teamId,
      test: false,
      createdAt: range,
      name: { in: events },
      ...(streamId === null ? {} : { streamId }),
    };
    const count = await tx.db.event.count({ where });
    if (count > MAX_DELIVERIES_PER_CALL) {
      const hint = `at most ${MAX_DELIVERIES_PER_CALL} can be resent at once: choose a shorter range`;
      throw new AppError('invalid', { field: 'to', message: `the range holds ${count} events, and ${hint}` });
    }
    const resent = await tx.db.$executeRaw`
      insert into "WebhookDelivery" ("id", "eventId", "webhookId", "nextAt")
      select gen_random_uuid(), e."id", ${id}::uuid, now() from "Event" e
      where e."teamId" = ${teamId}::uuid and not e."test" and e."name" = any(${events})
        and e."createdAt" >= ${range.gte} and e."createdAt" < ${range.lt}
        and (${streamId}::uuid is null or e."streamId" = ${streamId}::uuid)
      on conflict ("eventId", "webhookId") do update
        set "state" = ${deliveryMachine.stateAfter('resent')}::"DeliveryState", "nextAt" = now(),
          "triesBefore" = "WebhookDelivery"."attempt", "firstAt" = null`;
    await recordAudit(tx, { action: 'webhook.replayed', objectId: id });
    await notify(tx.db, 'event_written', id);
    return { resent };
  });
}
