import { filesIdOf } from '@/lib/domain/assets/internal';
import { openSourceUrl } from '@/lib/domain/assets/source-url';
import type { SystemContext } from '@/lib/domain/context';
import type { VideoSpec } from '@/lib/contract/assets/media-spec';
import { uploadedObjectKey } from '@/lib/core/access/upload-token';
import { isReadyAsset } from '@/lib/core/assets/asset-state';
import type { ExportSecrets } from '@/lib/core/assets/export-params';
import type { RunningTask } from '@/lib/domain/tasks';
import type { RecordedFiles } from './create-recording-asset';
import { RunLostError } from './process-asset';

interface AssetForWork {
  readonly name: string;
  readonly playbackId: string;
  /** Download URL of the source; null for other sources. */
  readonly url: string | null;
  /** The file name given by its server; null before it has been downloaded. */
  readonly downloadedName: string | null;
  /** Storage key of its upload; null before it is received, and for other sources. */
  readonly uploadedKey: string | null;
  readonly recorded: RecordedFiles | null;
  readonly hash: { hash: string; algorithm: string }[] | null;
}

/** Fields of a task's row that the API does not show. */
interface StoredTaskParams {
  readonly recorded?: RecordedFiles;
  readonly downloadedName?: string;
  readonly inputFilesId?: string;
}

/** The worker's input about the asset that a task produces. @throws RunLostError if it was deleted */
export async function readAssetForWork(
  ctx: SystemContext,
  { work, teamId }: Pick<RunningTask, 'work' | 'teamId'>,
  assetId: string,
): Promise<AssetForWork> {
  const row = await ctx.db.asset.findFirst({ where: { id: assetId, teamId, deletedAt: null } });
  if (!row) throw new RunLostError();
  const { recorded, downloadedName } = (work ?? {}) as StoredTaskParams;
  const isUploaded = row.sourceType === 'directUpload' && row.sourceKey !== null;
  return {
    name: row.name,
    playbackId: row.playbackId,
    url: row.sourceType === 'url' ? openSourceUrl(ctx, row) : null,
    downloadedName: downloadedName ?? null,
    uploadedKey: isUploaded ? uploadedObjectKey(row.playbackId) : null,
    recorded: recorded ?? null,
    hash: row.hash as AssetForWork['hash'],
  };
}

export interface WorkInput {
  readonly assetId: string;
  readonly name: string;
  readonly playbackId: string;
  /** The folder of its files. */
  readonly filesId: string;
  /** The original file. */
  readonly sourceKey: string;
  /** The file with the played tracks: the same, or a copy. */
  readonly videoKey: string;
  readonly bytes: number;
  readonly spec: VideoSpec;
}

/**
 * The ready asset that an export or transcode starts from. A deleted one can still be used while its bytes exist. Null
 * if they don't.
 */
export async function readWorkInput(
  ctx: SystemContext,
  { inputAssetId, teamId, work }: Pick<RunningTask, 'inputAssetId' | 'teamId' | 'work'>,
): Promise<WorkInput | null> {
  if (inputAssetId === null) return null;
  const asset = await ctx.db.asset.findFirst({ where: { id: inputAssetId, teamId } });
  const { inputFilesId } = (work ?? {}) as StoredTaskParams;
  // A task that began with the previous file finishes with it.
  const row =
    !asset || inputFilesId === undefined || inputFilesId === filesIdOf(asset)
      ? asset
      : await ctx.db.asset.findFirst({ where: { replacesId: asset.id, filesId: inputFilesId } });
  if (!asset || !row?.sourceKey || row.bytesRemovedAt !== null || !isReadyAsset(row.phase)) return null;
  return {
    assetId: asset.id,
    name: asset.name,
    playbackId: asset.playbackId,
    filesId: filesIdOf(row),
    sourceKey: row.sourceKey,
    videoKey: row.videoKey ?? row.sourceKey,
    bytes: Number(row.size ?? 0),
    spec: row.videoSpec as VideoSpec,
  };
}

/** Credentials, headers and the whole URL of an export; empty if it needs none. Never log or store them. */
export function openExportSecrets(
  { secrets }: Pick<SystemContext, 'secrets'>,
  { id, teamId, credentialsSealed }: Pick<RunningTask, 'id' | 'teamId' | 'credentialsSealed'>,
): ExportSecrets {
  if (!credentialsSealed) return {};
  const owner = { kind: 'export-credentials', id, teamId } as const;
  return JSON.parse(secrets.open(owner, credentialsSealed)) as ExportSecrets;
}
