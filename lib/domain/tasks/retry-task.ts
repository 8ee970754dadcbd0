import { recordAudit } from '@/lib/domain/audit';
import { transact, type TeamContext, type InTransaction } from '@/lib/domain/context';
import type { Task as TaskObject } from '@/lib/contract/tasks/task';
import { AppError, notFound } from '@/lib/core/errors';
import type { Task } from '@/lib/generated/prisma/client';
import { createTask, type NewTask } from './create-task';
import { serializeTask } from './serialize';
import { lockTeam } from './lock-team';

/**
 * Retries a failed or cancelled task as a new task. The old task keeps its error.
 * @param prepareRetry creates the new task in the same transaction; throws if the input no longer exists
 * @throws AppError `not_found`; `invalid` if the task is unfinished; `rate_limited`; and the errors of `prepareRetry`
 */
export async function retryTask(
  ctx: TeamContext,
  id: string,
  prepareRetry: (tx: InTransaction<TeamContext>, previousTask: Task) => Promise<NewTask>,
): Promise<TaskObject> {
  return transact(ctx, async (tx) => {
    // Locks the team, so that concurrent callers create one new task.
    await lockTeam(tx);
    const where = { id, teamId: ctx.actor.teamId, deletedAt: null };
    const previousTask = await tx.db.task.findFirst({ where });
    if (!previousTask) throw notFound();
    if (previousTask.phase !== 'failed' && previousTask.phase !== 'cancelled') {
      const message = `the task is ${previousTask.phase}; only a failed or cancelled one can be retried`;
      throw new AppError('invalid', message);
    }
    const task = await createTask(tx, await prepareRetry(tx, previousTask));
    await recordAudit(tx, { action: 'task.retried', objectId: id });
    return serializeTask(task);
  });
}
