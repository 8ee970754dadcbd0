import type { AssetStorage } from '@/lib/contract/asset';
import type { Task } from '@/lib/generated/prisma/client';
import type { Transaction } from '@/lib/infra/db';

interface InTransaction {
  readonly db: Transaction;
}

/** The export to IPFS failed; the result of an earlier one stays. */
export async function failStorage(tx: InTransaction, task: Task, errorMessage: string): Promise<void> {
  await changeStorage(tx, task, ({ ipfs, status }) => ({
    ...(ipfs ? { ipfs } : {}),
    status: {
      phase: ipfs?.cid === undefined ? 'failed' : 'reverted',
      errorMessage,
      tasks: { ...(status.tasks.last ? { last: status.tasks.last } : {}), failed: task.id },
    },
  }));
}

/** Changes what the asset says about its copies, if this task is the one it waits for. */
export async function changeStorage(
  tx: InTransaction,
  { id, inputAssetId, userId }: Pick<Task, 'id' | 'inputAssetId' | 'userId'>,
  change: (storage: AssetStorage) => AssetStorage,
): Promise<void> {
  if (inputAssetId === null) return;
  const where = { id: inputAssetId, userId };
  await tx.db.$queryRaw`select 1 from "Asset" where "id" = ${inputAssetId}::uuid for no key update`;
  const row = await tx.db.asset.findFirst({ where, select: { storage: true } });
  const storage = row?.storage as AssetStorage | null | undefined;
  if (storage?.status.tasks.pending !== id) return;
  await tx.db.asset.updateMany({ where, data: { storage: change(storage) } });
}
