import type { AccountContext } from '@/lib/context';
import type { Page, QueryOf } from '@/lib/contract/define-endpoint';
import { taskListFields, type Task } from '@/lib/contract/task';
import type { listTasks as endpoint } from '@/lib/contract/task-endpoints';
import { cursorAfter, parseListQuery } from '@/lib/core/list-query';
import { conditionsOf, filterConditionsOf, orderByOf } from '@/lib/core/list-where';
import { serializeTask } from './serialize';

/** "Most recent first" (specification §4.5). */
const defaultOrder = 'createdAt-true';

/**
 * One page of the account's tasks (specification §4.5, api-contract §2.1). A task has no name of its own, so
 * `name` changes nothing.
 * @throws AppError `bad_request` (filters, cursor), `invalid` (limit)
 */
export async function listTasks(ctx: AccountContext, query: QueryOf<typeof endpoint>): Promise<Page<Task>> {
  const request = parseListQuery(query, taskListFields, defaultOrder);
  const scope = { userId: ctx.actor.userId, deletedAt: null };
  const rows = await ctx.db.task.findMany({
    where: { ...scope, AND: conditionsOf(request) },
    orderBy: orderByOf(request.order),
    // One more than asked for tells whether another page exists.
    take: request.limit + 1,
  });
  const page = rows.slice(0, request.limit);
  const last = page.at(-1);
  return {
    items: page.map(serializeTask),
    nextCursor: last && rows.length > page.length ? cursorAfter(last, request.order) : null,
    total: request.count
      ? await ctx.db.task.count({ where: { ...scope, AND: filterConditionsOf(request) } })
      : null,
  };
}
