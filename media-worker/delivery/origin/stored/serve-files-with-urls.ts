import type { IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { prefixPlaylistUris, prefixStoryboardUris } from '@/lib/core/hls/file-version';
import { assetKey } from '@/lib/core/storage-keys';
import type { StorageDriver } from '@/lib/infra/storage';
import type { Answer } from '@/media-worker/kit/http/answer';
import { contentTypes } from '@/media-worker/kit/http/content-types';
import type { StoredAssetFile } from './stored-asset-file';
import { oneMinuteCache } from './cache-control';
import { openStored } from './open-stored';
import { textAnswer } from './bytes-answer';

/** Files that contain URLs of other files in the folder of their version. */
const filesWithUrls = {
  'index.m3u8': {
    path: 'hls/index.m3u8',
    contentType: contentTypes.playlist,
    prefixUris: prefixPlaylistUris,
  },
  'storyboard.vtt': {
    path: 'storyboard.vtt',
    contentType: 'text/vtt; charset=utf-8',
    prefixUris: prefixStoryboardUris,
  },
} as const;
const MAX_BYTES = 1_000_000;

/**
 * Creates the function that serves the master playlist and the storyboard of an asset whose file was replaced. Their
 * URLs get the folder of the current version.
 * @returns a function that returns null for all other files
 */
export function createServeFilesWithUrls(storage: Pick<StorageDriver, 'head' | 'read'>) {
  return async (
    { asset, file, folder }: StoredAssetFile,
    headers: IncomingHttpHeaders,
  ): Promise<Answer | null> => {
    if (folder === '' || (file !== 'index.m3u8' && file !== 'storyboard.vtt')) return null;
    const { path, contentType, prefixUris } = filesWithUrls[file];
    const key = assetKey(asset.filesId, path);
    const object = await storage.head(key);
    if (!object || object.bytes > MAX_BYTES) return null;
    const bytes = Buffer.from(prefixUris(folder, await text(await openStored(storage, key))));
    return textAnswer({ bytes, contentType, cacheControl: oneMinuteCache, assetId: asset.assetId }, headers);
  };
}
