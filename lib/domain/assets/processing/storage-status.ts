import type { AssetStorage } from '@/lib/contract/assets/asset';
import type { Task } from '@/lib/generated/prisma/client';
import type { Transaction } from '@/lib/infra/db';

/** Records that the export to IPFS failed. The result of a previous export is kept. */
export async function failIpfsExport(
  tx: { readonly db: Transaction },
  task: Task,
  errorMessage: string,
): Promise<void> {
  await changeStorageStatus(tx, task, ({ ipfs, status }) => ({
    ...(ipfs ? { ipfs } : {}),
    status: {
      phase: ipfs?.cid === undefined ? 'failed' : 'reverted',
      errorMessage,
      tasks: { ...(status.tasks.last ? { last: status.tasks.last } : {}), failed: task.id },
    },
  }));
}

/** Changes the storage status of the asset if it waits for this task. */
export async function changeStorageStatus(
  tx: { readonly db: Transaction },
  { id, inputAssetId, teamId }: Pick<Task, 'id' | 'inputAssetId' | 'teamId'>,
  change: (storage: AssetStorage) => AssetStorage,
): Promise<void> {
  if (inputAssetId === null) return;
  const where = { id: inputAssetId, teamId };
  await tx.db.$queryRaw`select 1 from "Asset" where "id" = ${inputAssetId}::uuid for no key update`;
  const row = await tx.db.asset.findFirst({ where, select: { storage: true } });
  const storage = row?.storage as AssetStorage | null | undefined;
  if (storage?.status.tasks.pending !== id) return;
  await tx.db.asset.updateMany({ where, data: { storage: change(storage) } });
}
