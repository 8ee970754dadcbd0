import type { SystemContext } from '@/lib/domain/context';
import type { AudienceSums } from '@/lib/core/audience/audience-sums';
import { MINUTE_SECONDS } from '@/lib/core/units';

/** The counts of one object in one minute so far, from one origin process. */
export interface AudienceMinute extends AudienceSums {
  readonly teamId: string;
  readonly objectId: string;
  /** Unix milliseconds. */
  readonly startsAt: number;
}

/**
 * Writes minutes in one statement. Each minute has one writer, which writes all values of the minute each time, so that a
 * write with an unknown result can be repeated. Deleted objects and teams without reports are skipped.
 * @param nodeId id of the process, new for each start
 */
export async function recordAudience(
  { db }: SystemContext,
  nodeId: string,
  minutes: readonly AudienceMinute[],
): Promise<void> {
  if (minutes.length === 0) return;
  await db.$executeRaw`
    insert into "AudiencePeriod" (
      "objectId", "teamId", "startsAt", "seconds", "nodeId", "views", "startups", "startupMs", "left", "failures", "stalls",
      "stallMs", "playedMs", "stalledViews", "slowStalls", "edgeStalls", "overloadedMs", "viewers", "peak", "presentMs",
      "startupTimes", "latencies", "heights", "countries", "devices", "players")
    select
      m."objectId", m."teamId", to_timestamp(m."startsAt" / 1000.0), ${MINUTE_SECONDS}::int, ${nodeId}::uuid, m."views",
      m."startups", m."startupMs", m."left", m."failures", m."stalls", m."stallMs", m."playedMs", m."stalledViews",
      m."slowStalls", m."edgeStalls", m."overloadedMs", m."viewers", m."peak", m."presentMs", m."startupTimes", m."latencies", m."heights", m."countries", m."devices",
      m."players"
    from jsonb_to_recordset(${JSON.stringify(minutes)}::jsonb) as m(
      "objectId" uuid, "teamId" uuid, "startsAt" float8, "views" int, "startups" int, "startupMs" bigint, "left" int,
      "failures" int, "stalls" int, "stallMs" bigint, "playedMs" bigint, "stalledViews" int, "slowStalls" int, "edgeStalls" int, "overloadedMs" bigint, "viewers" int, "peak" int,
      "presentMs" bigint, "startupTimes" int[], "latencies" int[], "heights" jsonb, "countries" jsonb, "devices" jsonb,
      "players" jsonb)
    join "Team" t on t."id" = m."teamId" and t."viewerReports" and t."deletedAt" is null
    where exists (select from "Stream" s where s."id" = m."objectId" and s."deletedAt" is null)
      or exists (select from "Asset" a where a."id" = m."objectId" and a."deletedAt" is null)
      or exists (select from "Session" s where s."id" = m."objectId" and s."recording" <> 'deleted')
    order by m."objectId", m."startsAt"
    on conflict ("objectId", "seconds", "startsAt", "nodeId") do update set
      "views" = excluded."views", "startups" = excluded."startups", "startupMs" = excluded."startupMs",
      "left" = excluded."left", "failures" = excluded."failures", "stalls" = excluded."stalls",
      "stallMs" = excluded."stallMs", "playedMs" = excluded."playedMs", "stalledViews" = excluded."stalledViews",
      "slowStalls" = excluded."slowStalls", "edgeStalls" = excluded."edgeStalls",
      "overloadedMs" = excluded."overloadedMs", "viewers" = excluded."viewers", "peak" = excluded."peak", "presentMs" = excluded."presentMs",
      "startupTimes" = excluded."startupTimes", "latencies" = excluded."latencies", "heights" = excluded."heights",
      "countries" = excluded."countries", "devices" = excluded."devices", "players" = excluded."players"`;
}

/** Deletes the audience data of deleted objects. */
export async function deleteAudience(
  { db }: Pick<SystemContext, 'db'>,
  objectIds: readonly string[],
): Promise<void> {
  const where = { objectId: { in: [...objectIds] } };
  await db.audiencePeriod.deleteMany({ where });
  await db.stallMinute.deleteMany({ where });
}
