import { LRUCache } from 'lru-cache';
import type { StorageDriver } from '@/lib/infra/storage';
import { playlistsSoFar } from './make-recording';

/** Players read a playlist again after a segment's length; the list of files behind it is read at most this often. */
const freshMs = 2_000;
const maxSessions = 100;

/**
 * Playlists of recordings whose own are not made yet. However many viewers ask, the files of a session are listed once.
 */
export function recordingsSoFar(storage: Pick<StorageDriver, 'list' | 'read' | 'head'>) {
  const recordings = new LRUCache<string, ReadonlyMap<string, string>>({
    max: maxSessions,
    ttl: freshMs,
    fetchMethod: (key) => {
      const [sessionId = '', endedAt] = key.split(' ');
      return playlistsSoFar(storage, sessionId, endedAt === 'ended');
    },
  });
  return (sessionId: string, ended: boolean): Promise<ReadonlyMap<string, string> | undefined> =>
    recordings.fetch(`${sessionId} ${ended ? 'ended' : 'open'}`);
}
