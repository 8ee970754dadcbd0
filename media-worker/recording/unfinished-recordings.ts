import { LRUCache } from 'lru-cache';
import type { StorageDriver } from '@/lib/infra/storage';
import { readUnfinishedPlaylists } from './make-recording';

/** Time for which playlists are cached. Players reload a playlist after about one segment duration. */
const CACHE_MS = 2_000;
const MAX_SESSIONS = 100;

/**
 * Creates a function that returns the playlists of a recording that is not finished, by file name below its `hls` folder;
 * undefined if nothing is stored. The files of a session are listed once per `CACHE_MS`, however many viewers there are.
 */
export function createUnfinishedPlaylistReader(storage: Pick<StorageDriver, 'list' | 'read' | 'head'>) {
  const playlists = new LRUCache<string, ReadonlyMap<string, string>>({
    max: MAX_SESSIONS,
    ttl: CACHE_MS,
    fetchMethod: (key) => {
      const [sessionId = '', endedAt] = key.split(' ');
      return readUnfinishedPlaylists(storage, sessionId, endedAt === 'ended');
    },
  });
  return (sessionId: string, hasEnded: boolean): Promise<ReadonlyMap<string, string> | undefined> =>
    playlists.fetch(`${sessionId} ${hasEnded ? 'ended' : 'open'}`);
}
