import type { AccountContext } from '@/lib/context';
import type { Usage } from '@/lib/contract/usage';
import { minutesOf, type Span } from './usage-span';

interface DayRow {
  readonly date: string;
  readonly ingested: number;
  readonly transcoded: number;
  readonly imported: number;
  readonly deliveredBytes: bigint;
  readonly delivered: number;
}

/** A session's media is divided over its days by the time it spent in each of them. */
export async function readDayUsage(
  { db, actor }: AccountContext,
  { from, to }: Span,
): Promise<Usage['days']> {
  const rows = await db.$queryRaw<DayRow[]>`
    with days as (
      select day, day + interval '1 day' as next
      from generate_series(${from}::timestamp, ${to}::timestamp, interval '1 day') as day),
    lived as (
      select "createdAt" at time zone 'utc' as began,
        greatest("lastSeen" at time zone 'utc', "createdAt" at time zone 'utc' + interval '1 ms') as ended,
        "sourceSegmentsDuration" as ingested, "transcodedSegmentsDuration" as transcoded
      from "Session" where "userId" = ${actor.userId}::uuid and "lastSeen" >= ${from}::timestamp at time zone 'utc'),
    live as (
      select day,
        sum(ingested * share) as ingested, sum(transcoded * share) as transcoded
      from days join lived on began < next and ended >= day,
        lateral (select greatest(0, extract(epoch from least(ended, next) - greatest(began, day)))
          / extract(epoch from ended - began) as share) part
      group by day),
    made as (
      select date_trunc('day', t."statusUpdatedAt" at time zone 'utc') as day,
        coalesce(sum(a.seconds) filter (where t."type" = 'transcode'), 0) as transcoded,
        coalesce(sum(a.seconds) filter (where t."type" = 'import' and a.source <> 'recording'), 0) as imported
      from "Task" t join lateral (
        select ("videoSpec" ->> 'duration')::float8 as seconds, "sourceType" as source
        from "Asset" where "id" = t."outputAssetId") a on true
      where t."userId" = ${actor.userId}::uuid and t."phase" = 'completed'
        and t."createdAt" >= (${from}::timestamp - interval '31 days') at time zone 'utc'
      group by 1),
    sent as (
      select "day"::timestamp as day, sum("bytes")::bigint as bytes, sum("seconds") as seconds
      from "DeliveredDay" where "userId" = ${actor.userId}::uuid and "day" between ${from}::date and ${to}::date
      group by 1)
    select to_char(days.day, 'YYYY-MM-DD') as date, coalesce(live.ingested, 0)::float8 as ingested,
      (coalesce(live.transcoded, 0) + coalesce(made.transcoded, 0))::float8 as transcoded,
      coalesce(made.imported, 0)::float8 as imported, coalesce(sent.bytes, 0) as "deliveredBytes",
      coalesce(sent.seconds, 0)::float8 as delivered
    from days left join live using (day) left join made using (day) left join sent using (day)
    order by days.day`;
  return rows.map(({ date, ingested, transcoded, imported, deliveredBytes, delivered }) => ({
    date,
    ingestedMinutes: minutesOf(ingested),
    transcodedMinutes: minutesOf(transcoded),
    importedMinutes: minutesOf(imported),
    deliveredBytes: Number(deliveredBytes),
    deliveredMinutes: minutesOf(delivered),
  }));
}
