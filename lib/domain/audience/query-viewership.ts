import { DAY_MS } from '@/lib/core/units';
import type { Breakdown, Viewership, ViewershipNow } from '@/lib/contract/audience/viewership';
import { AppError } from '@/lib/core/errors';
import { ORIGIN_SILENT_MS } from '@/lib/core/nodes/playback-home';
import type { TeamContext } from '@/lib/domain/context';
import { readRows } from '@/lib/infra/db';
import { omitUndefined } from '@/lib/core/omit-undefined';

/** Filters and breakdown of the query. Without filters it covers the whole team. */
interface Filters {
  readonly playbackId?: string;
  readonly assetId?: string;
  readonly streamId?: string;
  readonly creatorId?: string;
  readonly 'breakdownBy[]'?: readonly Breakdown[];
}

interface ViewershipQuery extends Filters {
  readonly from?: string;
  readonly to?: string;
  readonly timeStep?: 'hour' | 'day' | 'week' | 'month' | 'year';
}

const MAX_DAYS = 400;
const MAX_ROWS = 10_000;

/** Column of each breakdown. The names are constants, never user input. */
const shareColumns = {
  country: 'countries',
  device: 'devices',
  deviceType: 'devices',
  browser: 'players',
} as const;

type ShareBreakdown = keyof typeof shareColumns;

/**
 * Common table expression of the team's objects. $1 is the team, $2 to $5 are filters. The playback id of a
 * recording is the id of its session.
 */
const objectsExpression = `
  objects as (
    select "id", "playbackId" as playback from "Stream"
    where "teamId" = $1::uuid and "deletedAt" is null and "parentId" is null and $3::uuid is null
      and ($2::text is null or "playbackId" = $2) and ($4::uuid is null or "id" = $4)
      and ($5::text is null or "creatorId" = $5)
    union all
    select e."id", e."id"::text from "Session" e join "Stream" s on s."id" = e."parentId"
    where e."teamId" = $1::uuid and e."recording" <> 'deleted' and $3::uuid is null
      and ($2::text is null or e."id"::text = $2) and ($4::uuid is null or s."id" = $4)
      and ($5::text is null or s."creatorId" = $5)
    union all
    select "id", "playbackId" from "Asset"
    where "teamId" = $1::uuid and "deletedAt" is null and "replacesId" is null and $4::uuid is null
      and ($2::text is null or "playbackId" = $2) and ($3::uuid is null or "id" = $3)
      and ($5::text is null or "creatorId" = $5))`;

const filterValues = ({ actor }: TeamContext, { playbackId, assetId, streamId, creatorId }: Filters) => [
  actor.teamId,
  playbackId ?? null,
  assetId ?? null,
  streamId ?? null,
  creatorId ?? null,
];

function parseBreakdown({ 'breakdownBy[]': breakdown = [] }: Filters) {
  const share = breakdown.find((dimension): dimension is ShareBreakdown => dimension !== 'playbackId');
  return {
    share,
    byPlayback: breakdown.includes('playbackId'),
    /** SQL join for the counts of each share of a period; empty without a breakdown by share. */
    shareJoin: share
      ? `cross join lateral jsonb_each(p."${shareColumns[share]}") as each(share, counts)`
      : '',
    /** SQL expression for a counter of a period, or of a share of it. */
    countExpression: (name: string) =>
      share ? `coalesce((each.counts ->> '${name}')::float8, 0)` : `p."${name}"::float8`,
  };
}

type ParsedBreakdown = ReturnType<typeof parseBreakdown>;

const groupColumns = ({ share, byPlayback }: ParsedBreakdown) =>
  `${byPlayback ? 'o.playback' : 'null::text'} as playback, ${share ? 'each.share' : 'null::text'} as share`;

function dimensionsOf(
  { share, byPlayback }: ParsedBreakdown,
  filters: Filters,
  row: { readonly playback: string | null; readonly share: string | null },
) {
  const playbackId = byPlayback ? (row.playback ?? undefined) : filters.playbackId;
  return {
    ...omitUndefined({ playbackId }),
    ...omitUndefined({ creatorId: filters.creatorId }),
    ...(share && row.share !== null ? { [share]: row.share } : {}),
  };
}

interface NowRow {
  readonly playback: string | null;
  readonly share: string | null;
  readonly viewers: number;
  readonly views: number;
  readonly failures: number;
}

