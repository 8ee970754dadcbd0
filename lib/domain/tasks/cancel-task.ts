import { recordAudit } from '@/lib/domain/audit';
import { transact, type TeamContext, type InTransaction } from '@/lib/domain/context';
import type { Task as TaskObject } from '@/lib/contract/tasks/task';
import { AppError } from '@/lib/core/errors';
import { taskMachine } from '@/lib/core/tasks/task-state';
import type { Task } from '@/lib/generated/prisma/client';
import { getTask } from './get-task';
import { serializeTask } from './serialize';
import { emitTaskEvent } from './emit-task-event';

/**
 * Cancels an unfinished task. Its run is notified to stop, and its results are discarded.
 * @param failOutput fails the output of the task, in the same transaction
 * @throws AppError `not_found`; `invalid` if the task has finished
 */
export async function cancelTask(
  ctx: TeamContext,
  id: string,
  failOutput: (tx: InTransaction<TeamContext>, task: Task) => Promise<void>,
): Promise<TaskObject> {
  return transact(ctx, async (tx) => {
    const [row] = await tx.db.task.updateManyAndReturn({
      where: {
        id,
        teamId: ctx.actor.teamId,
        deletedAt: null,
        phase: { in: taskMachine.statesBefore('cancelled') },
      },
      data: {
        phase: taskMachine.stateAfter('cancelled'),
        statusUpdatedAt: tx.clock.now(),
        expectedAt: null,
      },
    });
    if (!row) {
      const { status } = await getTask(tx, id);
      throw new AppError('invalid', `the task is already ${status.phase}`);
    }
    await recordAudit(tx, { action: 'task.cancelled', objectId: id });
    await emitTaskEvent(tx, 'task.updated', row);
    await failOutput(tx, row);
    return serializeTask(row);
  });
}
