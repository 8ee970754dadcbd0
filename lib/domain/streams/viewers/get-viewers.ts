import type { TeamContext, Context } from '@/lib/domain/context';
import type { StreamAudience, StreamViewersObject } from '@/lib/contract/streams/viewers';
import { AppError } from '@/lib/core/errors';
import { ORIGIN_SILENT_MS } from '@/lib/core/nodes/playback-home';
import { readRows } from '@/lib/infra/db';
import { requireStream } from '@/lib/domain/streams/internal';

/** Silence after which an origin counts as stopped: three missed writes, as origins write every 5 s, like heartbeats. */
const ORIGIN_SILENCE_SECONDS = ORIGIN_SILENT_MS / 1_000;
const DEFAULT_MINUTES = 60;
const MAX_MINUTES = 43_200;

/**
 * SQL query for the newest row of each running origin. Viewers of a stopped origin are counted by the origin that they
 * move to.
 */
const newestRowsSql = `
  select distinct on ("streamId", "nodeId") "streamId", "viewers"
  from "StreamViewers" v
  where "minute" > now() - interval '2 minutes' and "seenAt" > now() - make_interval(secs => ${ORIGIN_SILENCE_SECONDS})
    and exists (
      select 1 from "Node" n
      where n."id" = v."nodeId" and n."seenAt" > now() - make_interval(secs => ${ORIGIN_SILENCE_SECONDS})
    )`;
const newestFirstSql = `order by "streamId", "nodeId", "seenAt" desc`;

/**
 * Current viewers and total views of a stream, and both per minute.
 * @throws AppError `not_found`, `bad_request`
 */
export async function getViewers(
  ctx: TeamContext,
  id: string,
  query: { readonly minutes?: string },
): Promise<StreamViewersObject> {
  const minutes = Number(query.minutes ?? DEFAULT_MINUTES);
  if (minutes > MAX_MINUTES)
    throw new AppError('bad_request', { field: 'minutes', message: `must be ${MAX_MINUTES} or less` });
  const stream = await requireStream(ctx, id);
  // The current minute is divided by its elapsed part, at least 5 s: the interval at which origins write.
  const history = await readRows<{ minute: Date; viewers: number; views: number }>(ctx.db, {
    text: `
      select
        "minute", sum("views")::int as "views",
        sum("viewerSeconds") / greatest(5, least(60, extract(epoch from now() - "minute")::float8)) as "viewers"
      from "StreamViewers"
      where "streamId" = $1::uuid and "minute" > now() - make_interval(mins => $2::int)
      group by "minute" order by "minute"`,
    values: [id, minutes],
  });
  return {
    viewers: await readCurrentViewers(ctx.db, id),
    views: stream.views,
    minutes: history.map(({ minute, viewers, views }) => ({
      at: minute.getTime(),
      viewers: Math.round(viewers * 10) / 10,
      views,
    })),
  };
}

/**
 * Current viewers of a stream.
 * @param id id of the stream
 */
export async function readCurrentViewers(db: Context['db'], id: string): Promise<number> {
  const [row] = await readRows<{ viewers: number }>(db, {
    text: `select coalesce(sum("viewers"), 0)::int as "viewers" from (${newestRowsSql} and "streamId" = $1::uuid ${newestFirstSql}) n`,
    values: [id],
  });
  return row?.viewers ?? 0;
}

/** The streams of the team with current viewers, most watched first. */
export async function listViewers(ctx: TeamContext): Promise<StreamAudience[]> {
  return readRows<StreamAudience>(ctx.db, {
    text: `
      select s."id" as "streamId", s."playbackId", sum(n."viewers")::int as "viewers", s."views"
      from (${newestRowsSql} ${newestFirstSql}) n
      join "Stream" s on s."id" = n."streamId"
      where s."teamId" = $1::uuid and s."deletedAt" is null
      group by s."id" having sum(n."viewers") > 0
      order by 3 desc, 1 limit 1000`,
    values: [ctx.actor.teamId],
  });
}
