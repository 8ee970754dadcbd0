import { LRUCache } from 'lru-cache';
import type { StorageDriver } from '@/lib/infra/storage';
import { unfinishedPlaylists } from './make-recording';

/** Maximum time a list of stored files is reused: players reload a playlist after about one segment duration. */
const freshMs = 2_000;
const maxSessions = 100;

/**
 * Playlists of recordings that are not finished. The files of a session are listed once, however many viewers request them.
 */
export function unfinishedRecordings(storage: Pick<StorageDriver, 'list' | 'read' | 'head'>) {
  const recordings = new LRUCache<string, ReadonlyMap<string, string>>({
    max: maxSessions,
    ttl: freshMs,
    fetchMethod: (key) => {
      const [sessionId = '', endedAt] = key.split(' ');
      return unfinishedPlaylists(storage, sessionId, endedAt === 'ended');
    },
  });
  return (sessionId: string, ended: boolean): Promise<ReadonlyMap<string, string> | undefined> =>
    recordings.fetch(`${sessionId} ${ended ? 'ended' : 'open'}`);
}
