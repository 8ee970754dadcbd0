import { playbackPolicyOf } from '@/lib/domain/access';
import type { TeamContext } from '@/lib/domain/context';
import type { LiveStream, Overview } from '@/lib/contract/accounts/overview';
import { onAirSeconds } from '@/lib/core/streams/air-state';
import { issuesOrNull } from '@/lib/core/streams/stream-doctor';
import type { Prisma } from '@/lib/generated/prisma/client';
import { readRows } from '@/lib/infra/db';
import { getDayUsage } from '@/lib/domain/metering';
import { listViewers } from '@/lib/domain/streams';
import { readOpenProblems } from './read-open-problems';
import { readComing } from './read-coming';
import { issueReasonsField } from '@/lib/core/reasons/reason';

const MAX_LIVE_STREAMS = 12;

/** Content of the home page: live streams, problems, and the numbers of the current day (UTC). */
export async function getOverview(ctx: TeamContext): Promise<Overview> {
  const date = ctx.clock.now().toISOString().slice(0, 10);
  const [live, attention, upcoming, usage, views, setup] = await Promise.all([
    readLive(ctx),
    readOpenProblems(ctx),
    readComing(ctx),
    getDayUsage(ctx, date),
    countViews(ctx, date),
    readSetup(ctx),
  ]);
  const today = usage.day;
  return {
    live,
    attention,
    coming: upcoming,
    today: {
      date,
      ingestedMinutes: today?.ingestedMinutes ?? 0,
      deliveredMinutes: today?.deliveredMinutes ?? 0,
      deliveredBytes: today?.deliveredBytes ?? 0,
      views,
    },
    storedBytes: usage.storage.bytes,
    setup,
  };
}

interface LiveRow {
  readonly id: string;
  readonly name: string;
  readonly playbackId: string;
  readonly since: Date;
  readonly sourceSegmentsDuration: number;
  readonly isHealthy: boolean | null;
  readonly issues: readonly string[];
  readonly bitrate: number | null;
  readonly count: number;
  readonly playbackPolicy: Prisma.JsonValue;
}

/**
 * SQL query for the live streams with their current bitrate. The live process takes a sample every 5 s, so samples older
 * than 15 s are ignored.
 */
const liveStreamsSql = `
  select s."id", s."name", s."playbackId", s."isHealthy", s."issues", s."playbackPolicy", h."bitrate",
    coalesce(x."createdAt", s."lastSeen", s."createdAt") as "since",
    coalesce(x."sourceSegmentsDuration", 0) as "sourceSegmentsDuration", (count(*) over ())::int as "count"
  from "Stream" s
  left join lateral (
    select "createdAt", "sourceSegmentsDuration" from "Session" where "parentId" = s."id" and "state" = 'live'
    order by "createdAt" desc limit 1) x on true
  left join lateral (
    select "bitrate" from "StreamHealth" where "streamId" = s."id" and "at" > now() - interval '15 seconds'
    order by "at" desc limit 1) h on true
  where s."teamId" = $1::uuid and s."isActive" and s."deletedAt" is null and s."parentId" is null
  order by "since", s."id" limit ${MAX_LIVE_STREAMS}`;

async function readLive(ctx: TeamContext): Promise<Overview['live']> {
  const [rows, viewerRows] = await Promise.all([
    readRows<LiveRow>(ctx.db, { text: liveStreamsSql, values: [ctx.actor.teamId] }),
    listViewers(ctx),
  ]);
  const viewers = new Map(viewerRows.map((row) => [row.streamId, row.viewers]));
  const streams = rows.map(
    ({ id, name, playbackId, since, bitrate, isHealthy, issues, ...row }): LiveStream => ({
      id,
      name,
      playbackId,
      bitrate,
      isHealthy,
      ...playbackPolicyOf(row),
      since: since.getTime(),
      onAirSeconds: onAirSeconds(row),
      issues: issuesOrNull(issues),
      ...issueReasonsField(issues),
      viewers: viewers.get(id) ?? 0,
    }),
  );
  return { count: rows[0]?.count ?? 0, streams };
}

async function countViews(ctx: TeamContext, date: string): Promise<number> {
  const [row] = await readRows<{ views: number }>(ctx.db, {
    text: `
      select coalesce(sum(v."views"), 0)::int as "views" from "StreamViewers" v
      join "Stream" s on s."id" = v."streamId"
      where s."teamId" = $1::uuid and v."minute" >= $2::timestamp at time zone 'utc'`,
    values: [ctx.actor.teamId, date],
  });
  return row?.views ?? 0;
}

/** Completed setup steps. Deleted objects count, so that a completed step stays completed. */
async function readSetup(ctx: TeamContext): Promise<Overview['setup']> {
  const [row] = await readRows<Overview['setup']>(ctx.db, {
    text: `
      select
        exists (select from "Stream" where "teamId" = $1::uuid) as "streamCreated",
        exists (select from "Stream" where "teamId" = $1::uuid and "lastSeen" is not null) as "videoReceived"`,
    values: [ctx.actor.teamId],
  });
  if (!row) throw new Error('No row from a select without a table');
  return row;
}
