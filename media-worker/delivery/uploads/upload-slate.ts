import type { IncomingMessage } from 'node:http';
import { deleteFiles } from '@/lib/domain/backup';
import type { WorkerContext } from '@/lib/domain/context';
import { MAX_SLATE_PICTURE_BYTES } from '@/lib/contract/streams/slate-picture';
import { slateKey } from '@/lib/core/storage-keys';
import { newPlaybackId } from '@/lib/infra/ids';
import type { PictureClaims } from '@/lib/infra/picture-token';
import { readSlateToken, setSlatePicture } from '@/lib/domain/streams';
import { planSlatePicture } from '@/media-worker/media/ffmpeg/uploaded-picture-args';
import { jsonAnswer, type Answer } from '@/media-worker/kit/http/answer';
import { putPicture, type PictureContext } from './upload-picture';

/** Handles a PUT to the URL of a slate upload. */
export const putSlate = (ctx: WorkerContext, request: IncomingMessage): Promise<Answer> =>
  putPicture(ctx, request, {
    name: 'slate picture',
    maxBytes: MAX_SLATE_PICTURE_BYTES,
    endpoint: 'POST /api/stream/{id}/slate-picture',
    readClaims: readSlateToken,
    planConversion: planSlatePicture,
    store: storeSlate,
  });

async function storeSlate(ctx: PictureContext, png: Buffer, { ownerId: id }: PictureClaims): Promise<Answer> {
  const file = `${newPlaybackId()}.png`;
  await ctx.storage.put(slateKey(file), png, { contentType: 'image/png' });
  // If this fails, the daily search for orphaned files deletes the new file. While a backup runs, nothing is deleted
  // here, and that search deletes the previous file later.
  const previousKey = await setSlatePicture(ctx, { id, file });
  if (previousKey !== null) await deleteFiles(ctx, previousKey);
  return jsonAnswer(200, { slatePictureUrl: `${ctx.settings.cdnUrl}/${slateKey(file)}` });
}
