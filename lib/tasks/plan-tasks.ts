import type { SystemContext } from '@/lib/context';
import {
  placesOfAccount,
  priorityOf,
  taskLaneOf,
  taskLanes,
  type TaskLane,
} from '@/lib/core/tasks/task-lanes';
import { Prisma } from '@/lib/generated/prisma/client';
import { runningIn, usedIn } from './begin-task';

/** A run of a task that should have a job. */
export interface PlannedTask {
  readonly taskId: string;
  readonly attempt: number;
  readonly lane: TaskLane;
  readonly delayMs: number;
  /** Null for one that runs already: its job is done again when its worker died. */
  readonly priority: number | null;
}

export type LanePlaces = Readonly<Record<TaskLane, number>>;

interface PlannedRow {
  readonly taskId: string;
  readonly attempt: number;
  readonly lane: string;
  readonly delayMs: number;
  /** Of its account in the lane, counted from 1. */
  readonly place: number | null;
  readonly used: number;
}

const batch = 1_000;

/**
 * What the accounts of these tasks may begin now, and those of these tasks that wait for their time. A job is for what has
 * a place of its account alone; when a run ends, the next of its account is planned.
 */
export async function planTasks(
  ctx: SystemContext,
  places: LanePlaces,
  ids: readonly string[],
): Promise<PlannedTask[]> {
  const now = ctx.clock.now();
  const named = Prisma.sql`t."id" = any(${ids}::uuid[])`;
  const ofAccounts = Prisma.sql`t."userId" in (select t."userId" from "Task" t where ${named})`;
  const rows = await ctx.db.$queryRaw<PlannedRow[]>`
    ${due(now, places, ofAccounts)}
    union all
    select t."id", t."attempt", t."lane", ${delayFrom(now)}, 1, 0 from "Task" t
    where t."phase" in ('pending', 'waiting') and t."scheduledAt" > ${now} and t."deletedAt" is null and ${named}
    limit ${batch}`;
  return rows.map(planned);
}

/** All that may begin now, and all that run: each should have a job. */
export async function listDueTasks(ctx: SystemContext, places: LanePlaces): Promise<PlannedTask[]> {
  const rows = await ctx.db.$queryRaw<PlannedRow[]>`
    ${due(ctx.clock.now(), places, Prisma.sql`true`)}
    union all
    select t."id", t."attempt", t."lane", 0::float8, null, 0 from "Task" t where t."phase" = 'running'
    limit ${batch}`;
  return rows.map(planned);
}

const delayFrom = (now: Date) =>
  Prisma.sql`ceil(extract(epoch from t."scheduledAt" - ${now}::timestamptz) * 1000)::float8`;

/** As many of each account and lane as it has places left, the oldest first. */
function due(now: Date, places: LanePlaces, whose: Prisma.Sql): Prisma.Sql {
  const most = Prisma.join(
    taskLanes.map((lane) => Prisma.sql`when ${lane} then ${placesOfAccount(places[lane])}::int`),
    ' ',
  );
  const [userId, lane] = [Prisma.sql`q."userId"`, Prisma.sql`q."lane"`];
  return Prisma.sql`
    select p."id" as "taskId", p."attempt", p."lane", 0::float8 as "delayMs", p."place"::int as "place",
      p."used"::float8 as "used"
    from (
      select q.*, q."nth" + ${runningIn(userId, lane)} as "place", ${usedIn(userId, lane, now)} as "used"
      from (
        select t."id", t."attempt", t."lane", t."userId",
          row_number() over (partition by t."userId", t."lane" order by t."scheduledAt", t."id") as "nth"
        from "Task" t join "Account" a on a."id" = t."userId" and not a."suspended"
        where t."phase" in ('pending', 'waiting') and t."scheduledAt" <= ${now} and t."deletedAt" is null
          and ${whose}
      ) q
      where q."nth" <= case q."lane" ${most} else 0 end
    ) p
    where p."place" <= case p."lane" ${most} else 0 end`;
}

function planned({ taskId, attempt, lane, delayMs, place, used }: PlannedRow): PlannedTask {
  const priority = place === null ? null : priorityOf({ place, used });
  return { taskId, attempt, lane: taskLaneOf(lane), delayMs, priority };
}
