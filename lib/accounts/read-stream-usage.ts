import type { AccountContext } from '@/lib/context';
import type { Usage } from '@/lib/contract/usage';
import { minutesOf, type Span } from './usage-span';

const most = 100;

interface StreamRow {
  readonly id: string;
  readonly name: string;
  readonly deleted: boolean;
  readonly ingested: number;
  readonly transcoded: number;
  readonly deliveredBytes: bigint;
  readonly delivered: number;
}

/**
 * Minutes of each stream in a time: of a session that began before or ended after it, the part inside. What viewers got
 * of its recordings is in what was delivered.
 */
export async function readStreamUsage(
  { db, actor }: AccountContext,
  { from, to }: Span,
): Promise<Usage['streams']> {
  const rows = await db.$queryRaw<StreamRow[]>`
    with span as (
      select ${from}::timestamp as first, ${to}::timestamp + interval '1 day' as past),
    lived as (
      select "parentId" as id, "createdAt" at time zone 'utc' as began,
        greatest("lastSeen" at time zone 'utc', "createdAt" at time zone 'utc' + interval '1 ms') as ended,
        "sourceSegmentsDuration" as ingested, "transcodedSegmentsDuration" as transcoded
      from "Session" where "userId" = ${actor.userId}::uuid and "lastSeen" >= ${from}::timestamp at time zone 'utc'),
    minutes as (
      select id, sum(ingested * share) as ingested, sum(transcoded * share) as transcoded
      from lived, span, lateral (
        select extract(epoch from least(ended, past) - greatest(began, first))
          / extract(epoch from ended - began) as share) part
      where began < past and ended > first and ingested > 0
      group by id),
    sent as (
      select "objectId" as id, sum("bytes")::bigint as bytes, sum("seconds") as seconds
      from "DeliveredDay" where "userId" = ${actor.userId}::uuid and "day" between ${from}::date and ${to}::date
      group by 1)
    select s."id", s."name", s."deletedAt" is not null as deleted,
      coalesce(ingested, 0)::float8 as ingested, coalesce(transcoded, 0)::float8 as transcoded,
      coalesce(bytes, 0) as "deliveredBytes", coalesce(seconds, 0)::float8 as delivered
    from (minutes full join sent using (id)) each
      join "Stream" s on s."id" = each.id and s."userId" = ${actor.userId}::uuid
    order by 4 desc, 6 desc, 1 limit ${most}`;
  return rows.map(({ id, name, deleted, ingested, transcoded, deliveredBytes, delivered }) => ({
    id,
    name,
    deleted,
    ingestedMinutes: minutesOf(ingested),
    transcodedMinutes: minutesOf(transcoded),
    deliveredBytes: Number(deliveredBytes),
    deliveredMinutes: minutesOf(delivered),
  }));
}
