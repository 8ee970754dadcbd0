import type { SystemContext } from '@/lib/domain/context';
import type { Shard } from '@/lib/contract/jobs';
import { readRows } from '@/lib/infra/db';

/** A webhook with pending deliveries, and the time until the first of them is due. */
export interface PlannedWebhook {
  readonly webhookId: string;
  readonly delayMs: number;
}

/**
 * SQL query for the due time of the first pending delivery of each webhook in `hook`. It reads one delivery per webhook,
 * however many are pending.
 */
const firstDeliverySql = `
  select hook."webhookId", greatest(0, ceil(extract(epoch from first."nextAt" - now()) * 1000))::float8 as "delayMs"
  from hook
  cross join lateral (
    select d."nextAt" from "WebhookDelivery" d
    where d."state" = 'pending' and d."webhookId" = hook."webhookId" order by d."nextAt" limit 1) first`;

/** SQL query for the webhooks with pending deliveries, by a loose index scan that does not read the whole index. */
const pendingWebhooksSql = `
  with recursive hook as (
    (select "webhookId" from "WebhookDelivery" where "state" = 'pending' order by "webhookId" limit 1)
    union all
    select (
      select d."webhookId" from "WebhookDelivery" d
      where d."state" = 'pending' and d."webhookId" > h."webhookId" order by d."webhookId" limit 1)
    from hook h where h."webhookId" is not null)`;

/**
 * Lists the webhooks in `ids` that have pending deliveries, and the webhooks with a pending delivery of an event in `ids`.
 * @param ids ids of webhooks and events
 */
export async function planWebhooks(ctx: SystemContext, ids: readonly string[]): Promise<PlannedWebhook[]> {
  return readRows<PlannedWebhook>(ctx.db, {
    name: 'plan-webhooks',
    text: `
      with hook as (
        select "webhookId" from "WebhookDelivery" where "state" = 'pending' and "eventId" = any($1::uuid[])
        union select "id" from "Webhook" where "id" = any($1::uuid[]))
      ${firstDeliverySql}`,
    values: [ids],
  });
}

/**
 * Lists the webhooks of these shards that have pending deliveries, due or not. The shard of a webhook is the last hexadecimal
 * digit of its id.
 */
export async function planShards(ctx: SystemContext, shards: readonly Shard[]): Promise<PlannedWebhook[]> {
  return readRows<PlannedWebhook>(ctx.db, {
    name: 'plan-shards',
    text: `${pendingWebhooksSql} ${firstDeliverySql} where right(hook."webhookId"::text, 1) = any($1::text[])`,
    values: [shards],
  });
}

/** Lists the webhooks of all shards that have a due delivery. */
export async function planDueWebhooks(ctx: SystemContext): Promise<PlannedWebhook[]> {
  return readRows<PlannedWebhook>(ctx.db, {
    name: 'plan-due-webhooks',
    text: `${pendingWebhooksSql} ${firstDeliverySql} where first."nextAt" <= now()`,
    values: [],
  });
}
