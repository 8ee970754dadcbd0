import type { SystemContext } from '@/lib/context';
import { deleteInBatches } from '@/lib/infra/db';

/** What one origin sent of one stream, recorded session or asset since the previous batch. */
export interface Delivered {
  readonly of: 'stream' | 'session' | 'asset';
  /** The playback id of a stream; otherwise an id. */
  readonly id: string;
  readonly bytes: number;
  /** Of media, where its length was known when it was sent. */
  readonly seconds: number;
  /** Bytes of other media: they count as their share of the whole file, and so of its length. */
  readonly mediaBytes: number;
}

/** Numbered by the process that counted, from 1; the same number means the same batch. */
export interface DeliveredBatch {
  readonly nodeId: string;
  readonly number: number;
  /** UTC, as `2026-01-31`: fixed with the batch, so that it stays the same when it is written again after midnight. */
  readonly day: string;
  readonly delivered: readonly Delivered[];
}

/**
 * Adds a batch to the days of the accounts, in one statement. A batch is added only once, so it can be
 * written again after an unknown result. What no longer exists is left out.
 */
export async function recordDelivered({ db }: SystemContext, batch: DeliveredBatch): Promise<void> {
  const { nodeId, number, day, delivered } = batch;
  if (delivered.length === 0) return;
  const column = (of: (each: Delivered) => number) => delivered.map(of);
  await db.$executeRaw`
    with sent as (
      select * from unnest(
        ${delivered.map((each) => each.of)}::text[], ${delivered.map(({ id }) => id)}::text[],
        ${column(({ bytes }) => bytes)}::bigint[], ${column(({ seconds }) => seconds)}::float8[],
        ${column(({ mediaBytes }) => mediaBytes)}::float8[]
      ) as u(kind, called, bytes, seconds, media)),
    ids as (
      select case when kind <> 'stream' then called::uuid end as id, * from sent),
    known as (
      select s."teamId", s."id" as object, bytes, seconds
      from ids join "Stream" s on kind = 'stream' and s."playbackId" = called
      union all
      select s."teamId", s."parentId", bytes,
        seconds + coalesce(media / nullif(s."sourceBytes", 0) * s."sourceSegmentsDuration", 0)
      from ids join "Session" s on kind = 'session' and s."id" = ids.id
      union all
      select a."teamId", a."id", bytes,
        seconds + coalesce(media / nullif(a."size", 0) * (a."videoSpec" ->> 'duration')::float8, 0)
      from ids join "Asset" a on kind = 'asset' and a."id" = ids.id)
    insert into "DeliveredDay" as d ("teamId", "day", "objectId", "nodeId", "bytes", "seconds", "batch")
    select "teamId", ${day}::date, object, ${nodeId}::uuid, sum(bytes), sum(seconds), ${number}::int
    from known group by "teamId", object order by "teamId", object
    on conflict ("teamId", "day", "objectId", "nodeId") do update set
      "bytes" = d."bytes" + excluded."bytes", "seconds" = d."seconds" + excluded."seconds",
      "batch" = excluded."batch"
    where d."batch" < excluded."batch"`;
}

/** Long enough to compare a month with the same month a year ago. */
const keptDays = 400;

/** Deletes what was delivered more than 400 days ago. @returns how many rows */
export function forgetOldDelivered({ db }: SystemContext): Promise<number> {
  return deleteInBatches(
    (limit) => db.$executeRaw`
      delete from "DeliveredDay" where ctid in (
        select ctid from "DeliveredDay"
        where "day" < (now() at time zone 'utc')::date - ${keptDays}::int limit ${limit})`,
  );
}
