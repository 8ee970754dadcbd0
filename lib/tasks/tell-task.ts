import type { EventName } from '@/lib/core/events';
import type { Task } from '@/lib/generated/prisma/client';
import type { Transaction } from '@/lib/infra/db';
import { emitEvent } from '@/lib/webhooks';
import { serializeTask } from './serialize';

/** Emits the event of a task change, with the task as it is now, in the transaction of the change. */
export async function tellTask(
  tx: { readonly db: Transaction },
  name: Extract<EventName, `task.${string}`>,
  row: Task,
): Promise<void> {
  const snapshot = serializeTask(row);
  const task = { id: row.id, type: snapshot.type, snapshot };
  const { userId } = row;
  if (name === 'task.completed' || name === 'task.failed') {
    await emitEvent(tx, { name, userId, payload: { task, success: name === 'task.completed' } });
  } else await emitEvent(tx, { name, userId, payload: { task } });
}
