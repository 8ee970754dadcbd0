import type { InTransaction, TeamContext } from '@/lib/domain/context';
import type { PolicyColumns } from '@/lib/domain/access';
import { recordAudit } from '@/lib/domain/audit';
import type { AssetStorage } from '@/lib/contract/assets/asset';
import type { CreatorId } from '@/lib/contract/primitives';
import type { Profile } from '@/lib/contract/streams/profile';
import { firstAssetPhase } from '@/lib/core/assets/asset-state';
import type { Asset } from '@/lib/generated/prisma/client';
import { newId, newPlaybackId } from '@/lib/infra/ids';
import { checkStorageQuota } from '@/lib/domain/quotas';
import { sourceUrlColumns } from '@/lib/domain/assets/source-url';
import { emitAssetEvent } from '@/lib/domain/assets/serialize';

export interface NewAsset {
  readonly name: string;
  readonly sourceType: 'directUpload' | 'url' | 'clip';
  readonly sourceUrl?: string;
  readonly sourceAssetId?: string;
  /** Asset whose file the new file replaces. The new row is then hidden. */
  readonly replacesId?: string;
  readonly clipOf?: {
    readonly playbackId: string;
    readonly sessionId: string | null;
    readonly clippedByViewer: boolean;
  };
  readonly creatorId?: CreatorId | undefined;
  /** Chapters of the source asset; null to use the chapters of the file. */
  readonly chapters?: Asset['chapters'];
  readonly tags?: string[] | undefined;
  /** Renditions to encode when the file is ready; undefined to encode the defaults of the file when they are watched. */
  readonly profiles?: readonly Profile[] | undefined;
  /** Playback policy; null for a public asset. */
  readonly policy?: PolicyColumns | null;
  /** Export that starts when the asset is ready. */
  readonly storage?: AssetStorage | undefined;
}

/**
 * Creates an asset that waits for its file (phase `waiting`).
 * @throws AppError `payment_required`
 */
export async function createAsset(tx: InTransaction<TeamContext>, asset: NewAsset): Promise<Asset> {
  await checkStorageQuota(tx, tx.actor.teamId);
  const now = tx.clock.now();
  const ids = { id: newId(), teamId: tx.actor.teamId };
  const row = await tx.db.asset.create({
    data: {
      ...ids,
      name: asset.name,
      playbackId: newPlaybackId(),
      phase: firstAssetPhase,
      statusUpdatedAt: now,
      createdAt: now,
      sourceType: asset.sourceType,
      ...(asset.sourceUrl === undefined ? {} : sourceUrlColumns(tx, ids, asset.sourceUrl)),
      sourceAssetId: asset.sourceAssetId ?? null,
      replacesId: asset.replacesId ?? null,
      clipPlaybackId: asset.clipOf?.playbackId ?? null,
      clipSessionId: asset.clipOf?.sessionId ?? null,
      clippedByViewer: asset.clipOf?.clippedByViewer ?? false,
      ...(asset.chapters ? { chapters: asset.chapters } : {}),
      ...(asset.tags ? { tags: asset.tags } : {}),
      ...(asset.profiles ? { profiles: [...asset.profiles] } : {}),
      ...asset.policy,
      ...(asset.storage ? { storage: asset.storage } : {}),
      ...(asset.creatorId ? { creatorId: asset.creatorId.value } : {}),
      createdByKeyName: tx.actor.keyName ?? null,
    },
  });
  await recordAudit(
    tx,
    row.replacesId === null
      ? { action: 'asset.created', objectId: row.id }
      : { action: 'asset.replaced', objectId: row.replacesId },
  );
  await emitAssetEvent(tx, 'asset.created', row);
  return row;
}
