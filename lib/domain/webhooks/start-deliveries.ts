import type { SystemContext } from '@/lib/domain/context';
import { readRows } from '@/lib/infra/db';

/** Due deliveries of one webhook. */
export interface DueDeliveries {
  readonly webhookId: string;
  readonly teamId: string;
  /** Whether the last attempt of the webhook failed. */
  readonly failing: boolean;
  /** Deliveries that have been due longest, up to the limit. */
  readonly deliveries: readonly DueDelivery[];
  /** Milliseconds until the next delivery is due; null if there is none. */
  readonly nextMs: number | null;
}

export interface DueDelivery {
  readonly id: string;
  /** Number of previous attempts. */
  readonly attempt: number;
}

/** Request for the due deliveries of one webhook. */
export interface DueRequest {
  readonly webhookId: string;
  /** Maximum number of deliveries. */
  readonly limit: number;
}

/**
 * Lists the due deliveries of webhooks in one statement.
 * @param runningIds ids of deliveries to leave out, because they are running
 */
export async function listDue(
  ctx: SystemContext,
  requests: readonly DueRequest[],
  runningIds: readonly string[] = [],
): Promise<DueDeliveries[]> {
  return readRows<DueDeliveries>(ctx.db, {
    name: 'due-deliveries',
    text: `
      select w."id" as "webhookId", w."teamId", w."failingSince" is not null as "failing", due.list as "deliveries",
        ceil(extract(epoch from later."nextAt" - now()) * 1000)::float8 as "nextMs"
      from unnest($1::uuid[], $2::int[]) as request("id", "limit")
      join "Webhook" w on w."id" = request."id"
      cross join lateral (
        select coalesce(jsonb_agg(first), '[]') as list from (
          select d."id", d."attempt" from "WebhookDelivery" d
          where d."state" = 'pending' and d."webhookId" = request."id" and d."nextAt" <= now()
            and not (d."id" = any($3::uuid[]))
          order by d."nextAt" limit request."limit") first) due
      left join lateral (
        select d."nextAt" from "WebhookDelivery" d
        where d."state" = 'pending' and d."webhookId" = request."id" and d."nextAt" > now()
        order by d."nextAt" limit 1) later on true`,
    values: [requests.map(({ webhookId }) => webhookId), requests.map(({ limit }) => limit), runningIds],
  });
}

/** A started attempt with all the data that its request needs. */
export interface StartedDelivery {
  readonly id: string;
  readonly attemptId: string;
  /** Number of the attempt, from 1, over all schedules. */
  readonly attempt: number;
  /** Number of attempts before the current schedule, which restarts when a delivery is resent. */
  readonly triesBefore: number;
  /** Start of this attempt, by the clock of the database. */
  readonly startedAt: Date;
  /** Start of the first attempt of its schedule, by the clock of the database. */
  readonly firstAt: Date;
  readonly webhookId: string;
  readonly teamId: string;
  /** URL of the receiver. */
  readonly url: string;
  readonly secretSealed: Uint8Array;
  readonly secretPreviousSealed: Uint8Array | null;
  readonly failing: boolean;
  /** State of the webhook or team because of which the delivery is not sent; null if it is sent. */
  readonly blockedBy: 'disabled' | 'deleted' | 'suspended' | null;
  readonly eventId: string;
  readonly event: string;
  readonly sequence: number | null;
  readonly test: boolean;
  readonly payload: unknown;
  readonly happenedAt: Date;
  /** W3C trace context of the event's trace; null without one. */
  readonly traceparent: string | null;
}

/**
 * SQL statement that starts attempts: `due` locks the deliveries that no other process has started, `taken` counts their
 * attempts, `unfinished` completes the log entries of attempts that a crash ended, `known` adds the events, and `started`
 * writes the log entries of the new attempts.
 */
const startDeliveriesSql = `
  with due as (
    select "id" from "WebhookDelivery"
    where ("id", "attempt") in (select * from unnest($1::uuid[], $2::int[]))
      and "state" = 'pending' and "nextAt" <= now()
    order by "id" for no key update skip locked),
  taken as (
    update "WebhookDelivery" d set "attempt" = "attempt" + 1, "firstAt" = coalesce("firstAt", now())
    from due where d."id" = due."id"
    returning d.*),
  unfinished as (
    update "WebhookAttempt" a set "error" = 'the service stopped before the response was known'
    from taken c
    where a."deliveryId" = c."id" and a."attempt" < c."attempt" and a."durationMs" is null and a."error" is null),
  known as (
    select c.*, e."name", e."sequence", e."test", e."payload", e."createdAt" as "happenedAt", e."teamId", e."traceparent",
      coalesce(e."streamId"::text, e."payload" #>> '{payload,asset,id}', e."payload" #>> '{payload,task,id}') as resource
    from taken c join "Event" e on e."id" = c."eventId"),
  started as (
    insert into "WebhookAttempt"
      ("id", "teamId", "webhookId", "deliveryId", "event", "resourceId", "attempt", "createdAt")
    select gen_random_uuid(), "teamId", "webhookId", "id", "name", resource::uuid, "attempt", now() from known
    on conflict ("deliveryId", "attempt") do update set "error" = null
    returning "id", "deliveryId")
  select k."id", b."id" as "attemptId", k."attempt", k."triesBefore", now() as "startedAt", k."firstAt",
    k."webhookId", k."teamId", w."url", w."secretSealed", w."failingSince" is not null as "failing",
    case when w."secretPreviousUntil" > now() then w."secretPreviousSealed" end as "secretPreviousSealed",
    case when w."deletedAt" is not null then 'deleted' when w."disabled" then 'disabled'
      when owner."suspended" then 'suspended' end as "blockedBy",
    k."eventId", k."name" as "event", k."sequence", k."test", k."payload", k."happenedAt", k."traceparent"
  from known k
  join started b on b."deliveryId" = k."id"
  join "Webhook" w on w."id" = k."webhookId"
  join "Team" owner on owner."id" = w."teamId"`;

/**
 * Records the start of an attempt for the deliveries that are still due and have had no attempt since they were listed. The
 * attempt number is a fencing token: once a later attempt has started, an earlier attempt counts only if it was accepted.
 */
export async function startDeliveries(
  ctx: SystemContext,
  dueDeliveries: readonly DueDelivery[],
): Promise<StartedDelivery[]> {
  const values = [dueDeliveries.map(({ id }) => id), dueDeliveries.map(({ attempt }) => attempt)];
  return readRows<StartedDelivery>(ctx.db, { name: 'start-deliveries', text: startDeliveriesSql, values });
}
