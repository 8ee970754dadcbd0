import type { TeamContext } from '@/lib/domain/context';
import type { Overview } from '@/lib/contract/accounts/overview';
import { readRows } from '@/lib/infra/db';
import { getDayUsage } from '@/lib/domain/metering';
import { readAnnouncedStreams } from './read-announced-streams';
import { readLive } from './read-live';
import { readOpenProblems } from './read-open-problems';

/** Content of the home page: live streams, problems, and the numbers of the current day (UTC). */
export async function getOverview(ctx: TeamContext): Promise<Overview> {
  const date = ctx.clock.now().toISOString().slice(0, 10);
  const [live, problems, announcedStreams, usage, views, setup] = await Promise.all([
    readLive(ctx),
    readOpenProblems(ctx),
    readAnnouncedStreams(ctx),
    getDayUsage(ctx, date),
    countViewsSince(ctx, date),
    readSetup(ctx),
  ]);
  const today = usage.day;
  return {
    live,
    ...problems,
    coming: announcedStreams,
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

/** Number of views of live streams that started since the start of a day (UTC). */
async function countViewsSince(ctx: TeamContext, date: string): Promise<number> {
  const [row] = await readRows<{ views: number }>(ctx.db, {
    text: `
      select coalesce(sum(v."views"), 0)::int as "views" from "StreamViewers" v
      join "Stream" s on s."id" = v."streamId"
      where s."teamId" = $1::uuid and v."minute" >= $2::timestamp at time zone 'utc'`,
    values: [ctx.actor.teamId, date],
  });
  return row?.views ?? 0;
}

/** SQL query for the views of the 100 newest rows: a search of all rows would scan the tables of all teams. */
const newestViewsSql = (table: 'Stream' | 'Asset') =>
  `select "views" from "${table}" where "teamId" = $1::uuid order by "createdAt" desc, "id" limit 100`;

/** Completed setup steps. Deleted objects count, so that a completed step stays completed. */
async function readSetup(ctx: TeamContext): Promise<Overview['setup']> {
  const [row] = await readRows<Overview['setup']>(ctx.db, {
    text: `
      select
        exists (select from "Stream" where "teamId" = $1::uuid) as "streamCreated",
        exists (select from "Stream" where "teamId" = $1::uuid and "lastSeen" is not null) as "videoReceived",
        exists (select from "Asset" where "teamId" = $1::uuid) as "videoStored",
        exists (select from (${newestViewsSql('Stream')}) s where s."views" > 0)
          or exists (select from (${newestViewsSql('Asset')}) a where a."views" > 0) as "watched",
        exists (select from "Invitation" where "teamId" = $1::uuid)
          or (select count(*) from "TeamMember" where "teamId" = $1::uuid) > 1 as "memberInvited"`,
    values: [ctx.actor.teamId],
  });
  if (!row) throw new Error('No row from a select without a table');
  return row;
}
