import type { ComingStream, Overview } from '@/lib/contract/accounts/overview';
import { MAX_START_DELAY_MS, scheduleStateOf } from '@/lib/core/streams/schedule';
import type { TeamContext } from '@/lib/domain/context';
import { readRows } from '@/lib/infra/db';

/** Number of streams that the page shows. */
const SHOWN_STREAMS = 5;

interface ComingRow {
  readonly id: string;
  readonly name: string;
  readonly startsAt: Date;
  readonly lastSeen: Date | null;
  readonly backup: boolean;
  readonly slate: boolean;
  readonly targets: number;
  readonly reached: number;
}

/** SQL query for the announced streams. A target counts as reached if its last event is a connection or a disconnection. */
const announcedStreamsSql = `
  select s."id", s."name", s."startsAt", s."lastSeen", s."backup", s."slate", t."targets", t."reached"
  from "Stream" s
  cross join lateral (
    select count(*)::int as "targets", count(*) filter (where exists (
      select from "TargetStatus" x
      where x."streamId" = t."streamId" and x."targetId" = t."targetId" and x."profile" = t."profile"
        and x."reportedEvent" in ('multistream.connected', 'multistream.disconnected')))::int as "reached"
    from "StreamTarget" t where t."streamId" = s."id") t
  where s."teamId" = $1::uuid and s."startsAt" > $2 and not s."isActive" and not s."suspended"
    and s."deletedAt" is null and s."parentId" is null
  order by s."startsAt", s."id" limit 50`;

/** The next announced streams of the team that are not live, with their prepared targets and settings. */
export async function readComing(ctx: TeamContext): Promise<Overview['coming']> {
  const now = ctx.clock.now().getTime();
  const rows = await readRows<ComingRow>(ctx.db, {
    text: announcedStreamsSql,
    values: [ctx.actor.teamId, new Date(now - MAX_START_DELAY_MS)],
  });
  return rows.flatMap((row) => toComingStream(row, now) ?? []).slice(0, SHOWN_STREAMS);
}

function toComingStream(row: ComingRow, now: number): ComingStream | null {
  const { id, name, lastSeen, backup, slate, targets, reached } = row;
  const startsAt = row.startsAt.getTime();
  const state = scheduleStateOf({ startsAt, isActive: false, lastSeen: lastSeen?.getTime() ?? null }, now);
  if (state === null) return null;
  const targetsTested = targets === 0 ? null : reached === targets;
  return {
    id,
    name,
    startsAt,
    late: state === 'late',
    ready: { keyUsed: lastSeen !== null, targetsTested, backup, slate },
  };
}
