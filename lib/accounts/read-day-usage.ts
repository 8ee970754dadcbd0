import type { AccountContext } from '@/lib/context';
import type { Usage } from '@/lib/contract/usage';
import { Prisma } from '@/lib/generated/prisma/client';
import { livedSince, mediaOf, minutesOf, sentBy, type MediaRow, type Span } from './usage-rows';

interface DayRow extends MediaRow {
  readonly date: string;
  readonly imported: number;
}

/** A session's media is split over its days by the time it was live on each. */
export async function readDayUsage(ctx: AccountContext, span: Span): Promise<Usage['days']> {
  const { db, actor } = ctx;
  const { from, to } = span;
  const rows = await db.$queryRaw<DayRow[]>`
    with days as (
      select day, day + interval '1 day' as next
      from generate_series(${from}::timestamp, ${to}::timestamp, interval '1 day') as day),
    lived as (${livedSince(ctx, span)}),
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
    sent as (${sentBy(Prisma.sql`"day"::timestamp as day`, ctx, span)})
    select to_char(days.day, 'YYYY-MM-DD') as date, coalesce(live.ingested, 0)::float8 as ingested,
      (coalesce(live.transcoded, 0) + coalesce(made.transcoded, 0))::float8 as transcoded,
      coalesce(made.imported, 0)::float8 as imported, coalesce(sent.bytes, 0) as "deliveredBytes",
      coalesce(sent.seconds, 0)::float8 as delivered
    from days left join live using (day) left join made using (day) left join sent using (day)
    order by days.day`;
  return rows.map(({ date, imported, ...media }) => ({
    date,
    ...mediaOf(media),
    importedMinutes: minutesOf(imported),
  }));
}
