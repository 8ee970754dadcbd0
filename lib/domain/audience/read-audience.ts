import type { Context } from '@/lib/domain/context';
import { readRows } from '@/lib/infra/db';

/** Team, objects and period of the query. Times are Unix milliseconds. */
export interface AudienceScope {
  readonly teamId: string;
  /** Ids of the objects; null for all objects of the team. */
  readonly objectIds: readonly string[] | null;
  /** Stream whose encoder data is shown next to the audience. */
  readonly streamId: string | null;
  readonly from: number;
  readonly to: number;
  /** Length of a point of the charts. */
  readonly stepMs: number;
}

const periodsSql = `
  select * from "AudiencePeriod"
  where "teamId" = $1::uuid and ($2::uuid[] is null or "objectId" = any ($2)) and "startsAt" >= $3 and "startsAt" < $4`;
const valuesOf = ({ teamId, objectIds, from, to }: AudienceScope) => [
  teamId,
  objectIds,
  new Date(from),
  new Date(to),
];
/**
 * SQL expression for the start of the point that a time belongs to, in Unix milliseconds; $5 is the length of a point.
 */
const pointSql = (column: string) => `floor(extract(epoch from ${column}) * 1000 / $5::float8) * $5::float8`;

type Db = Context['db'];

interface PointRow {
  /** Start of the point. */
  readonly at: number;
  readonly views: number;
  /** Time for which viewers were present, whether or not media played. */
  readonly presentMs: number;
  readonly peak: number;
  readonly playedMs: number;
  readonly stallMs: number;
  readonly stalls: number;
  readonly stalledViews: number;
  readonly failures: number;
  /** Number of viewers who left before playback started. */
  readonly left: number;
}

/** Audience per point. `peak` is the maximum of concurrent viewers over all objects. */
export const readPoints = (db: Db, scope: AudienceScope): Promise<PointRow[]> =>
  readRows<PointRow>(db, {
    text: `
      with period_sums as (
        select "startsAt", sum("views")::int as views, sum("presentMs")::float8 as present, sum("peak")::int as peak,
          sum("playedMs")::float8 as played, sum("stallMs")::float8 as stalled, sum("stalls")::int as stalls,
          sum("stalledViews")::int as "stalledViews", sum("failures")::int as failures, sum("left")::int as left
        from (${periodsSql}) p group by 1)
      select ${pointSql('"startsAt"')} as at, sum(views)::int as views, sum(present) as "presentMs", max(peak) as peak,
        sum(played) as "playedMs", sum(stalled) as "stallMs", sum(stalls)::int as stalls,
        sum("stalledViews")::int as "stalledViews", sum(failures)::int as failures, sum("left")::int as "left"
      from period_sums group by 1 order by 1`,
    values: [...valuesOf(scope), scope.stepMs],
  });

interface RangeRow {
  readonly kind: 'startup' | 'latency';
  readonly at: number;
  /** Index of the histogram range, starting at 1. */
  readonly range: number;
  readonly count: number;
}

/**
 * Counts of views by startup time, per point, and by latency, for the whole period (`at` is 0).
 *
 * In the SQL, `i` is the index of a range and `n` its count.
 */
export const readHistograms = (db: Db, scope: AudienceScope): Promise<RangeRow[]> =>
  readRows<RangeRow>(db, {
    text: `
      with rows as (${periodsSql})
      select 'startup' as kind, ${pointSql('"startsAt"')} as at, i::int as range, sum(n)::int as count
      from rows, unnest("startupTimes") with ordinality as u(n, i) where n > 0 group by 2, 3
      union all
      select 'latency', 0, i::int, sum(n)::int
      from rows, unnest("latencies") with ordinality as u(n, i) where n > 0 group by 3`,
    values: [...valuesOf(scope), scope.stepMs],
  });

interface ShareRow {
  readonly kind: 'heights' | 'countries' | 'devices' | 'players';
  readonly name: string;
  readonly playedMs: number;
}

/** Played time by height of the video, country, device and player, largest first. */
export const readShares = (db: Db, scope: AudienceScope): Promise<ShareRow[]> =>
  readRows<ShareRow>(db, {
    text: `
      with rows as (${periodsSql}), shares as (
        select 'heights' as kind, key as name, value::text::float8 as played from rows, jsonb_each("heights")
        ${['countries', 'devices', 'players']
          .map(
            (kind) =>
              `union all select '${kind}', key, coalesce((value ->> 'playedMs')::float8, 0) from rows, jsonb_each("${kind}")`,
          )
          .join(' ')})
      select kind, name, sum(played) as "playedMs" from shares group by 1, 2 having sum(played) > 0 order by 3 desc, 2`,
    values: valuesOf(scope),
  });

