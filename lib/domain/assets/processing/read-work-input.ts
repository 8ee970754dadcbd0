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

/** The output asset of a task, with the source of its file. */
interface OutputAsset {
  readonly name: string;
  readonly playbackId: string;
  /** Download URL of the source; null for other source types. */
  readonly url: string | null;
  /** File name that the server sent; null before the download. */
  readonly downloadedName: string | null;
  /** Storage key of the upload; null before the file is received, and for other source types. */
  readonly uploadedKey: string | null;
  readonly recorded: RecordedFiles | null;
  readonly hash: { hash: string; algorithm: string }[] | null;
}

/** Contents of the column `work` of a task: facts that later runs need and the API does not return. */
interface TaskWork {
  /** Files of the recording that the task imports. */
  readonly recorded?: RecordedFiles;
  /** File name that the server sent with a download. */
  readonly downloadedName?: string;
  /** Folder of the input files when the task started. */
  readonly inputFilesId?: string;
}

/**
 * Reads the asset that a task creates.
 * @throws RunLostError if the asset was deleted
 */
export async function readOutputAsset(
  ctx: SystemContext,
  { work, teamId }: Pick<RunningTask, 'work' | 'teamId'>,
  assetId: string,
): Promise<OutputAsset> {
  const row = await ctx.db.asset.findFirst({ where: { id: assetId, teamId, deletedAt: null } });
  if (!row) throw new RunLostError();
  const { recorded, downloadedName } = (work ?? {}) as TaskWork;
  const isUploaded = row.sourceType === 'directUpload' && row.sourceKey !== null;
  return {
    name: row.name,
    playbackId: row.playbackId,
    url: row.sourceType === 'url' ? openSourceUrl(ctx, row) : null,
    downloadedName: downloadedName ?? null,
    uploadedKey: isUploaded ? uploadedObjectKey(row.playbackId) : null,
    recorded: recorded ?? null,
    hash: row.hash as OutputAsset['hash'],
  };
}

/** The input asset of a task, with the files that the task reads. */
export interface InputAsset {
  readonly assetId: string;
  readonly name: string;
  readonly playbackId: string;
  /** Folder of the files in the storage. */
  readonly filesId: string;
  /** Storage key of the original file. */
  readonly sourceKey: string;
  /** Storage key of the file with the played tracks: the original file or a copy. */
  readonly videoKey: string;
  readonly bytes: number;
  readonly spec: VideoSpec;
}

/**
 * Reads the asset that is the input of an export, transcode, clip or transcription. A deleted asset can be used while its files
 * exist.
 * @returns null if the files were deleted
 */
export async function readInputAsset(
  ctx: SystemContext,
  { inputAssetId, teamId, work }: Pick<RunningTask, 'inputAssetId' | 'teamId' | 'work'>,
): Promise<InputAsset | null> {
  if (inputAssetId === null) return null;
  const asset = await ctx.db.asset.findFirst({ where: { id: inputAssetId, teamId } });
  const { inputFilesId } = (work ?? {}) as TaskWork;
  // A task that started with the previous file finishes with it.
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

/** Credentials, headers and the whole URL of an export; empty if it needs none. Must not be logged or stored. */
export function openExportSecrets(
  { secrets }: Pick<SystemContext, 'secrets'>,
  { id, teamId, credentialsSealed }: Pick<RunningTask, 'id' | 'teamId' | 'credentialsSealed'>,
): ExportSecrets {
  if (!credentialsSealed) return {};
  const secretContext = { kind: 'export-credentials', id, teamId } as const;
  return JSON.parse(secrets.open(secretContext, credentialsSealed)) as ExportSecrets;
}
