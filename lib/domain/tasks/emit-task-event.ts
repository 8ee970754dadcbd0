import type { EventName } from '@/lib/core/webhooks/events';
import type { Task } from '@/lib/generated/prisma/client';
import type { Transaction } from '@/lib/infra/db';
import { notify } from '@/lib/infra/notifications';
import { emitEvent } from '@/lib/domain/webhooks';
import { serializeTask } from './serialize';

/**
 * Emits an event with the updated task, in the transaction that changed it. Notifies the workers, which plan the next job
 * of the task or stop its run.
 */
export async function emitTaskEvent(
  tx: { readonly db: Transaction },
  name: Extract<EventName, `task.${string}`>,
  row: Task,
): Promise<void> {
  await notify(tx.db, 'task_changed', row.id);
  const snapshot = serializeTask(row);
  const task = { id: row.id, type: snapshot.type, snapshot };
  const { teamId } = row;
  if (name === 'task.completed' || name === 'task.failed') {
    await emitEvent(tx, { name, teamId, payload: { task, success: name === 'task.completed' } });
  } else await emitEvent(tx, { name, teamId, payload: { task } });
}
