import type { SystemContext } from '@/lib/context';
import { deleteInBatches } from '@/lib/infra/db';

const keptDays = 30;

/**
 * Deletes attempts and events that are older than 30 days, a few at a time. An event stays
 * while a delivery of it is pending.
 * @returns how many rows were deleted
 */
export async function forgetOldAttempts(ctx: SystemContext): Promise<number> {
  return (await forgetAttempts(ctx)) + (await forgetEvents(ctx));
}

function forgetAttempts({ db }: SystemContext): Promise<number> {
  return deleteInBatches(
    (limit) => db.$executeRaw`
      delete from "WebhookAttempt" where "id" in (
        select "id" from "WebhookAttempt"
        where "createdAt" < now() - make_interval(days => ${keptDays}) limit ${limit})`,
  );
}

/** With their deliveries. */
function forgetEvents({ db }: SystemContext): Promise<number> {
  return deleteInBatches(
    (limit) => db.$executeRaw`
      delete from "Event" where "id" in (
        select e."id" from "Event" e
        where e."createdAt" < now() - make_interval(days => ${keptDays})
          and not exists (
            select 1 from "WebhookDelivery" d
            left join "WebhookAttempt" a on a."deliveryId" = d."id"
            where d."eventId" = e."id" and (d."state" = 'pending' or a."id" is not null))
        limit ${limit})`,
  );
}
