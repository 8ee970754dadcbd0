import type { IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { playlistBelow, storyboardBelow } from '@/lib/core/hls/file-version';
import { assetKey } from '@/lib/core/storage-keys';
import type { StorageDriver } from '@/lib/infra/storage';
import type { Answer } from '@/media-worker/kit/http/answer';
import { contentTypes } from '@/media-worker/kit/http/hls-request';
import type { StoredAssetFile } from './stored-asset-file';
import { forAMinute, openStored } from './serve-file';
import { textAnswer } from './serve-tracks';

/** Files that contain URLs of other files in the folder of their version. */
const naming = {
  'index.m3u8': { key: 'hls/index.m3u8', type: contentTypes.playlist, below: playlistBelow },
  'storyboard.vtt': { key: 'storyboard.vtt', type: 'text/vtt; charset=utf-8', below: storyboardBelow },
} as const;
const maxBytes = 1_000_000;

/**
 * Serves the playlist and the storyboard of an asset whose file was replaced.
 * @returns null for all other files
 */
export function serveNaming(storage: Pick<StorageDriver, 'head' | 'read'>) {
  return async (
    { asset, file, folder }: StoredAssetFile,
    headers: IncomingHttpHeaders,
  ): Promise<Answer | null> => {
    if (folder === '' || (file !== 'index.m3u8' && file !== 'storyboard.vtt')) return null;
    const { key: name, type: contentType, below } = naming[file];
    const key = assetKey(asset.filesId, name);
    const object = await storage.head(key);
    if (!object || object.bytes > maxBytes) return null;
    const bytes = Buffer.from(below(folder, await text(await openStored(storage, key))));
    return textAnswer({ bytes, contentType, cacheControl: forAMinute, assetId: asset.assetId }, headers);
  };
}