/** Current viewers; empty if there are none. */
export async function getViewershipNow(ctx: TeamContext, filters: Filters): Promise<ViewershipNow[]> {
  const breakdown = parseBreakdown(filters);
  const { shareJoin, countExpression } = breakdown;
  const rows = await readRows<NowRow>(ctx.db, {
    // The newest minute of each running origin has the current viewers.
    text: `
      with ${objectsExpression},
      recent as (
        select a.*, row_number() over (partition by a."objectId", a."nodeId" order by a."startsAt" desc) = 1
          and exists (
            select from "Node" n where n."id" = a."nodeId" and n."seenAt" > now() - make_interval(secs => $6::float8)
          ) as newest
        from "AudiencePeriod" a
        where a."teamId" = $1::uuid and a."seconds" = 60 and a."startsAt" > now() - interval '2 minutes')
      select ${groupColumns(breakdown)}, sum(case when p.newest then ${countExpression('viewers')} else 0 end)::int as viewers,
        sum(${countExpression('views')}) as views, sum(${countExpression('failures')}) as failures
      from recent p join objects o on o."id" = p."objectId" ${shareJoin}
      group by 1, 2 having sum(case when p.newest then ${countExpression('viewers')} else 0 end) > 0
      order by viewers desc, 1, 2 limit ${MAX_ROWS}`,
    values: [...filterValues(ctx, filters), ORIGIN_SILENT_MS / 1_000],
  });
  return rows.map((row) => ({
    ...dimensionsOf(breakdown, filters, row),
    viewCount: row.viewers,
    errorRate: ratio(row.failures, Math.max(row.views, row.viewers)),
  }));
}

interface ViewershipRow {
  readonly playback: string | null;
  readonly share: string | null;
  readonly at: Date | null;
  readonly views: number;
  readonly playedMs: number;
  readonly startups: number;
  readonly startupMs: number;
  readonly stallMs: number;
  readonly failures: number;
  readonly left: number;
}

const summedColumns = ['views', 'playedMs', 'startups', 'startupMs', 'stallMs', 'failures', 'left'] as const;

/**
 * Viewership of a period.
 * @throws AppError `invalid` for a range that ends before it starts, or is longer than 400 days
 */
export async function getViewership(ctx: TeamContext, query: ViewershipQuery): Promise<Viewership[]> {
  const { from, to } = parseRange(query, ctx.clock.now().getTime());
  const breakdown = parseBreakdown(query);
  const { shareJoin, countExpression } = breakdown;
  const step = query.timeStep ? `date_trunc('${query.timeStep}', p."startsAt", 'UTC')` : 'null::timestamptz';
  const rows = await readRows<ViewershipRow>(ctx.db, {
    text: `
      with ${objectsExpression}
      select ${groupColumns(breakdown)}, ${step} as at,
        ${summedColumns.map((name) => `sum(${countExpression(name)}) as "${name}"`).join(', ')}
      from "AudiencePeriod" p join objects o on o."id" = p."objectId" ${shareJoin}
      where p."teamId" = $1::uuid and p."startsAt" >= $6 and p."startsAt" < $7
      group by 1, 2, 3 order by 3, "views" desc, 1, 2 limit ${MAX_ROWS}`,
    values: [...filterValues(ctx, query), new Date(from), new Date(to)],
  });
  return rows.map((row) => ({
    ...dimensionsOf(breakdown, query, row),
    ...(row.at ? { timestamp: row.at.getTime() } : {}),
    viewCount: row.views,
    // 600 ms are a hundredth of a minute.
    playtimeMins: Math.round(row.playedMs / 600) / 100,
    ...(row.startups > 0 ? { ttffMs: Math.round(row.startupMs / row.startups) } : {}),
    rebufferRatio: ratio(row.stallMs, row.stallMs + row.playedMs),
    errorRate: ratio(row.failures, row.views),
    exitsBeforeStart: Math.round(ratio(row.left, row.views) * 10_000) / 100,
  }));
}

/** A share from 0 to 1, rounded to six decimals; 0 without a total. */
const ratio = (part: number, total: number): number =>
  total === 0 ? 0 : Math.round(Math.min(1, part / total) * 1_000_000) / 1_000_000;

/** The period of a query, in Unix milliseconds; by default the last day. */
function parseRange(
  { from, to }: ViewershipQuery,
  now: number,
): { readonly from: number; readonly to: number } {
  const endMs = to === undefined ? now : parseTime(to);
  const startMs = from === undefined ? endMs - DAY_MS : parseTime(from);
  if (startMs >= endMs) throw new AppError('invalid', { field: 'from', message: 'must be before to' });
  if (endMs - startMs > MAX_DAYS * DAY_MS)
    throw new AppError('invalid', {
      field: 'from',
      message: `at most ${MAX_DAYS} days are allowed per request`,
    });
  return { from: startMs, to: endMs };
}

/** Unix milliseconds of a text with Unix milliseconds or an ISO date. */
const parseTime = (text: string): number => (/^\d+$/.test(text) ? Number(text) : Date.parse(text));
