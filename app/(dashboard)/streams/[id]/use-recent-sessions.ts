'use client';

import { useSessions } from '@/lib/client/session-queries';

const REFRESH_MS = 5000;

/** The last few sessions of a stream; the header and the list read them together. */
export function useRecentSessions(streamId: string) {
  return useSessions({ parentId: streamId, limit: '5', order: 'createdAt-true' }, REFRESH_MS);
}
