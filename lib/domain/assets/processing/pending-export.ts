import type { InTransaction, TeamContext } from '@/lib/domain/context';
import type { AssetStorage } from '@/lib/contract/assets/asset';
import type { exportAsset as exportAssetEndpoint } from '@/lib/contract/assets/asset-endpoints';
import type { BodyOf } from '@/lib/contract/define-endpoint';
import type { Asset } from '@/lib/generated/prisma/client';

type ExportBody = BodyOf<typeof exportAssetEndpoint>;

/** Marks the asset as waiting for the IPFS copy of this task. */
export async function markExportPending(
  tx: InTransaction<TeamContext>,
  asset: Pick<Asset, 'id' | 'storage'>,
  ipfs: NonNullable<ExportBody['ipfs']>,
  taskId: string,
): Promise<void> {
  const storage = pendingStorage(asset.storage, ipfs, taskId);
  await tx.db.asset.update({ where: { id: asset.id, teamId: tx.actor.teamId }, data: { storage } });
}

/** The new value of `storage`. It keeps the result of the previous export until this one is ready. */
function pendingStorage(
  previousStorage: unknown,
  { nftMetadata, nftMetadataTemplate }: NonNullable<ExportBody['ipfs']>,
  taskId: string,
): AssetStorage {
  const { ipfs, status } = (previousStorage ?? {}) as Partial<AssetStorage>;
  return {
    ipfs: {
      ...ipfs,
      spec: {
        ...(nftMetadata ? { nftMetadata } : {}),
        ...(nftMetadataTemplate ? { nftMetadataTemplate } : {}),
      },
    },
    status: { phase: 'waiting', tasks: { ...status?.tasks, pending: taskId } },
  };
}
