import type { IncomingHttpHeaders } from 'node:http';
import { isFieldIssue } from '@/lib/core/errors';
import { clampPictureTime, readPictureRequest } from '@/lib/core/media/picture-request';
import { type Answer, errorAnswer, notFoundAnswer } from '@/media-worker/kit/http/answer';
import { type AssetPictures, RETRY_AFTER_SECONDS } from './asset-pictures';
import type { StoredAssetFile } from './stored-asset-file';
import { bytesAnswer } from './bytes-answer';
import { oneMinuteCache } from './cache-control';

const POSTER_WIDTH = 1_280;
/**
 * Maximum default time of a poster, seconds. The default is a tenth of the duration, so that the poster shows no title; in a
 * long video, a tenth would be far into it.
 */
const MAX_DEFAULT_POSTER_SECONDS = 60;

/**
 * The answer when the picture takes longer than a request should wait, failed recently, or too many pictures are
 * waiting.
 */
const notReadyAnswer = errorAnswer(503, 'The picture is being prepared. Try again in a moment.', {
  'Retry-After': RETRY_AFTER_SECONDS,
});

/** The parts of a request that decide its answer. */
interface ViewerRequest {
  readonly query?: URLSearchParams;
  /** IP address of the viewer; each address has its own share of the queue. */
  readonly client?: string;
  readonly headers: IncomingHttpHeaders;
}

/**
 * Serves the pictures that are created at the first request: `thumbnail.jpg`, `preview.webp`, and `poster.jpg` of an
 * asset with a chosen poster time.
 * @returns null for other files, and while a chosen poster cannot be created: the caller then serves the stored file with this name
 */
export async function servePictures(
  pictures: Pick<AssetPictures, 'getPicture' | 'getAnimatedPreview'>,
  { asset, file }: Pick<StoredAssetFile, 'asset' | 'file'>,
  { query, client = '', headers }: ViewerRequest,
): Promise<Answer | null> {
  const posterTime = asset.posterTime ?? Math.min(asset.duration / 10, MAX_DEFAULT_POSTER_SECONDS);
  const isChosenPoster = file === 'poster.jpg' && asset.posterTime !== null;
  if (!isChosenPoster && file !== 'thumbnail.jpg' && file !== 'preview.webp') return null;
  if (!asset.hasVideo) return notFoundAnswer('This asset has no video.');
  const viewer = { asset, client };
  const pictureAnswer = (bytes: Buffer, contentType: string) =>
    bytesAnswer({ bytes, contentType, cacheControl: oneMinuteCache, assetId: asset.assetId }, headers);
  if (isChosenPoster) {
    const bytes = await pictures.getPicture(viewer, posterTime, POSTER_WIDTH);
    return typeof bytes === 'string' ? null : pictureAnswer(bytes, 'image/jpeg');
  }
  const pictureRequest = readPictureRequest(query ?? new URLSearchParams());
  if (isFieldIssue(pictureRequest)) return errorAnswer(400, pictureRequest);
  const isAnimated = file === 'preview.webp';
  const picture = await (isAnimated
    ? pictures.getAnimatedPreview(viewer, posterTime)
    : pictures.getPicture(
        viewer,
        clampPictureTime(pictureRequest.time ?? posterTime, asset.duration),
        pictureRequest.width,
      ));
  if (picture === 'not-ready') return notReadyAnswer;
  if (picture === 'no-picture') return notFoundAnswer('The video has no such picture.');
  return pictureAnswer(picture, isAnimated ? 'image/webp' : 'image/jpeg');
}
