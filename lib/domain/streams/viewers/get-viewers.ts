import type { TeamContext, Context } from '@/lib/domain/context';
import type { StreamAudience, StreamViewersObject } from '@/lib/contract/streams/viewers';
import { AppError } from '@/lib/core/errors';
import { ORIGIN_SILENT_MS } from '@/lib/core/nodes/playback-home';
import { readRows } from '@/lib/infra/db';
import { streamOf } from '@/lib/domain/streams/internal';

/** Three missed writes: origins write every 5 s, as often as they send heartbeats. */
const freshSeconds = ORIGIN_SILENT_MS / 1_000;
const defaultMinutes = 60;
const maxMinutes = 43_200;

/**
 * SQL query for the newest row of each running origin. Viewers of a stopped origin are counted by the origin that they
 * move to.
 */
const newestRows = `
  select distinct on ("streamId", "nodeId") "streamId", "viewers"
  from "StreamViewers" v
  where "minute" > now() - interval '2 minutes' and "seenAt" > now() - make_interval(secs => ${freshSeconds})
    and exists (
      select 1 from "Node" n
      where n."id" = v."nodeId" and n."seenAt" > now() - make_interval(secs => ${freshSeconds})
    )`;
const newestFirst = `order by "streamId", "nodeId", "seenAt" desc`;

/** Current viewers and total views of a stream, and both per minute. @throws AppError `not_found`, `bad_request` */
export async function getViewers(
  ctx: TeamContext,
  id: string,
  query: { readonly minutes?: string },
): Promise<StreamViewersObject> {
  const minutes = Number(query.minutes ?? defaultMinutes);
  if (minutes > maxMinutes)
    throw new AppError('bad_request', { field: 'minutes', message: `must be ${maxMinutes} or less` });
  const stream = await streamOf(ctx, id);
  // The current minute is divided by its elapsed part.
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
    viewers: await viewersNow(ctx.db, id),
    views: stream.views,
    minutes: history.map(({ minute, viewers, views }) => ({
      at: minute.getTime(),
      viewers: Math.round(viewers * 10) / 10,
      views,
    })),
  };
}

/** Current viewers of a stream. @param id id of the stream */
export async function viewersNow(db: Context['db'], id: string): Promise<number> {
  const [present] = await readRows<{ viewers: number }>(db, {
    text: `select coalesce(sum("viewers"), 0)::int as "viewers" from (${newestRows} and "streamId" = $1::uuid ${newestFirst}) n`,
    values: [id],
  });
  return present?.viewers ?? 0;
}

/** The streams of the team with current viewers, most watched first. */
export async function listViewers(ctx: TeamContext): Promise<StreamAudience[]> {
  return readRows<StreamAudience>(ctx.db, {
    text: `
      select s."id" as "streamId", s."playbackId", sum(n."viewers")::int as "viewers", s."views"
      from (${newestRows} ${newestFirst}) n
      join "Stream" s on s."id" = n."streamId"
      where s."teamId" = $1::uuid and s."deletedAt" is null
      group by s."id" having sum(n."viewers") > 0
      order by 3 desc, 1 limit 1000`,
    values: [ctx.actor.teamId],
  });
}
