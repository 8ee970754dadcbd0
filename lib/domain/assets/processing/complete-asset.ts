import { filesIdOf } from '@/lib/domain/assets/internal';
import { emitAssetEvent } from '@/lib/domain/assets/serialize';
import { openSourceUrl, sourceUrlColumns } from '@/lib/domain/assets/source-url';
import { transact, type SystemContext, type InTransaction } from '@/lib/domain/context';
import type { VideoSpec } from '@/lib/contract/assets/media-spec';
import { assetMachine } from '@/lib/core/assets/asset-state';
import type { Chapter } from '@/lib/core/assets/chapters';
import { Prisma, type Asset } from '@/lib/generated/prisma/client';
import { notify } from '@/lib/infra/notifications';
import { completeTask, type TaskRun } from '@/lib/domain/tasks';
import { type TextOfFile, replaceTextsOfFile } from '../tracks/texts-of-file';
import { notifySessionDue, RunLostError } from './process-asset';
import { lockForRequestedExport, startRequestedExport } from './requested-export';

/** The result of a task that makes a file of an asset. */
export interface FinishedAsset {
  /** Storage key of the original. */
  readonly sourceKey: string;
  /** Storage key of the MP4 that viewers get; the original if it needed no conversion. */
  readonly videoKey: string;
  /** Size of the original. */
  readonly bytes: number;
  readonly hash: Prisma.InputJsonValue;
  readonly videoSpec: Prisma.InputJsonValue;
  /** Chapters of the file. Chapters set by the owner take precedence. */
  readonly chapters: readonly Chapter[];
  readonly texts?: readonly TextOfFile[];
  /** Size of all files of the asset that are stored so far. */
  readonly storedBytes: number;
}

/**
 * Sets the asset to `ready` and the task to `completed`, in one transaction. A replacement becomes the file of its asset.
 * @throws RunLostError if the run lost its task, or the asset was deleted
 */
export async function completeAsset(
  ctx: SystemContext,
  run: TaskRun & { readonly outputAssetId: string },
  file: FinishedAsset,
  output: Prisma.InputJsonObject,
): Promise<void> {
  await transact(ctx, async (tx) => {
    await lockForRequestedExport(tx, run.outputAssetId);
    if (!(await completeTask(tx, run, output))) throw new RunLostError();
    const [completedAsset] = await tx.db.asset.updateManyAndReturn({
      where: {
        id: run.outputAssetId,
        phase: { in: assetMachine.statesBefore('completed') },
        deletedAt: null,
      },
      data: {
        phase: assetMachine.stateAfter('completed'),
        progress: 1,
        errorMessage: null,
        statusUpdatedAt: tx.clock.now(),
      },
    });
    if (!completedAsset) throw new RunLostError();
    const row = await (completedAsset.replacesId === null
      ? tx.db.asset.update({
          where: { id: completedAsset.id },
          data: fileColumns(tx, completedAsset, file),
        })
      : swapFiles(tx, completedAsset, completedAsset.replacesId, file));
    await replaceTextsOfFile(tx, row.id, file.texts ?? []);
    await emitAssetEvent(tx, completedAsset.replacesId === null ? 'asset.ready' : 'asset.updated', row);
    if (completedAsset.replacesId === null) await startRequestedExport(tx, row);
    await notify(tx.db, 'storyboard_due', row.id);
    await notifySessionDue(tx, row);
  });
}

/** Columns of an asset that describe its new file. */
function fileColumns(
  { clock }: InTransaction<SystemContext>,
  asset: Pick<Asset, 'chapters' | 'chaptersOfFile' | 'profiles'>,
  { sourceKey, videoKey, bytes, hash, videoSpec, chapters, storedBytes }: FinishedAsset,
) {
  const now = clock.now();
  const storedChapters = (asset.chapters ?? null) as Chapter[] | null;
  const hasOwnerChapters = storedChapters !== null && !asset.chaptersOfFile;
  return {
    sourceKey,
    videoKey,
    hash,
    videoSpec,
    size: BigInt(bytes),
    storedBytes: BigInt(storedBytes),
    storyboardDueAt: now,
    renditionsDueAt: asset.profiles === null ? null : now,
    ...(hasOwnerChapters
      ? {}
      : { chapters: chapters.map(({ start, title }) => ({ start, title })), chaptersOfFile: true }),
  };
}

/**
 * Swaps the files of an asset and its replacement row. The replacement row then has the previous file and is marked as
 * deleted; the file is deleted a day later, so that viewers can finish watching it.
 * @param replacement hidden row of the new file
 * @param id id of the asset
 * @returns the asset
 * @throws RunLostError if the asset was deleted since
 */
async function swapFiles(
  tx: InTransaction<SystemContext>,
  replacement: Asset,
  id: string,
  file: FinishedAsset,
): Promise<Asset> {
  await tx.db.$queryRaw`select 1 from "Asset" where "id" = ${id}::uuid for no key update`;
  const asset = await tx.db.asset.findFirst({ where: { id, phase: 'ready', deletedAt: null } });
  if (!asset) throw new RunLostError();
  const now = tx.clock.now();
  const { fileVersion, sourceKey, videoKey, size, storedBytes, hasStoryboard } = asset;
  await tx.db.asset.update({
    where: { id: replacement.id },
    data: {
      fileVersion,
      sourceKey,
      videoKey,
      size,
      storedBytes,
      hasStoryboard,
      filesId: filesIdOf(asset),
      hash: asset.hash ?? Prisma.DbNull,
      videoSpec: asset.videoSpec ?? Prisma.DbNull,
      deletedAt: now,
    },
  });
  return tx.db.asset.update({
    where: { id },
    data: {
      ...fileColumns(tx, asset, file),
      ...newSourceColumns(tx, replacement, asset),
      ...settingsWithinFile(asset, file),
      filesId: replacement.id,
      fileVersion: { increment: 1 },
      hasStoryboard: false,
      uploadRepeatable: replacement.uploadRepeatable,
      statusUpdatedAt: now,
    },
  });
}

/** Source columns of the new file. The URL is sealed again, because it was sealed for the id of the replacement row. */
function newSourceColumns(tx: InTransaction<SystemContext>, replacement: Asset, asset: Asset) {
  const url = openSourceUrl(tx, replacement);
  return {
    sourceType: replacement.sourceType,
    sourceAssetId: null,
    clipPlaybackId: null,
    clipSessionId: null,
    sourceUrl: null,
    sourceUrlSealed: null,
    sourceUrlHash: null,
    ...(url === null ? {} : sourceUrlColumns(tx, asset, url)),
  };
}

/** Columns that remove a poster time and chapters of the owner that lie after the end of the new file. */
function settingsWithinFile({ posterTime, chapters, chaptersOfFile }: Asset, { videoSpec }: FinishedAsset) {
  const { duration, tracks } = videoSpec as unknown as VideoSpec;
  const hasVideo = tracks.some(({ type }) => type === 'video');
  const storedChapters = (chapters ?? []) as unknown as Chapter[];
  const playableChapters = storedChapters.filter(({ start }) => start < duration);
  return {
    ...(posterTime !== null && (!hasVideo || posterTime >= duration) ? { posterTime: null } : {}),
    ...(chaptersOfFile || playableChapters.length === storedChapters.length
      ? {}
      : { chapters: playableChapters.map(({ start, title }) => ({ start, title })) }),
  };
}
