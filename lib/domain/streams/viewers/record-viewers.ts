import { type SystemContext, transact } from '@/lib/domain/context';
import { Prisma } from '@/lib/generated/prisma/client';
import { deleteInBatches } from '@/lib/infra/db';
import { lockStreams } from '@/lib/domain/streams/lock-streams';

/** Viewers of one stream at one origin over a few seconds. */
export interface ViewersSeen {
  readonly playbackId: string;
  readonly viewers: number;
  readonly viewerSeconds: number;
  /** Number of playbacks that started. */
  readonly views: number;
  /** Age of the counts in milliseconds. */
  readonly ageMs: number;
}

/**
 * Adds counts to the minutes of many streams, and to their views, in three statements. Deleted streams are skipped.
 * Minutes follow the clock of the database.
 * @param nodeId id of the origin; each origin has its own rows
 */
export async function recordViewers(
  ctx: SystemContext,
  nodeId: string,
  counts: readonly ViewersSeen[],
): Promise<void> {
  if (counts.length === 0) return;
  const ids = counts.map(({ playbackId }) => playbackId);
  const views = counts.map((count) => count.views);
  await transact(ctx, async (tx) => {
    const { db } = tx;
    await lockStreams(tx, Prisma.sql`"playbackId" = any(${ids}::text[]) and "deletedAt" is null`);
    // The viewers of a minute are those of its latest count; seconds and views are added up.
    await db.$executeRaw`
      insert into "StreamViewers" as m ("streamId", "minute", "nodeId", "viewers", "viewerSeconds", "views", "seenAt")
      select
        s."id", date_trunc('minute', p.at), ${nodeId}::uuid, (array_agg(p.viewers order by p.at desc))[1],
        sum(p.seconds), sum(p.views), max(p.at)
      from (
        select *, now() - age * interval '1 millisecond' as at
        from unnest(
          ${ids}::text[], ${counts.map(({ viewers }) => viewers)}::int[],
          ${counts.map(({ viewerSeconds }) => viewerSeconds)}::float8[], ${views}::int[],
          ${counts.map(({ ageMs }) => ageMs)}::float8[]
        ) as u(playback, viewers, seconds, views, age)
      ) p
      join "Stream" s on s."playbackId" = p.playback and s."deletedAt" is null
      group by 1, 2
      order by 1, 2
      on conflict ("streamId", "minute", "nodeId") do update set
        "viewers" = excluded."viewers", "viewerSeconds" = m."viewerSeconds" + excluded."viewerSeconds",
        "views" = m."views" + excluded."views", "seenAt" = excluded."seenAt"`;
    if (views.every((count) => count === 0)) return;
    await db.$executeRaw`
      update "Stream" s set "views" = s."views" + p.views
      from (
        select playback, sum(views)::int as views
        from unnest(${ids}::text[], ${views}::int[]) as u(playback, views) group by playback
      ) p
      where s."playbackId" = p.playback and s."deletedAt" is null and p.views > 0`;
  });
}

const RETENTION_DAYS = 30;

/**
 * Deletes viewer minutes older than 30 days; the total of views is kept.
 * @returns the number of deleted rows
 */
export function expireViewers({ db }: SystemContext): Promise<number> {
  return deleteInBatches(
    (limit) => db.$executeRaw`
      delete from "StreamViewers" where ctid in (
        select ctid from "StreamViewers"
        where "minute" < now() - make_interval(days => ${RETENTION_DAYS}) limit ${limit})`,
  );
}
