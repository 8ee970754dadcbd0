import type { Overview } from '@/lib/contract/accounts/overview';
import type { LiveStream } from '@/lib/contract/accounts/overview-live';
import { issueReasonsField } from '@/lib/core/reasons/reason';
import { onAirSeconds } from '@/lib/core/streams/air-state';
import { issuesOrNull } from '@/lib/core/streams/stream-doctor';
import { publicPolicyField } from '@/lib/domain/access';
import type { TeamContext } from '@/lib/domain/context';
import { listViewers } from '@/lib/domain/streams';
import type { Prisma } from '@/lib/generated/prisma/client';
import { readRows } from '@/lib/infra/db';

const MAX_LIVE_STREAMS = 12;

interface LiveRow {
  readonly id: string;
  readonly name: string;
  readonly playbackId: string;
  readonly since: Date;
  readonly sourceSegmentsDuration: number;
  readonly isHealthy: boolean | null;
  readonly issues: readonly string[];
  readonly bitrate: number | null;
  readonly viewers: number;
  readonly targets: number;
  readonly connected: number;
  readonly playbackPolicy: Prisma.JsonValue;
  /** Sums over all live streams of the team, including those beyond the limit. */
  readonly count: number;
  readonly allViewers: number;
  readonly allBitrate: number | null;
  readonly allTargets: number;
  readonly allConnected: number;
}

/**
 * SQL query for the live streams with their current bitrate, most watched first. `$2` and `$3` are the ids and the viewers of
 * watched streams. The live process takes a sample every 5 s, so samples older than 15 s are ignored.
 */
const liveStreamsSql = `
  select s."id", s."name", s."playbackId", s."isHealthy", s."issues", s."playbackPolicy", h."bitrate", t."targets", t."connected",
    coalesce(v."viewers", 0) as "viewers",
    coalesce(x."createdAt", s."lastSeen", s."createdAt") as "since",
    coalesce(x."sourceSegmentsDuration", 0) as "sourceSegmentsDuration",
    (count(*) over ())::int as "count",
    (sum(coalesce(v."viewers", 0)) over ())::int as "allViewers",
    (sum(h."bitrate") over ())::float8 as "allBitrate",
    (sum(t."targets") over ())::int as "allTargets",
    (sum(t."connected") over ())::int as "allConnected"
  from "Stream" s
  left join unnest($2::uuid[], $3::int[]) as v("streamId", "viewers") on v."streamId" = s."id"
  left join lateral (
    select "createdAt", "sourceSegmentsDuration" from "Session" where "parentId" = s."id" and "state" = 'live'
    order by "createdAt" desc limit 1) x on true
  left join lateral (
    select "bitrate" from "StreamHealth" where "streamId" = s."id" and "at" > now() - interval '15 seconds'
    order by "at" desc limit 1) h on true
  cross join lateral (
    select count(*)::int as "targets", (count(*) filter (where u."state" = 'connected'))::int as "connected"
    from "StreamTarget" a
    join "MultistreamTarget" m on m."id" = a."targetId" and not m."disabled"
    left join "TargetStatus" u
      on u."streamId" = a."streamId" and u."targetId" = a."targetId" and u."profile" = a."profile"
    where a."streamId" = s."id") t
  where s."teamId" = $1::uuid and s."isActive" and s."deletedAt" is null and s."parentId" is null
  order by "viewers" desc, "since", s."id" limit ${MAX_LIVE_STREAMS}`;

const targetsField = (connected: number, count: number) =>
  count === 0 ? {} : { targets: { connected, count } };

/** The most watched live streams of the team, and sums over all of its live streams. */
export async function readLive(ctx: TeamContext): Promise<Overview['live']> {
  const watchedStreams = await listViewers(ctx);
  const rows = await readRows<LiveRow>(ctx.db, {
    text: liveStreamsSql,
    values: [
      ctx.actor.teamId,
      watchedStreams.map(({ streamId }) => streamId),
      watchedStreams.map(({ viewers }) => viewers),
    ],
  });
  const [row] = rows;
  if (!row) return { count: 0, streams: [], lastLiveAt: await readLastLiveAt(ctx) };
  return {
    count: row.count,
    streams: rows.map(toLiveStream),
    viewers: row.allViewers,
    bitrate: row.allBitrate,
    ...targetsField(row.allConnected, row.allTargets),
  };
}

function toLiveStream(row: LiveRow): LiveStream {
  const { id, name, playbackId, since, bitrate, viewers, isHealthy, issues, connected, targets } = row;
  return {
    id,
    name,
    playbackId,
    bitrate,
    viewers,
    isHealthy,
    ...publicPolicyField(row),
    since: since.getTime(),
    onAirSeconds: onAirSeconds(row),
    issues: issuesOrNull(issues),
    ...issueReasonsField(issues),
    ...targetsField(connected, targets),
  };
}

/** When a stream of the team last received media, in Unix milliseconds; null if none has. Deleted streams count. */
async function readLastLiveAt({ db, actor }: TeamContext): Promise<number | null> {
  const [row] = await readRows<{ lastSeen: Date }>(db, {
    text: `
      select "lastSeen" from "Stream" where "teamId" = $1::uuid and "lastSeen" is not null
      order by "lastSeen" desc limit 1`,
    values: [actor.teamId],
  });
  return row?.lastSeen.getTime() ?? null;
}
