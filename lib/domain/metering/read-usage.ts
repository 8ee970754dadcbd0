import type { TeamContext } from '@/lib/domain/context';
import type { AssetUsage, Usage } from '@/lib/contract/accounts/usage';
import { Prisma } from '@/lib/generated/prisma/client';

/** Range of days in UTC, both included, as `2026-01-31`. */
export interface Span {
  readonly from: string;
  readonly to: string;
}

/** Seconds and bytes, the columns common to all usage queries. */
interface MediaRow {
  readonly ingested: number;
  readonly transcoded: number;
  readonly deliveredBytes: bigint;
  readonly delivered: number;
}

/** Converts seconds to minutes with two decimals, which is precise enough for billing. */
export const toMinutes = (seconds: number): number => Math.round((seconds / 60) * 100) / 100;

const mediaOf = ({ ingested, transcoded, deliveredBytes, delivered }: MediaRow) => ({
  ingestedMinutes: toMinutes(ingested),
  transcodedMinutes: toMinutes(transcoded),
  deliveredBytes: Number(deliveredBytes),
  deliveredMinutes: toMinutes(delivered),
});

/** The team's sessions with media on or after the first day. */
const sessionsSql = ({ actor }: TeamContext, { from }: Span) => Prisma.sql`
  select "parentId" as stream, "createdAt" at time zone 'utc' as began,
    greatest("lastSeen" at time zone 'utc', "createdAt" at time zone 'utc' + interval '1 ms') as ended,
    "sourceSegmentsDuration" as ingested, "transcodedSegmentsDuration" as transcoded
  from "Session" where "teamId" = ${actor.teamId}::uuid and "lastSeen" >= ${from}::timestamp at time zone 'utc'`;

/** Media delivered on these days, grouped by a column of "DeliveredDay". */
const deliveredSql = (column: Prisma.Sql, { actor }: TeamContext, { from, to }: Span) => Prisma.sql`
  select ${column}, sum("bytes")::bigint as bytes, sum("seconds") as seconds
  from "DeliveredDay" where "teamId" = ${actor.teamId}::uuid and "day" between ${from}::date and ${to}::date
  group by 1`;

/** Views and delivered media of one asset per day, without the days that have neither. */
export async function readObjectDays(
  { db, actor }: TeamContext,
  objectId: string,
  { from, to }: Span,
): Promise<AssetUsage['days']> {
  const rows = await db.$queryRaw<{ date: string; views: number; bytes: bigint; seconds: number }[]>`
    select "day"::text as date, sum("views")::int as views, sum("bytes")::bigint as bytes, sum("seconds") as seconds
    from "DeliveredDay"
    where "teamId" = ${actor.teamId}::uuid and "objectId" = ${objectId}::uuid
      and "day" between ${from}::date and ${to}::date
    group by 1 order by 1`;
  return rows.map(({ date, views, bytes, seconds }) => ({
    date,
    views,
    deliveredBytes: Number(bytes),
    deliveredMinutes: toMinutes(seconds),
  }));
}

interface DayRow extends MediaRow {
  readonly date: string;
  readonly imported: number;
}

/**
 * Usage per day. A session's media is divided over its days by the time it was live on each. A task counts on the day on
 * which it ended, if it was created at most 31 days before the period: the limit keeps the query on the index by
 * "createdAt".
 */
export async function readDayUsage(ctx: TeamContext, span: Span): Promise<Usage['days']> {
  const { db, actor } = ctx;
  const { from, to } = span;
  const rows = await db.$queryRaw<DayRow[]>`
    with days as (
      select day, day + interval '1 day' as next
      from generate_series(${from}::timestamp, ${to}::timestamp, interval '1 day') as day),
    sessions as (${sessionsSql(ctx, span)}),
    session_days as (
      select day,
        sum(ingested * share) as ingested, sum(transcoded * share) as transcoded
      from days join sessions on began < next and ended >= day,
        lateral (select greatest(0, extract(epoch from least(ended, next) - greatest(began, day)))
          / extract(epoch from ended - began) as share) part
      group by day),
    task_days as (
      select date_trunc('day', t."statusUpdatedAt" at time zone 'utc') as day,
        coalesce(sum(a.seconds) filter (where t."type" = 'transcode'), 0) as transcoded,
        coalesce(sum(a.seconds) filter (where t."type" = 'import' and a.source <> 'recording'), 0) as imported
      from "Task" t join lateral (
        select ("videoSpec" ->> 'duration')::float8 as seconds, "sourceType" as source
        from "Asset" where "id" = t."outputAssetId") a on true
      where t."teamId" = ${actor.teamId}::uuid and t."phase" = 'completed'
        and t."createdAt" >= (${from}::timestamp - interval '31 days') at time zone 'utc'
      group by 1),
    delivered_days as (${deliveredSql(Prisma.sql`"day"::timestamp as day`, ctx, span)})
    select to_char(days.day, 'YYYY-MM-DD') as date, coalesce(session_days.ingested, 0)::float8 as ingested,
      (coalesce(session_days.transcoded, 0) + coalesce(task_days.transcoded, 0))::float8 as transcoded,
      coalesce(task_days.imported, 0)::float8 as imported, coalesce(delivered_days.bytes, 0) as "deliveredBytes",
      coalesce(delivered_days.seconds, 0)::float8 as delivered
    from days left join session_days using (day) left join task_days using (day) left join delivered_days using (day)
    order by days.day`;
  return rows.map(({ date, imported, ...media }) => ({
    date,
    ...mediaOf(media),
    importedMinutes: toMinutes(imported),
  }));
}

const MAX_STREAMS = 100;

interface StreamRow extends MediaRow {
  readonly id: string;
  readonly name: string;
  readonly deleted: boolean;
}

/**
 * Minutes of the 100 streams with the largest usage in a period. A session that started before or ended after the period
 * counts partially. Delivered minutes include the recordings of the stream.
 */
export async function readStreamUsage(ctx: TeamContext, span: Span): Promise<Usage['streams']> {
  const { db, actor } = ctx;
  const rows = await db.$queryRaw<StreamRow[]>`
    with span as (
      select ${span.from}::timestamp as first, ${span.to}::timestamp + interval '1 day' as next_day),
    sessions as (${sessionsSql(ctx, span)}),
    minutes as (
      select stream as id, sum(ingested * share) as ingested, sum(transcoded * share) as transcoded
      from sessions, span, lateral (
        select extract(epoch from least(ended, next_day) - greatest(began, first))
          / extract(epoch from ended - began) as share) part
      where began < next_day and ended > first and ingested > 0
      group by stream),
    delivered as (${deliveredSql(Prisma.sql`"objectId" as id`, ctx, span)})
    select s."id", s."name", s."deletedAt" is not null as deleted,
      coalesce(ingested, 0)::float8 as ingested, coalesce(transcoded, 0)::float8 as transcoded,
      coalesce(bytes, 0) as "deliveredBytes", coalesce(seconds, 0)::float8 as delivered
    from (minutes full join delivered using (id)) each
      join "Stream" s on s."id" = each.id and s."teamId" = ${actor.teamId}::uuid
    order by 4 desc, 6 desc, 1 limit ${MAX_STREAMS}`;
  return rows.map(({ id, name, deleted, ...media }) => ({ id, name, deleted, ...mediaOf(media) }));
}
