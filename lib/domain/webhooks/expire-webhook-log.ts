import type { SystemContext } from '@/lib/domain/context';
import { deleteInBatches } from '@/lib/infra/db';

const RETENTION_DAYS = 30;

/**
 * Deletes the deliveries of deleted webhooks, and attempts and events older than 30 days, in batches. Events with a pending
 * delivery or an attempt are kept.
 * @returns the number of deleted rows
 */
export async function expireWebhookLog(ctx: SystemContext): Promise<number> {
  const deliveryCount = await deleteDeliveries(ctx);
  return deliveryCount + (await deleteAttempts(ctx)) + (await deleteEvents(ctx));
}

/** Deletes the deliveries of deleted webhooks, pending ones too, and, by cascade, their attempts. */
function deleteDeliveries({ db }: SystemContext): Promise<number> {
  return deleteInBatches(
    (limit) => db.$executeRaw`
      delete from "WebhookDelivery" where "id" in (
        select d."id" from "Webhook" w join "WebhookDelivery" d on d."webhookId" = w."id"
        where w."deletedAt" is not null limit ${limit})`,
  );
}

function deleteAttempts({ db }: SystemContext): Promise<number> {
  return deleteInBatches(
    (limit) => db.$executeRaw`
      delete from "WebhookAttempt" where "id" in (
        select "id" from "WebhookAttempt"
        where "createdAt" < now() - make_interval(days => ${RETENTION_DAYS}) limit ${limit})`,
  );
}

/** Deletes events and, by cascade, their deliveries. */
function deleteEvents({ db }: SystemContext): Promise<number> {
  return deleteInBatches(
    (limit) => db.$executeRaw`
      delete from "Event" where "id" in (
        select e."id" from "Event" e
        where e."createdAt" < now() - make_interval(days => ${RETENTION_DAYS})
          and not exists (
            select 1 from "WebhookDelivery" d
            left join "WebhookAttempt" a on a."deliveryId" = d."id"
            where d."eventId" = e."id" and (d."state" = 'pending' or a."id" is not null))
        limit ${limit})`,
  );
}
