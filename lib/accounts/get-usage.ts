import type { AccountContext } from '@/lib/context';
import type { QueryOf } from '@/lib/contract/define-endpoint';
import type { getUsage as endpoint, Usage } from '@/lib/contract/usage';
import { AppError } from '@/lib/core/errors';
import { readStreamUsage } from './read-stream-usage';
import { minutesOf, type Span } from './usage-span';

const dayMs = 24 * 3_600_000;
const usualDays = 30;
const mostDays = 366;

/**
 * What the account keeps here now, and its minutes on each day of a time (additive). Counted from the rows of sessions,
 * assets and tasks, so it is right also for what happened before anybody asked.
 * @throws AppError `invalid` for a time that ends before it begins, or is longer than a year
 */
export async function getUsage(ctx: AccountContext, query: QueryOf<typeof endpoint>): Promise<Usage> {
  const span = spanOf(query, ctx.clock.now());
  const [storage, days, streams] = await Promise.all([
    readStorage(ctx),
    readDays(ctx, span),
    readStreamUsage(ctx, span),
  ]);
  return { storage, days, streams };
}

function spanOf(query: Partial<Span>, now: Date): Span {
  const to = query.to ?? dateOf(now);
  const from = query.from ?? dateOf(new Date(Date.parse(to) - (usualDays - 1) * dayMs));
  const days = (Date.parse(to) - Date.parse(from)) / dayMs + 1;
  if (days < 1) throw new AppError('invalid', 'from: must not be after `to`');
  if (days > mostDays)
    throw new AppError('invalid', `from: at most ${mostDays} days can be asked for at once`);
  return { from, to };
}

const dateOf = (at: Date): string => at.toISOString().slice(0, 10);

/**
 * What is on the storage, without counting anything twice: the files of a finished recording are those of its asset. A
 * source counts from when it is complete, before anything is made of it.
 */
async function readStorage({ db, actor }: AccountContext): Promise<Usage['storage']> {
  const [row] = await db.$queryRaw<{ assets: bigint; recordings: bigint; deleted: bigint }[]>`
    with stored as (
      select "sourceType" = 'recording' as recorded, "deletedAt" is not null as deleted,
        greatest("storedBytes", coalesce("size", 0)) as bytes
      from "Asset" where "userId" = ${actor.userId}::uuid and "bytesRemovedAt" is null),
    unfinished as (
      select coalesce(sum("sourceBytes" + "transcodedBytes"), 0)::bigint as bytes from "Session"
      where "userId" = ${actor.userId}::uuid and "record" and "recordingRemovedAt" is null
        and "recording" in ('recording', 'waiting', 'processing', 'failed'))
    select coalesce(sum(bytes) filter (where not recorded and not deleted), 0)::bigint as assets,
      coalesce(sum(bytes) filter (where recorded and not deleted), 0)::bigint
        + (select bytes from unfinished) as recordings,
      coalesce(sum(bytes) filter (where deleted), 0)::bigint as deleted
    from stored`;
  const [assets, recordings, deleted] = [row?.assets, row?.recordings, row?.deleted].map(Number);
  if (assets === undefined || recordings === undefined || deleted === undefined) throw new Error('No sums');
  return { bytes: assets + recordings + deleted, assets, recordings, deleted };
}

interface DayRow {
  readonly date: string;
  readonly ingested: number;
  readonly transcoded: number;
  readonly imported: number;
}

/** A session's media is divided over its days by the time it spent in each of them. */
async function readDays({ db, actor }: AccountContext, { from, to }: Span): Promise<Usage['days']> {
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
      group by 1)
    select to_char(days.day, 'YYYY-MM-DD') as date, coalesce(live.ingested, 0)::float8 as ingested,
      (coalesce(live.transcoded, 0) + coalesce(made.transcoded, 0))::float8 as transcoded,
      coalesce(made.imported, 0)::float8 as imported
    from days left join live using (day) left join made using (day) order by days.day`;
  return rows.map(({ date, ingested, transcoded, imported }) => ({
    date,
    ingestedMinutes: minutesOf(ingested),
    transcodedMinutes: minutesOf(transcoded),
    importedMinutes: minutesOf(imported),
  }));
}
