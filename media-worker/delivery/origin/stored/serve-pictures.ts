import type { IncomingHttpHeaders } from 'node:http';
import { pictureTime, readPictureRequest } from '@/lib/core/media/picture-request';
import { type Answer, errorAnswer, notFoundAnswer } from '@/media-worker/kit/http/answer';
import type { AssetPictures } from './asset-pictures';
import type { StoredAssetFile } from './stored-asset-file';
import { forAMinute } from './serve-file';
import { bytesAnswer } from './serve-tracks';

const posterWidth = 1_280;
/** Seconds: late enough to skip titles, and early enough in a long film. */
const latestPoster = 60;

/** The picture takes longer than a request should wait, or other pictures are made first. */
const notReady = errorAnswer(503, 'The picture is being prepared. Try again in a moment.', {
  'Retry-After': 5,
});

interface PictureQuery {
  readonly query?: URLSearchParams;
  /** Address of the viewer. */
  readonly client?: string;
  readonly headers: IncomingHttpHeaders;
}

/**
 * Pictures made at the first request: `thumbnail.jpg`, `preview.webp`, and `poster.jpg` of an asset with a chosen time.
 * @returns null for other files, and while a chosen poster cannot be made
 */
export async function servePictures(
  pictures: Pick<AssetPictures, 'picture' | 'preview'>,
  { asset, file }: Pick<StoredAssetFile, 'asset' | 'file'>,
  { query, client = '', headers }: PictureQuery,
): Promise<Answer | null> {
  const poster = asset.posterTime ?? Math.min(asset.duration / 10, latestPoster);
  const chosenPoster = file === 'poster.jpg' && asset.posterTime !== null;
  if (!chosenPoster && file !== 'thumbnail.jpg' && file !== 'preview.webp') return null;
  if (!asset.hasVideo) return notFoundAnswer('This asset has no video.');
  const pictureRequest = { asset, client };
  const answer = (bytes: Buffer, contentType: string) =>
    bytesAnswer({ bytes, contentType, cacheControl: forAMinute, assetId: asset.assetId }, headers);
  if (chosenPoster) {
    const bytes = await pictures.picture(pictureRequest, poster, posterWidth);
    return bytes === null || bytes === 'none' ? null : answer(bytes, 'image/jpeg');
  }
  const request = readPictureRequest(query ?? new URLSearchParams());
  if ('field' in request) return errorAnswer(400, request);
  const isPreview = file === 'preview.webp';
  const picture = await (isPreview
    ? pictures.preview(pictureRequest, poster)
    : pictures.picture(pictureRequest, pictureTime(request.time ?? poster, asset.duration), request.width));
  if (picture === null) return notReady;
  if (picture === 'none') return notFoundAnswer('The video has no such picture.');
  return answer(picture, isPreview ? 'image/webp' : 'image/jpeg');
}
