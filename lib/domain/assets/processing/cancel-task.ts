import type { TeamContext } from '@/lib/domain/context';
import type { Task as TaskObject } from '@/lib/contract/tasks/task';
import * as tasks from '@/lib/domain/tasks';
import { failOutput } from './process-asset';

/**
 * Cancels an unfinished task; the asset or export that it produces fails.
 * @throws AppError `not_found`; `invalid` if the task has finished
 */
export function cancelTask(ctx: TeamContext, id: string): Promise<TaskObject> {
  return tasks.cancelTask(ctx, id, (tx, task) => failOutput(tx, task, 'cancelled'));
}