interface StallRow {
  readonly objectId: string;
  /** Start of the minute. */
  readonly at: number;
  readonly cause: string;
  /** Value by which the cause was found; its unit depends on the cause. */
  readonly measure: number | null;
  readonly stalledMs: number;
  readonly stalledViews: number;
  readonly viewers: number;
}

const MAX_STALLS = 10_000;

/** Minutes in which viewers stalled, with their causes, in order. */
export const readStalls = (db: Db, scope: AudienceScope): Promise<StallRow[]> =>
  readRows<StallRow>(db, {
    text: `
      select "objectId", extract(epoch from "minute")::float8 * 1000 as at, "cause", "measure", "stallMs"::float8 as "stalledMs",
        "stalledViews", "viewers"
      from "StallMinute"
      where "teamId" = $1::uuid and ($2::uuid[] is null or "objectId" = any ($2)) and "minute" >= $3 and "minute" < $4
      order by "minute", "objectId" limit ${MAX_STALLS}`,
    values: valuesOf(scope),
  });

/** Mean bitrate of the encoder per point, in bit/s; empty unless the query is about a stream. */
export const readBitrates = (db: Db, scope: AudienceScope): Promise<{ at: number; bitrate: number }[]> =>
  scope.streamId === null
    ? Promise.resolve([])
    : readRows(db, {
        text: `
          select at, mean * case
              -- Samples come every five seconds, so a missing sample means that nothing arrived. This does not apply to
              -- points older than 11 hours, because only one sample per minute is kept after 12 hours, and to points that
              -- ended less than 15 seconds ago, because their samples may be unwritten.
              when at > extract(epoch from now() - interval '11 hours') * 1000
                and at + $4::float8 < extract(epoch from $3::timestamptz) * 1000 - 15000
              then least(1, samples * 5000 / $4::float8)
              else 1 end as bitrate
          from (
            select floor(extract(epoch from "at") * 1000 / $4::float8) * $4::float8 as at,
              avg("bitrate")::float8 as mean, count(*)::float8 as samples
            from "StreamHealth" where "streamId" = $1::uuid and "at" >= $2 and "at" < $3 group by 1) points
          order by 1`,
        values: [scope.streamId, new Date(scope.from), new Date(scope.to), scope.stepMs],
      });

interface ObjectRow {
  readonly type: 'stream' | 'session' | 'asset';
  readonly id: string;
  readonly name: string;
}

interface TopRow extends ObjectRow {
  readonly views: number;
  readonly playedMinutes: number;
}

/** SQL for the streams, sessions and assets of the team $1 whose ids are in a table. */
const objectsSql = (ids: string) => `
  select 'stream' as type, s."id", s."name" from "Stream" s join ${ids} using (id)
    where s."teamId" = $1::uuid and s."deletedAt" is null
  union all select 'session', e."id", e."name" from "Session" e join ${ids} using (id) where e."teamId" = $1::uuid
  union all select 'asset', a."id", a."name" from "Asset" a join ${ids} using (id)
    where a."teamId" = $1::uuid and a."deletedAt" is null`;

/** Streams, sessions and assets of a team by id, without deleted ones. */
export async function readObjects(
  db: Db,
  teamId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ObjectRow>> {
  if (ids.length === 0) return new Map();
  const text = `with ids as (select unnest($2::uuid[]) as id) ${objectsSql('ids')}`;
  const rows = await readRows<ObjectRow>(db, { text, values: [teamId, ids] });
  return new Map(rows.map((row) => [row.id, row]));
}

const MAX_TOP = 10;

/** Most watched streams, sessions and assets. 600 ms are a hundredth of a minute. */
export const readTop = (db: Db, scope: AudienceScope): Promise<TopRow[]> =>
  readRows<TopRow>(db, {
    text: `
      -- Deleted objects have counts for a while, so twice as many are read.
      with sums as (
        select "objectId" as id, sum("views")::int as views, sum("playedMs")::float8 as played from (${periodsSql}) p
        group by 1 order by 3 desc, 2 desc, 1 limit ${MAX_TOP * 2}),
      known as (${objectsSql('sums')})
      select k.type, k.id, k.name, s.views, round(s.played / 600) / 100 as "playedMinutes"
      from known k join sums s using (id) order by s.played desc, s.views desc, k.id, k.type limit ${MAX_TOP}`,
    values: valuesOf(scope),
  });
