import type { SystemContext } from '@/lib/domain/context';
import {
  slotsPerTeam,
  taskPriorityOf,
  parseTaskLane,
  taskLanes,
  type TaskLane,
} from '@/lib/core/tasks/task-lanes';
import { Prisma } from '@/lib/generated/prisma/client';
import { runningTasksSql, usedEncodingSql } from './start-task';

/** A task that needs a job. */
export interface PlannedTask {
  readonly taskId: string;
  readonly attempt: number;
  readonly lane: TaskLane;
  readonly delayMs: number;
  /** Null for a running task, whose job runs again if its worker died. */
  readonly priority: number | null;
}

/** Number of concurrent runs in each lane, on all machines. */
export type LaneSlots = Readonly<Record<TaskLane, number>>;

interface PlannedRow {
  readonly taskId: string;
  readonly attempt: number;
  readonly lane: string;
  readonly delayMs: number;
  /** Position among the queued tasks of its team in the lane, from 1; null for a running task. */
  readonly place: number | null;
  /** Recent encoding of its team in the lane, in the unit of `cost`. */
  readonly used: number;
}

const MAX_ROWS = 1_000;

/**
 * Lists the tasks that may start now for the teams of the tasks in `ids`, and the delayed tasks in `ids`. A task gets a job
 * only if its team has a free slot; when a run ends, the next task of the team is planned.
 */
export async function planTasks(
  ctx: SystemContext,
  slots: LaneSlots,
  ids: readonly string[],
): Promise<PlannedTask[]> {
  const now = ctx.clock.now();
  const namedTasks = Prisma.sql`t."id" = any(${ids}::uuid[])`;
  const sameTeams = Prisma.sql`t."teamId" in (select t."teamId" from "Task" t where ${namedTasks})`;
  const rows = await ctx.db.$queryRaw<PlannedRow[]>`
    ${dueTasksSql(now, slots, sameTeams)}
    union all
    select t."id", t."attempt", t."lane", ${delaySql(now)}, 1, 0 from "Task" t
    where t."phase" in ('pending', 'waiting') and t."scheduledAt" > ${now} and t."deletedAt" is null and ${namedTasks}
    limit ${MAX_ROWS}`;
  return rows.map(toPlannedTask);
}

/** Lists the tasks that may start now and the running tasks, up to 1,000. Each needs a job. */
export async function listDueTasks(ctx: SystemContext, slots: LaneSlots): Promise<PlannedTask[]> {
  const rows = await ctx.db.$queryRaw<PlannedRow[]>`
    ${dueTasksSql(ctx.clock.now(), slots, Prisma.sql`true`)}
    union all
    select t."id", t."attempt", t."lane", 0::float8, null, 0 from "Task" t where t."phase" = 'running'
    limit ${MAX_ROWS}`;
  return rows.map(toPlannedTask);
}

const delaySql = (now: Date) =>
  Prisma.sql`ceil(extract(epoch from t."scheduledAt" - ${now}::timestamptz) * 1000)::float8`;

/** SQL query for due tasks: as many per team and lane as there are free slots, oldest first. */
function dueTasksSql(now: Date, slots: LaneSlots, scope: Prisma.Sql): Prisma.Sql {
  const limitOfLane = Prisma.join(
    taskLanes.map((lane) => Prisma.sql`when ${lane} then ${slotsPerTeam(slots[lane])}::int`),
    ' ',
  );
  const [teamId, lane] = [Prisma.sql`q."teamId"`, Prisma.sql`q."lane"`];
  return Prisma.sql`
    select p."id" as "taskId", p."attempt", p."lane", 0::float8 as "delayMs", p."place"::int as "place",
      p."used"::float8 as "used"
    from (
      select q.*, q."nth" + ${runningTasksSql(teamId, lane)} as "place", ${usedEncodingSql(teamId, lane, now)} as "used"
      from (
        select t."id", t."attempt", t."lane", t."teamId",
          row_number() over (partition by t."teamId", t."lane" order by t."scheduledAt", t."id") as "nth"
        from "Task" t join "Team" owner on owner."id" = t."teamId" and not owner."suspended"
        where t."phase" in ('pending', 'waiting') and t."scheduledAt" <= ${now} and t."deletedAt" is null
          and ${scope}
      ) q
      where q."nth" <= case q."lane" ${limitOfLane} else 0 end
    ) p
    where p."place" <= case p."lane" ${limitOfLane} else 0 end`;
}

function toPlannedTask({ taskId, attempt, lane, delayMs, place, used }: PlannedRow): PlannedTask {
  const priority = place === null ? null : taskPriorityOf({ position: place, recentUsage: used });
  return { taskId, attempt, lane: parseTaskLane(lane), delayMs, priority };
}
