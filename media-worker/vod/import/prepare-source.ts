import { basename } from 'node:path';
import { readOutputAsset } from '@/lib/domain/assets';
import { deleteFiles } from '@/lib/domain/backup';
import { hlsFolder } from '@/lib/core/sessions/recorded-segment';
import { assetKey, assetPrefix } from '@/lib/core/storage-keys';
import { parseTaskLane } from '@/lib/core/tasks/task-lanes';
import { readStorageRoom, readUploadLimit } from '@/lib/domain/quotas';
import { type Download, downloadSource, createTooLargeFailure } from './download-source';
import { reserveAssetStorage } from './reserve-asset-storage';
import { TaskFailure, TaskReleased, type TaskJob } from '@/media-worker/vod/tasks/task-job';

/** The file from which an asset is created, stored under the asset's key. */
export interface Source {
  readonly kind: 'uploaded' | 'downloaded' | 'recorded';
  /** Storage key of the file. */
  readonly key: string;
  /** Original file name. */
  readonly name: string;
  /** MD5 and SHA-256 computed during the upload, hexadecimal; null if they must be computed. */
  readonly hash: { hash: string; algorithm: string }[] | null;
  /** Whether the HLS files are already stored. */
  readonly hasHls: boolean;
  /** Key of the uploaded file, which is deleted when the asset is ready. */
  readonly uploadedKey: string | null;
}

/**
 * Downloads or copies the file to the asset's key, unless an earlier run has done so.
 * @throws TaskReleased after a download, because processing runs in the lane `local`
 * @throws TaskFailure if no file has been uploaded, or the download fails permanently; RemoteFailure if a retry may
 * succeed
 */
export async function prepareSource(
  job: TaskJob,
  assetId: string,
  onProgress: (fraction: number) => void,
): Promise<Source> {
  const asset = await readOutputAsset(job.ctx, job.task, assetId);
  const key = assetKey(assetId, 'source.mp4');
  const { url } = asset;
  if (asset.recorded) return prepareRecording(job, assetId, asset.recorded);
  if (url !== null) {
    const { downloadedName } = asset;
    if (parseTaskLane(job.task.lane) === 'transfer') {
      const { name } = await downloadWithinQuota(job, assetId, { url, key, onProgress });
      // Processing only needs local files, so it must not queue behind downloads from slow servers.
      throw new TaskReleased({ lane: 'local', work: { downloadedName: downloadedName ?? name } });
    }
    const name = downloadedName ?? asset.name;
    return { kind: 'downloaded', key, name, hash: null, hasHls: false, uploadedKey: null };
  }
  if (asset.uploadedKey === null) throw new TaskFailure('no file has been uploaded');
  if (await job.ctx.storage.head(asset.uploadedKey)) await job.ctx.storage.copy(asset.uploadedKey, key);
  return {
    kind: 'uploaded',
    key,
    name: asset.name,
    hash: asset.hash,
    hasHls: false,
    uploadedKey: asset.uploadedKey,
  };
}

/**
 * Downloads a file and reserves quota for it.
 * @throws TaskFailure if the team has no quota left for the file
 */
async function downloadWithinQuota(
  job: TaskJob,
  assetId: string,
  download: Pick<Download, 'url' | 'key' | 'onProgress'>,
): Promise<{ name: string }> {
  const maxUploadBytes = await readUploadLimit(job.ctx, assetId);
  const remainingBytes = (await readStorageRoom(job.ctx, assetId)) ?? maxUploadBytes;
  const maxBytes = Math.min(maxUploadBytes, remainingBytes);
  try {
    const fileName = await downloadSource(job, { ...download, maxBytes });
    const object = await job.ctx.storage.head(download.key);
    await reserveAssetStorage(job, assetId, object?.bytes ?? 0).catch(async (error: unknown) => {
      await deleteFiles(job.ctx, download.key);
      throw error;
    });
    return fileName;
  } catch (error) {
    const exceedsQuota = remainingBytes < maxUploadBytes && error instanceof TaskFailure;
    // The download stopped at the quota: one byte more makes the reservation fail, with the reason for the task.
    if (exceedsQuota && error.message === createTooLargeFailure(maxBytes).message)
      await reserveAssetStorage(job, assetId, remainingBytes + 1);
    throw error;
  }
}

/** Copies the MP4 and the HLS files of a recording to the folder of the asset. */
async function prepareRecording(
  { ctx, signal }: TaskJob,
  assetId: string,
  { mp4Key, hlsPrefix }: { readonly mp4Key: string; readonly hlsPrefix: string },
): Promise<Source> {
  const key = assetKey(assetId, 'source.mp4');
  await ctx.storage.copy(mp4Key, key);
  const targetPrefix = `${assetPrefix(assetId)}${hlsFolder}`;
  await ctx.storage.copyPrefix(hlsPrefix, targetPrefix, {
    includes: (name) => /\.(m3u8|m4s|mp4)$/.test(name),
    signal,
  });
  const hasHls = (await ctx.storage.head(`${targetPrefix}index.m3u8`)) !== null;
  return { kind: 'recorded', key, name: basename(mp4Key), hash: null, hasHls, uploadedKey: null };
}
