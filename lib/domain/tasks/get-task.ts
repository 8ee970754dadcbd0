import type { TeamContext, SystemContext } from '@/lib/domain/context';
import type { Page, QueryOf } from '@/lib/contract/define-endpoint';
import { type Task, type listTasks as listTasksEndpoint, taskListFields } from '@/lib/contract/tasks/task';
import { notFound } from '@/lib/core/errors';
import { type Condition, readPage } from '@/lib/core/lists/list-page';
import { parseListQuery } from '@/lib/core/lists/list-query';
import { unfinishedTaskPhases } from '@/lib/core/tasks/task-state';
import type { Prisma } from '@/lib/generated/prisma/client';
import { serializeTask } from './serialize';

/** Whether a task exists and has not ended, so that its files are still needed. */
export async function isUnfinishedTask({ db }: SystemContext, id: string): Promise<boolean> {
  return (await db.task.count({ where: { id, phase: { in: [...unfinishedTaskPhases] } } })) > 0;
}

/**
 * One task of the team.
 * @throws AppError `not_found` for a missing task, or one of another team
 */
export async function getTask(ctx: TeamContext, id: string): Promise<Task> {
  const task = await ctx.db.task.findFirst({ where: { id, teamId: ctx.actor.teamId, deletedAt: null } });
  if (!task) throw notFound();
  return serializeTask(task);
}

/** In the syntax of the query parameter `order`. */
const newestFirst = 'createdAt-true';

/**
 * One page of the team's tasks. Tasks have no name, so the filter `name` has no effect.
 * @throws AppError `bad_request` (filters, cursor), `invalid` (limit)
 */
export async function listTasks(
  ctx: TeamContext,
  query: QueryOf<typeof listTasksEndpoint>,
): Promise<Page<Task>> {
  const request = parseListQuery(query, taskListFields, newestFirst);
  const scope = { teamId: ctx.actor.teamId, deletedAt: null };
  return readPage(request, {
    findRows: ({ conditions, orderBy, take }) =>
      ctx.db.task.findMany({ where: { ...scope, AND: conditions.map(toOutputFilter) }, orderBy, take }),
    countRows: (conditions) =>
      ctx.db.task.count({ where: { ...scope, AND: conditions.map(toOutputFilter) } }),
    toItem: serializeTask,
  });
}

/**
 * Converts a filter for the output asset. A task with a hidden replacement as its output is listed under the replaced
 * asset.
 */
function toOutputFilter(condition: Condition): Prisma.TaskWhereInput {
  const { outputAssetId } = condition as Prisma.TaskWhereInput;
  if (outputAssetId === undefined) return condition;
  return { OR: [{ replacesAssetId: outputAssetId }, { outputAssetId, replacesAssetId: null }] };
}
