import { transact, type SystemContext, type WorkerContext } from '@/lib/domain/context';
import type { AssetStorage } from '@/lib/contract/assets/asset';
import type { Prisma } from '@/lib/generated/prisma/client';
import { completeTask, type RunningTask } from '@/lib/domain/tasks';
import { lockIpfsCopies } from '@/lib/domain/assets/ipfs/ipfs-blocks';
import { changeStorage } from '@/lib/domain/assets/source-url';
import { emitAssetEvent } from '@/lib/domain/assets/serialize';
import { RunLostError } from './process-asset';

/** Location of a copy in IPFS. Stored as JSON, so it is a type instead of an interface. */
export type IpfsCopy = {
  readonly cid: string;
  readonly url: string;
  readonly gatewayUrl: string;
  readonly nftMetadata: NonNullable<NonNullable<AssetStorage['ipfs']>['nftMetadata']>;
};

/** Sets the storage status of the asset to `processing`. */
export async function startExport(ctx: SystemContext, task: RunningTask): Promise<void> {
  await transact(ctx, (tx) =>
    changeStorage(tx, task, (storage) => ({
      ...storage,
      status: { ...storage.status, phase: 'processing' },
    })),
  );
}

/**
 * Completes the task and, for an export to IPFS, stores the CID on the asset, in one transaction. If `ipfsBytes` is above 0,
 * this service stores the copy: the copy must exist, and it is protected from deletion from now on.
 * @throws RunLostError, or an error that makes the task retry
 */
export async function completeExport(
  ctx: WorkerContext,
  task: RunningTask,
  output: Prisma.InputJsonObject,
  ipfsResult: { readonly copy: IpfsCopy; readonly ipfsBytes: number } | null = null,
): Promise<void> {
  await transact(ctx, async (tx) => {
    if (!(await completeTask(tx, task, { export: output }))) throw new RunLostError();
    if (!ipfsResult || task.inputAssetId === null) return;
    const { copy, ipfsBytes } = ipfsResult;
    if (ipfsBytes > 0)
      await lockIpfsCopies({ ...tx, storage: ctx.storage }, [copy.cid, copy.nftMetadata.cid]);
    const updatedAt = tx.clock.now().getTime();
    await changeStorage(tx, task, ({ ipfs }) => ({
      ipfs: { ...ipfs, ...copy, updatedAt },
      status: { phase: 'ready', progress: 1, tasks: { last: task.id } },
    }));
    const [row] = await tx.db.asset.updateManyAndReturn({
      where: { id: task.inputAssetId, teamId: task.teamId },
      data: { cid: copy.cid, nftMetadataCid: copy.nftMetadata.cid, ipfsBytes },
    });
    if (row) await emitAssetEvent(tx, 'asset.updated', row);
  });
}
