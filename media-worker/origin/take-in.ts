import { refuseUpload, receiveUpload, type UploadTurn } from '@/lib/assets';
import type { WorkerContext } from '@/lib/context';
import { uploadedObjectKey } from '@/lib/core/upload-token';
import { videoSpecOf } from '@/lib/core/video-spec';
import { acceptFile } from '../vod/accept-file';
import type { ReceivedBody } from './upload-body';

export interface UploadedFile {
  readonly playbackId: string;
  /** Complete; moved away from here when it is accepted. */
  readonly path: string;
  readonly bytes: number;
  /** Null where they are still to be computed. */
  readonly hashes: ReceivedBody['hashes'] | null;
}

/**
 * The end of every upload: the file is looked at before the sender is answered, then stored, and its processing is due
 * (specification §7, row 2).
 * @returns why it was refused, or null
 * @throws AppError `conflict`; any other error leaves the upload to be tried again
 */
export async function takeIn(
  ctx: WorkerContext,
  turn: UploadTurn,
  { playbackId, path, bytes, hashes }: UploadedFile,
): Promise<string | null> {
  const acceptance = await acceptFile(path, { silent: 'refused' });
  if (!acceptance.accepted) {
    await refuseUpload(ctx, turn, acceptance.reason);
    return acceptance.reason;
  }
  const key = uploadedObjectKey(playbackId);
  await ctx.storage.putFile(key, path, { contentType: 'video/mp4' });
  await receiveUpload(ctx, turn, { key, bytes, hashes, spec: videoSpecOf(acceptance.report) });
  return null;
}
