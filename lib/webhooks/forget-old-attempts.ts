import type { SystemContext } from '@/lib/context';

const keptDays = 30;
/** One statement stays short; the next turn goes on. */
const atOnce = 5_000;
const turns = 100;

/**
 * Deletes attempts and events that are older than 30 days, a few at a time (reliability §1.2 item 7). An event stays
 * while a delivery of it is pending.
 * @returns how many rows were deleted
 */
export async function forgetOldAttempts(ctx: SystemContext): Promise<number> {
  let total = 0;
  for (let turn = 0; turn < turns; turn++) {
    const deleted = (await forgetAttempts(ctx)) + (await forgetEvents(ctx));
    total += deleted;
    if (deleted < atOnce) break;
  }
  return total;
}

function forgetAttempts({ db }: SystemContext): Promise<number> {
  return db.$executeRaw`
    delete from "WebhookAttempt" where "id" in (
      select "id" from "WebhookAttempt"
      where "createdAt" < now() - make_interval(days => ${keptDays}) limit ${atOnce})`;
}

/** With their deliveries. */
function forgetEvents({ db }: SystemContext): Promise<number> {
  return db.$executeRaw`
    delete from "Event" where "id" in (
      select e."id" from "Event" e
      where e."createdAt" < now() - make_interval(days => ${keptDays})
        and not exists (
          select 1 from "WebhookDelivery" d
          left join "WebhookAttempt" a on a."deliveryId" = d."id"
          where d."eventId" = e."id" and (d."state" = 'pending' or a."id" is not null))
      limit ${atOnce})`;
}
