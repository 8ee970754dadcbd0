import { readAcceptedMedia, failUpload, completeUpload, type UploadAttempt } from '@/lib/domain/assets';
import type { WorkerContext } from '@/lib/domain/context';
import { AppError } from '@/lib/core/errors';
import { uploadedObjectKey } from '@/lib/core/access/upload-token';
import { acceptedMedia } from '@/lib/core/media/media-policy';
import { createVideoSpec } from '@/lib/core/media/video-spec';
import { StorageError } from '@/lib/infra/storage';
import { acceptFile } from '@/media-worker/vod/import/accept-file';
import type { ReceivedBody } from './upload-body';

export interface UploadedFile {
  readonly playbackId: string;
  /** Path of the complete file. It stays until the database refers to the stored copy. */
  readonly path: string;
  readonly bytes: number;
  /** Hashes of the file; null if they have to be computed. */
  readonly hashes: ReceivedBody['hashes'] | null;
}

/** `Retry-After` for a file that could not be processed, in seconds. */
const RETRY_SECONDS = 15;

/**
 * Completes an upload: checks the file, stores it, and schedules its processing. Only a completed check rejects a
 * file.
 * @returns the reason of a rejection, or null
 * @throws AppError `conflict`; StorageError `full`; AppError `unavailable` if it must be retried
 */
export async function acceptUpload(
  ctx: WorkerContext,
  attempt: UploadAttempt,
  { playbackId, path, bytes, hashes }: UploadedFile,
): Promise<string | null> {
  try {
    const accept = await readAcceptedMedia(ctx, attempt.assetId);
    const acceptance = await acceptFile(path, { accept });
    const key = uploadedObjectKey(playbackId);
    if (!acceptance.accepted) {
      const isKept = accept === 'mp4' && (await keepConvertible(ctx, path, key));
      await failUpload(ctx, attempt, acceptance.reason, isKept ? key : undefined);
      return acceptance.reason;
    }
    const { report, container } = acceptance;
    await ctx.storage.putFile(key, path, { contentType: container.contentType, keep: true });
    const spec = createVideoSpec(report, container.format);
    await completeUpload(ctx, attempt, { key, bytes, hashes, spec });
    return null;
  } catch (error) {
    if (error instanceof AppError) throw error;
    ctx.log.warn({ err: error, assetId: attempt.assetId }, 'completed upload not processed; retrying later');
    if (error instanceof StorageError && error.kind === 'full') throw error;
    throw new AppError(
      'unavailable',
      'The file arrived but could not be processed right now. It is kept and will be processed automatically; you ' +
        'can also upload it again.',
      { retryAfter: RETRY_SECONDS },
    );
  }
}

/**
 * Stores a rejected file that a retry may convert, where the operator allows that.
 * @returns whether it was stored
 */
async function keepConvertible(ctx: WorkerContext, path: string, key: string): Promise<boolean> {
  if (acceptedMedia(ctx.settings.acceptMedia, { convert: true }) !== 'any') return false;
  const acceptance = await acceptFile(path, { accept: 'any' });
  if (!acceptance.accepted) return false;
  await ctx.storage.putFile(key, path, { contentType: acceptance.container.contentType, keep: true });
  return true;
}
