import type { AccountContext } from '@/lib/context';
import type { Page, QueryOf } from '@/lib/contract/define-endpoint';
import { taskListFields, type Task } from '@/lib/contract/task';
import type { listTasks as endpoint } from '@/lib/contract/task-endpoints';
import { readPage } from '@/lib/core/list-page';
import { parseListQuery } from '@/lib/core/list-query';
import { serializeTask } from './serialize';

/** Most recent first. */
const defaultOrder = 'createdAt-true';

/**
 * One page of the account's tasks. A task has no name of its own, so
 * `name` changes nothing.
 * @throws AppError `bad_request` (filters, cursor), `invalid` (limit)
 */
export async function listTasks(ctx: AccountContext, query: QueryOf<typeof endpoint>): Promise<Page<Task>> {
  const request = parseListQuery(query, taskListFields, defaultOrder);
  const scope = { userId: ctx.actor.userId, deletedAt: null };
  return readPage(request, {
    rows: ({ conditions, orderBy, take }) =>
      ctx.db.task.findMany({ where: { ...scope, AND: conditions }, orderBy, take }),
    count: (conditions) => ctx.db.task.count({ where: { ...scope, AND: conditions } }),
    item: serializeTask,
  });
}
