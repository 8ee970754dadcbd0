import type { ComingStream, Overview } from '@/lib/contract/accounts/overview';
import { readinessOf } from '@/lib/core/streams/readiness';
import { MAX_START_DELAY_MS, scheduleStateOf } from '@/lib/core/streams/schedule';
import { reachedTargetEvents } from '@/lib/core/targets/target-state';
import type { TeamContext } from '@/lib/domain/context';
import { readRows } from '@/lib/infra/db';

/** Number of streams that the page shows. */
const SHOWN_STREAMS = 5;

interface AnnouncedRow {
  readonly id: string;
  readonly name: string;
  readonly startsAt: Date;
  readonly lastSeen: Date | null;
  readonly backup: boolean;
  readonly slate: boolean;
  /** Number of enabled targets, and of those that were reached in a test or publish. */
  readonly targets: number;
  readonly reachedTargets: number;
}

/**
 * SQL query for the announced streams. Disabled targets are not counted. A target is reached by the rule of
 * `hasReachedTarget` (lib/core/targets/target-state.ts). Reads more rows than the page shows, because some of them are not
 * shown: their start is over.
 */
const announcedStreamsSql = `
  select s."id", s."name", s."startsAt", s."lastSeen", s."backup", s."slate", t."targets", t."reachedTargets"
  from "Stream" s
  cross join lateral (
    select count(*)::int as "targets", count(*) filter (where case
      when m."testedAt" > coalesce(x."since", '-infinity') then m."testOutcome" = 'accepted'
      else x."reportedEvent" = any($3::text[]) end)::int as "reachedTargets"
    from "StreamTarget" t join "MultistreamTarget" m on m."id" = t."targetId" and not m."disabled"
    left join "TargetStatus" x
      on x."streamId" = t."streamId" and x."targetId" = t."targetId" and x."profile" = t."profile"
    where t."streamId" = s."id") t
  where s."teamId" = $1::uuid and s."startsAt" > $2 and not s."isActive" and not s."suspended"
    and s."deletedAt" is null and s."parentId" is null
  order by s."startsAt", s."id" limit 50`;

/** The next announced streams of the team that are not live, with their prepared targets and settings. */
export async function readAnnouncedStreams(ctx: TeamContext): Promise<Overview['coming']> {
  const now = ctx.clock.now().getTime();
  const rows = await readRows<AnnouncedRow>(ctx.db, {
    text: announcedStreamsSql,
    values: [ctx.actor.teamId, new Date(now - MAX_START_DELAY_MS), [...reachedTargetEvents]],
  });
  return rows.flatMap((row) => toComingStream(row, now) ?? []).slice(0, SHOWN_STREAMS);
}

function toComingStream(row: AnnouncedRow, now: number): ComingStream | null {
  const { id, name, lastSeen } = row;
  const startsAt = row.startsAt.getTime();
  const state = scheduleStateOf({ startsAt, isActive: false, lastSeen: lastSeen?.getTime() ?? null }, now);
  if (state === null) return null;
  return {
    id,
    name,
    startsAt,
    late: state === 'late',
    ready: readinessOf(row),
  };
}
