import type { SystemContext } from '@/lib/context';
import type { VideoSpec } from '@/lib/contract/media-spec';
import { isReadyAsset } from '@/lib/core/asset-state';
import type { ExportSecrets } from '@/lib/core/export-params';
import type { RunningTask } from '@/lib/tasks';

export interface WorkInput {
  readonly assetId: string;
  readonly name: string;
  readonly playbackId: string;
  /** The file as it was given. */
  readonly sourceKey: string;
  /** The tracks of it that are played: the same file, or a copy. */
  readonly videoKey: string;
  readonly bytes: number;
  readonly spec: VideoSpec;
}

/**
 * The ready asset that an export or a transcoding starts from; one deleted meanwhile is still good for that, as long as
 * its bytes are there. Null when they are not.
 */
export async function readWorkInput(
  ctx: SystemContext,
  { inputAssetId, userId }: Pick<RunningTask, 'inputAssetId' | 'userId'>,
): Promise<WorkInput | null> {
  if (inputAssetId === null) return null;
  const row = await ctx.db.asset.findFirst({ where: { id: inputAssetId, userId, bytesRemovedAt: null } });
  if (!row?.sourceKey || !isReadyAsset(row.phase)) return null;
  return {
    assetId: row.id,
    name: row.name,
    playbackId: row.playbackId,
    sourceKey: row.sourceKey,
    videoKey: row.videoKey ?? row.sourceKey,
    bytes: Number(row.size ?? 0),
    spec: row.videoSpec as VideoSpec,
  };
}

/** Credentials, headers and the whole URL of an export; empty where it needs none. They are never written anywhere. */
export function openExportSecrets(
  { secrets }: Pick<SystemContext, 'secrets'>,
  { id, userId, credentialsSealed }: Pick<RunningTask, 'id' | 'userId' | 'credentialsSealed'>,
): ExportSecrets {
  if (!credentialsSealed) return {};
  const owner = { kind: 'export-credentials', id, userId } as const;
  return JSON.parse(secrets.open(owner, credentialsSealed)) as ExportSecrets;
}
