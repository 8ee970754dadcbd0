import type { SystemContext } from '@/lib/context';
import { unfinishedTaskPhases } from '@/lib/core/task-state';

/** Whether something may still become of a task. */
export async function isUnfinishedTask({ db }: SystemContext, id: string): Promise<boolean> {
  return (await db.task.count({ where: { id, phase: { in: [...unfinishedTaskPhases] } } })) > 0;
}
