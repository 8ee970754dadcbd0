import type { SystemContext } from '@/lib/domain/context';
import { deleteInBatches } from '@/lib/infra/db';

/** Data of one stream, recorded session or asset that an origin sent since the previous batch. */
export interface Delivered {
  readonly kind: 'stream' | 'session' | 'asset';
  /** Playback id of a stream, or id of a session or asset. */
  readonly id: string;
  readonly bytes: number;
  /** Seconds of media with a known duration. */
  readonly seconds: number;
  /** Bytes of media without a known duration. Their duration is estimated as their share of the whole file. */
  readonly mediaBytes: number;
}

/** Views of one asset that started since the previous batch. */
export interface AssetViews {
  readonly playbackId: string;
  readonly count: number;
}

/**
 * Deliveries and views that one origin process counted. `number` counts the batches of the process from 1; a repeated
 * number identifies the same batch.
 */
export interface DeliveredBatch {
  readonly nodeId: string;
  readonly number: number;
  /** Day in UTC, as `2026-01-31`. It is part of the batch, so that a retry after midnight counts for the same day. */
  readonly day: string;
  readonly delivered: readonly Delivered[];
  readonly views: readonly AssetViews[];
}

/**
 * Adds a batch to the days of the teams and to the totals of assets, in one statement. A batch is added only once, so that
 * a write with an unknown result can be repeated. Deleted objects are skipped, including the views of deleted assets.
 */
export async function recordDelivered({ db }: SystemContext, batch: DeliveredBatch): Promise<void> {
  const { nodeId, number, day, delivered, views } = batch;
  if (delivered.length === 0 && views.length === 0) return;
  const column = (selectValue: (entry: Delivered) => number) => delivered.map(selectValue);
  await db.$executeRaw`
    with delivered as (
      select * from unnest(
        ${delivered.map((entry) => entry.kind)}::text[], ${delivered.map(({ id }) => id)}::text[],
        ${column(({ bytes }) => bytes)}::bigint[], ${column(({ seconds }) => seconds)}::float8[],
        ${column(({ mediaBytes }) => mediaBytes)}::float8[]
      ) as u(kind, external_id, bytes, seconds, media_bytes)),
    viewed as (
      select * from unnest(
        ${views.map(({ playbackId }) => playbackId)}::text[], ${views.map(({ count }) => count)}::int[]
      ) as v(external_id, views)),
    ids as (
      select case when kind <> 'stream' then external_id::uuid end as id, * from delivered),
    known as (
      select s."teamId", s."id" as object, bytes, seconds, 0 as views
      from ids join "Stream" s on kind = 'stream' and s."playbackId" = external_id
      union all
      select s."teamId", s."parentId", bytes,
        seconds + coalesce(media_bytes / nullif(s."sourceBytes", 0) * s."sourceSegmentsDuration", 0), 0
      from ids join "Session" s on kind = 'session' and s."id" = ids.id
      union all
      select a."teamId", a."id", bytes,
        seconds + coalesce(media_bytes / nullif(a."size", 0) * (a."videoSpec" ->> 'duration')::float8, 0), 0
      from ids join "Asset" a on kind = 'asset' and a."id" = ids.id
      union all
      select a."teamId", a."id", 0, 0, viewed.views
      from viewed join "Asset" a on a."playbackId" = viewed.external_id and a."deletedAt" is null),
    sums as (
      select "teamId", object, sum(bytes) as bytes, sum(seconds) as seconds, sum(views)::int as views
      from known group by "teamId", object),
    days as (
      insert into "DeliveredDay" as d
        ("teamId", "day", "objectId", "nodeId", "bytes", "seconds", "views", "batch")
      select "teamId", ${day}::date, object, ${nodeId}::uuid, bytes, seconds, views, ${number}::int
      from sums order by "teamId", object
      on conflict ("teamId", "day", "objectId", "nodeId") do update set
        "bytes" = d."bytes" + excluded."bytes", "seconds" = d."seconds" + excluded."seconds",
        "views" = d."views" + excluded."views", "batch" = excluded."batch"
      where d."batch" < excluded."batch"
      returning "objectId"),
    -- In the same order in every origin, so that two of them never wait for each other.
    locked as (
      select "id" from "Asset" where "id" in (select "objectId" from days) order by "id" for no key update)
    update "Asset" a set
      "views" = a."views" + sums.views, "deliveredMinutes" = a."deliveredMinutes" + sums.seconds / 60
    from sums join locked on locked."id" = sums.object
    where a."id" = sums.object and (sums.views > 0 or sums.seconds > 0)`;
}

/** Retention of delivery counts, long enough to compare a month with the same month of the previous year. */
const RETENTION_DAYS = 400;

/**
 * Deletes delivery counts older than 400 days.
 * @returns the number of rows
 */
export function expireDeliveredDays({ db }: SystemContext): Promise<number> {
  return deleteInBatches(
    (limit) => db.$executeRaw`
      delete from "DeliveredDay" where ctid in (
        select ctid from "DeliveredDay"
        where "day" < (now() at time zone 'utc')::date - ${RETENTION_DAYS}::int limit ${limit})`,
  );
}
