import type { SystemContext } from '@/lib/context';
import { uploadedObjectKey } from '@/lib/core/upload-token';
import type { RunningTask } from '@/lib/tasks';
import type { RecordedFiles } from './recorded-files';
import { openSourceUrl } from './source-url';
import { RunLostError } from './work-on-asset';

export interface AssetForWork {
  readonly name: string;
  readonly playbackId: string;
  /** Where its file is downloaded from; null for other sources. */
  readonly url: string | null;
  /** What its server calls that file; null before it has been downloaded. */
  readonly downloadedName: string | null;
  /** Storage key of its upload; null before it is received, and for other sources. */
  readonly uploadedKey: string | null;
  readonly recorded: RecordedFiles | null;
  readonly hash: { hash: string; algorithm: string }[] | null;
}

/** What a task's row says besides what the contract shows. */
interface NotedWork {
  readonly recorded?: RecordedFiles;
  readonly downloadedName?: string;
}

/** What the worker has to know about the asset that a task makes. @throws RunLostError when it was deleted */
export async function readAssetForWork(
  ctx: SystemContext,
  { work, userId }: Pick<RunningTask, 'work' | 'userId'>,
  assetId: string,
): Promise<AssetForWork> {
  const row = await ctx.db.asset.findFirst({ where: { id: assetId, userId, deletedAt: null } });
  if (!row) throw new RunLostError();
  const { recorded, downloadedName } = (work ?? {}) as NotedWork;
  const uploaded = row.sourceType === 'directUpload' && row.sourceKey !== null;
  return {
    name: row.name,
    playbackId: row.playbackId,
    url: row.sourceType === 'url' ? openSourceUrl(ctx, row) : null,
    downloadedName: downloadedName ?? null,
    uploadedKey: uploaded ? uploadedObjectKey(row.playbackId) : null,
    recorded: recorded ?? null,
    hash: row.hash as AssetForWork['hash'],
  };
}
