import type { AccountContext } from '@/lib/context';
import type { Task } from '@/lib/contract/task';
import { AppError } from '@/lib/core/errors';
import { serializeTask } from './serialize';

/**
 * One task of the account.
 * @throws AppError `not_found` for a missing and a foreign task alike
 */
export async function getTask(ctx: AccountContext, id: string): Promise<Task> {
  const task = await ctx.db.task.findFirst({ where: { id, userId: ctx.actor.userId, deletedAt: null } });
  if (!task) throw new AppError('not_found', 'not found');
  return serializeTask(task);
}
