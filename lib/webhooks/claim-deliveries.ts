import type { SystemContext } from '@/lib/context';
import { laneLimits } from '@/lib/core/delivery-lanes';
import { readRows } from '@/lib/infra/db';

/** Longer than any attempt and the writing of its result take: whoever holds a delivery longer is dead. */
const leaseMs = 30_000;

/** A webhook for which something is due. */
export interface WaitingWebhook {
  readonly webhookId: string;
  readonly userId: string;
  readonly failing: boolean;
  /** The deliveries that are due longest, a few. */
  readonly deliveryIds: readonly string[];
}

/** From each webhook with pending deliveries to the next one: the index is never read as a whole. */
const waitingWebhooks = `
  with recursive hook as (
    (select "webhookId" from "WebhookDelivery" where "state" = 'pending' order by "webhookId" limit 1)
    union all
    select (
      select d."webhookId" from "WebhookDelivery" d
      where d."state" = 'pending' and d."webhookId" > h."webhookId" order by d."webhookId" limit 1)
    from hook h where h."webhookId" is not null)
  select w."id" as "webhookId", w."userId", w."failingSince" is not null as "failing", due.ids as "deliveryIds"
  from hook h
  join "Webhook" w on w."id" = h."webhookId"
  cross join lateral (
    select array_agg(first."id") as ids from (
      select d."id" from "WebhookDelivery" d
      where d."state" = 'pending' and d."webhookId" = w."id" and d."nextAt" <= now()
        and (d."lockedUntil" is null or d."lockedUntil" <= now())
      order by d."nextAt" limit $1) first) due
  where due.ids is not null`;

/**
 * Webhooks with due deliveries. However many one of them has, the others are found as fast.
 * @param most of one webhook that are listed
 */
export async function listWaiting(
  ctx: SystemContext,
  most: number = laneLimits.perWebhook,
): Promise<WaitingWebhook[]> {
  return readRows<WaitingWebhook>(ctx.db, {
    name: 'waiting-webhooks',
    text: waitingWebhooks,
    values: [most],
  });
}

/** A delivery that is this process's to send, with all it takes. */
export interface ClaimedDelivery {
  readonly id: string;
  readonly attemptId: string;
  /** Counts from 1 over all schedules. */
  readonly attempt: number;
  readonly triesBefore: number;
  /** The database's clock: the begin of this attempt, and of the first of its schedule. */
  readonly startedAt: Date;
  readonly firstAt: Date;
  readonly webhookId: string;
  readonly userId: string;
  readonly url: string;
  readonly secretSealed: Uint8Array;
  readonly secretPreviousSealed: Uint8Array | null;
  readonly failing: boolean;
  /** Why there is nobody to send to; null when there is. */
  readonly off: 'disabled' | 'deleted' | 'suspended' | null;
  readonly eventId: string;
  readonly event: string;
  readonly sequence: number | null;
  readonly test: boolean;
  readonly payload: unknown;
  readonly happenedAt: Date;
}

const claim = `
  with due as (
    select "id" from "WebhookDelivery"
    where "id" = any($1::uuid[]) and "state" = 'pending' and "nextAt" <= now()
      and ("lockedUntil" is null or "lockedUntil" <= now())
    order by "id" for no key update skip locked),
  claimed as (
    update "WebhookDelivery" d set "attempt" = "attempt" + 1, "firstAt" = coalesce("firstAt", now()),
      "lockedUntil" = now() + $2::int * interval '1 millisecond'
    from due where d."id" = due."id"
    returning d.*),
  lost as (
    update "WebhookAttempt" a set "error" = 'the service ended before the answer was known'
    from claimed c
    where a."deliveryId" = c."id" and a."attempt" < c."attempt" and a."durationMs" is null and a."error" is null),
  known as (
    select c.*, e."name", e."sequence", e."test", e."payload", e."createdAt" as "happenedAt", e."userId",
      coalesce(e."streamId"::text, e."payload" #>> '{payload,asset,id}', e."payload" #>> '{payload,task,id}') as about
    from claimed c join "Event" e on e."id" = c."eventId"),
  begun as (
    insert into "WebhookAttempt"
      ("id", "userId", "webhookId", "deliveryId", "event", "resourceId", "attempt", "createdAt")
    select gen_random_uuid(), "userId", "webhookId", "id", "name", about::uuid, "attempt", now() from known
    on conflict ("deliveryId", "attempt") do update set "error" = null
    returning "id", "deliveryId")
  select k."id", b."id" as "attemptId", k."attempt", k."triesBefore", now() as "startedAt", k."firstAt",
    k."webhookId", k."userId", w."url", w."secretSealed", w."failingSince" is not null as "failing",
    case when w."secretPreviousUntil" > now() then w."secretPreviousSealed" end as "secretPreviousSealed",
    case when w."deletedAt" is not null then 'deleted' when w."disabled" then 'disabled'
      when a."suspended" then 'suspended' end as "off",
    k."eventId", k."name" as "event", k."sequence", k."test", k."payload", k."happenedAt"
  from known k
  join begun b on b."deliveryId" = k."id"
  join "Webhook" w on w."id" = k."webhookId"
  join "Account" a on a."id" = w."userId"`;

/**
 * Takes those of the deliveries that are still due and nobody else's, and writes down that an attempt begins. Two
 * processes may ask for the same ones: each goes to one of them, and neither waits for the other.
 */
export async function claimDeliveries(
  ctx: SystemContext,
  ids: readonly string[],
  lease = leaseMs,
): Promise<ClaimedDelivery[]> {
  return readRows<ClaimedDelivery>(ctx.db, { name: 'claim-deliveries', text: claim, values: [ids, lease] });
}
