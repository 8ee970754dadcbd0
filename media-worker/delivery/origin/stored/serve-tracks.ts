import type { IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { LRUCache } from 'lru-cache';
import { prefixPlaylistUris } from '@/lib/core/hls/file-version';
import { subtitleFiles, formatSubtitlePlaylist, addSubtitles } from '@/lib/core/hls/subtitles';
import { assetKey } from '@/lib/core/storage-keys';
import type { StorageDriver } from '@/lib/infra/storage';
import type { Answer } from '@/media-worker/kit/http/answer';
import { contentTypes } from '@/media-worker/kit/http/content-types';
import { textAnswer } from './bytes-answer';
import type { StoredAssetFile } from './stored-asset-file';
import { oneMinuteCache, immutable } from './cache-control';
import { openStored } from './open-stored';

/**
 * Serves the files of text tracks: the master playlist, and the playlist and text of each track.
 * @returns null for all other files, and for the master playlist of an asset without tracks
 */
export type ServeTracks = (file: StoredAssetFile, headers: IncomingHttpHeaders) => Promise<Answer | null>;

interface TrackSources {
  readonly storage: Pick<StorageDriver, 'head' | 'read'>;
  /** The WebVTT of a track; null if there is none. */
  readonly readText: (id: string) => Promise<string | null>;
}

/** Maximum number of characters of track texts in the cache. */
const MAX_CACHED_CHARACTERS = 32_000_000;
const MAX_MASTER_BYTES = 1_000_000;

export function createServeTracks({ storage, readText }: TrackSources): ServeTracks {
  // The text of a track never changes. Concurrent viewers share one read.
  const texts = new LRUCache<string, string>({
    maxSize: MAX_CACHED_CHARACTERS,
    sizeCalculation: ({ length }) => Math.max(1, length),
    fetchMethod: async (id) => (await readText(id)) ?? undefined,
  });
  const readMaster = async (filesId: string): Promise<string | null> => {
    const key = assetKey(filesId, 'hls/index.m3u8');
    const object = await storage.head(key);
    return object && object.bytes <= MAX_MASTER_BYTES ? text(await openStored(storage, key)) : null;
  };
  return async ({ asset, file, folder }, headers) => {
    const { assetId, filesId, tracks, duration } = asset;
    if (tracks.length === 0) return null;
    const answer = (body: string, contentType: string, cacheControl: string) =>
      textAnswer({ bytes: Buffer.from(body), contentType, cacheControl, assetId }, headers);
    if (file === 'index.m3u8') {
      const masterPlaylist = await readMaster(filesId);
      if (masterPlaylist === null) return null;
      const body = addSubtitles(prefixPlaylistUris(folder, masterPlaylist), tracks);
      return answer(body, contentTypes.playlist, oneMinuteCache);
    }
    for (const { id } of tracks) {
      const files = subtitleFiles(id);
      if (file === files.playlist)
        return answer(formatSubtitlePlaylist(id, duration), contentTypes.playlist, oneMinuteCache);
      if (file !== files.text) continue;
      const body = await texts.fetch(id);
      return body === undefined ? null : answer(body, 'text/vtt; charset=utf-8', immutable);
    }
    return null;
  };
}
