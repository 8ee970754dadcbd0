import type { TeamContext, InTransaction } from '@/lib/domain/context';
import type { Task as TaskObject } from '@/lib/contract/tasks/task';
import { assetMachine } from '@/lib/core/assets/asset-state';
import type { Task } from '@/lib/generated/prisma/client';
import * as tasks from '@/lib/domain/tasks';
import { failStorage } from '@/lib/domain/assets/source-url';
import { emitAssetEvent } from '@/lib/domain/assets/serialize';

const reason = 'cancelled';

/**
 * Cancels an unfinished task; the asset or export that it produces fails.
 * @throws AppError `not_found`; `invalid` if the task has finished
 */
export function cancelTask(ctx: TeamContext, id: string): Promise<TaskObject> {
  return tasks.cancelTask(ctx, id, failOutput);
}

async function failOutput(tx: InTransaction<TeamContext>, task: Task): Promise<void> {
  if (task.type === 'export') return failStorage(tx, task, reason);
  if (task.outputAssetId === null) return;
  const [asset] = await tx.db.asset.updateManyAndReturn({
    where: { id: task.outputAssetId, deletedAt: null, phase: { in: assetMachine.before('failed') } },
    data: { phase: assetMachine.after('failed'), errorMessage: reason, statusUpdatedAt: tx.clock.now() },
  });
  if (asset) await emitAssetEvent(tx, 'asset.failed', asset);
}
