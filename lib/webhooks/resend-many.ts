import { recordAudit } from '@/lib/audit';
import { transact, type AccountContext } from '@/lib/context';
import { deliveryStateAfter, deliveryStatesBefore } from '@/lib/core/delivery-state';
import { AppError } from '@/lib/core/errors';
import { notify } from '@/lib/infra/notifications';
import { enabledWebhookOf } from './internal';

/** Deliveries that one call makes due. */
const atOnce = 5_000;

/**
 * Makes deliveries due that were given up or skipped, the oldest first; each is tried like a new one.
 * @throws AppError `not_found`, `conflict` for a webhook that is switched off
 */
export async function resendFailed(ctx: AccountContext, id: string): Promise<{ resent: number }> {
  return transact(ctx, async (tx) => {
    await enabledWebhookOf(tx, id);
    const before = deliveryStatesBefore('failures_resent');
    const resent = await tx.db.$executeRaw`
      update "WebhookDelivery"
      set "state" = ${deliveryStateAfter('failures_resent')}::"DeliveryState", "nextAt" = now(), "triesBefore" = "attempt", "firstAt" = null
      where "id" in (
        select "id" from "WebhookDelivery" where "webhookId" = ${id}::uuid and "state" = any(${before}::"DeliveryState"[])
        order by "createdAt" limit ${atOnce})
        and "state" = any(${before}::"DeliveryState"[])`;
    await recordAudit(tx, { action: 'webhook.resent', objectId: id });
    await notify(tx.db, 'event_written', id);
    return { resent };
  });
}

/**
 * Makes everything due that happened from `from` to before `to` (milliseconds) and that the webhook is subscribed to.
 * @throws AppError `not_found`, `conflict` for a webhook that is switched off, `invalid` for too many events
 */
export async function replayEvents(
  ctx: AccountContext,
  { id, from, to }: { readonly id: string; readonly from: number; readonly to: number },
): Promise<{ resent: number }> {
  return transact(ctx, async (tx) => {
    const { userId, events, streamId } = await enabledWebhookOf(tx, id);
    const range = { gte: new Date(from), lt: new Date(to) };
    const where = {
      userId,
      test: false,
      createdAt: range,
      name: { in: events },
      ...(streamId === null ? {} : { streamId }),
    };
    const count = await tx.db.event.count({ where });
    if (count > atOnce) {
      const hint = `at most ${atOnce} can be resent at once: choose a shorter range`;
      throw new AppError('invalid', `to: the range holds ${count} events, and ${hint}`);
    }
    const resent = await tx.db.$executeRaw`
      insert into "WebhookDelivery" ("id", "eventId", "webhookId", "nextAt")
      select gen_random_uuid(), e."id", ${id}::uuid, now() from "Event" e
      where e."userId" = ${userId}::uuid and not e."test" and e."name" = any(${events})
        and e."createdAt" >= ${range.gte} and e."createdAt" < ${range.lt}
        and (${streamId}::uuid is null or e."streamId" = ${streamId}::uuid)
      on conflict ("eventId", "webhookId") do update
        set "state" = ${deliveryStateAfter('resent')}::"DeliveryState", "nextAt" = now(),
          "triesBefore" = "WebhookDelivery"."attempt", "firstAt" = null`;
    await recordAudit(tx, { action: 'webhook.replayed', objectId: id });
    await notify(tx.db, 'event_written', id);
    return { resent };
  });
}
