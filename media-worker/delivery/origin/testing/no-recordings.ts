import type { ServeRecordings } from '@/media-worker/delivery/origin/stored/serve-recording';

/** An origin without recordings. */
export const noRecordings: ServeRecordings = {
  storage: { head: () => Promise.resolve(null), read: () => Promise.resolve(null) },
  sessions: { find: () => Promise.resolve(null) },
};
