import type { IncomingHttpHeaders } from 'node:http';
import { clampPictureTime, readPictureRequest } from '@/lib/core/media/picture-request';
import { type Answer, errorAnswer, notFoundAnswer } from '@/media-worker/kit/http/answer';
import type { AssetPictures } from './asset-pictures';
import type { StoredAssetFile } from './stored-asset-file';
import { oneMinuteCache } from './serve-file';
import { bytesAnswer } from './serve-tracks';

const POSTER_WIDTH = 1_280;
/** Latest default time of a poster, seconds: late enough to skip titles, and early enough in a long video. */
const LATEST_POSTER_SECONDS = 60;

/**
 * The answer when the picture takes longer than a request should wait, failed recently, or too many pictures are
 * waiting.
 */
const notReadyAnswer = errorAnswer(503, 'The picture is being prepared. Try again in a moment.', {
  'Retry-After': 5,
});

interface PictureQuery {
  readonly query?: URLSearchParams;
  /** Address of the viewer. */
  readonly client?: string;
  readonly headers: IncomingHttpHeaders;
}

/**
 * Serves the pictures that are created at the first request: `thumbnail.jpg`, `preview.webp`, and `poster.jpg` of an
 * asset with a chosen poster time.
 * @returns null for other files, and while a chosen poster cannot be created
 */
export async function servePictures(
  pictures: Pick<AssetPictures, 'getPicture' | 'getPreview'>,
  { asset, file }: Pick<StoredAssetFile, 'asset' | 'file'>,
  { query, client = '', headers }: PictureQuery,
): Promise<Answer | null> {
  const posterTime = asset.posterTime ?? Math.min(asset.duration / 10, LATEST_POSTER_SECONDS);
  const isChosenPoster = file === 'poster.jpg' && asset.posterTime !== null;
  if (!isChosenPoster && file !== 'thumbnail.jpg' && file !== 'preview.webp') return null;
  if (!asset.hasVideo) return notFoundAnswer('This asset has no video.');
  const pictureRequest = { asset, client };
  const pictureAnswer = (bytes: Buffer, contentType: string) =>
    bytesAnswer({ bytes, contentType, cacheControl: oneMinuteCache, assetId: asset.assetId }, headers);
  if (isChosenPoster) {
    const bytes = await pictures.getPicture(pictureRequest, posterTime, POSTER_WIDTH);
    return bytes === null || bytes === 'none' ? null : pictureAnswer(bytes, 'image/jpeg');
  }
  const request = readPictureRequest(query ?? new URLSearchParams());
  if ('field' in request) return errorAnswer(400, request);
  const isPreview = file === 'preview.webp';
  const picture = await (isPreview
    ? pictures.getPreview(pictureRequest, posterTime)
    : pictures.getPicture(
        pictureRequest,
        clampPictureTime(request.time ?? posterTime, asset.duration),
        request.width,
      ));
  if (picture === null) return notReadyAnswer;
  if (picture === 'none') return notFoundAnswer('The video has no such picture.');
  return pictureAnswer(picture, isPreview ? 'image/webp' : 'image/jpeg');
}
