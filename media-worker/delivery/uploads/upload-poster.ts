import type { IncomingMessage } from 'node:http';
import { readAssetPosterToken, setAssetPoster } from '@/lib/domain/assets';
import { deleteFiles } from '@/lib/domain/backup';
import type { WorkerContext } from '@/lib/domain/context';
import { MAX_POSTER_BYTES } from '@/lib/contract/assets/poster';
import { posterKey } from '@/lib/core/storage-keys';
import { newPlaybackId } from '@/lib/infra/ids';
import type { PictureClaims } from '@/lib/infra/picture-token';
import type { Secrets } from '@/lib/infra/secrets';
import { readStreamPosterToken, setStreamPoster } from '@/lib/domain/streams';
import { planUploadedPoster } from '@/media-worker/media/ffmpeg/uploaded-picture-args';
import { jsonAnswer, type Answer } from '@/media-worker/kit/http/answer';
import { putPicture, type PictureContext } from './upload-picture';

interface PosterClaims extends PictureClaims {
  readonly kind: 'stream' | 'asset';
}

/** Handles a PUT to the URL of an upload for the poster of a stream or an asset. */
export const putPoster = (ctx: WorkerContext, request: IncomingMessage): Promise<Answer> =>
  putPicture<PosterClaims>(ctx, request, {
    name: 'poster',
    maxBytes: MAX_POSTER_BYTES,
    endpoint: 'POST /api/stream/{id}/poster or POST /api/asset/{id}/poster',
    readClaims: readPosterToken,
    storedFormat: 'jpeg',
    planConversion: planUploadedPoster,
    store: storePoster,
  });

function readPosterToken(secrets: Secrets, token: string, now: number): PosterClaims | null {
  const streamClaims = readStreamPosterToken(secrets, token, now);
  if (streamClaims) return { ...streamClaims, kind: 'stream' };
  const assetClaims = readAssetPosterToken(secrets, token, now);
  return assetClaims && { ...assetClaims, kind: 'asset' };
}

async function storePoster(
  ctx: PictureContext,
  jpeg: Buffer,
  { ownerId: id, kind }: PosterClaims,
): Promise<Answer> {
  const file = `${newPlaybackId()}.jpg`;
  await ctx.storage.put(posterKey(file), jpeg, { contentType: 'image/jpeg' });
  // If this fails, the daily search for orphaned files deletes the new file. While a backup runs, nothing is deleted
  // here, and that search deletes the previous file later.
  const previousKey = await (kind === 'stream' ? setStreamPoster : setAssetPoster)(ctx, { id, file });
  if (previousKey !== null) await deleteFiles(ctx, previousKey);
  return jsonAnswer(200, { posterUrl: `${ctx.settings.cdnUrl}/${posterKey(file)}` });
}
