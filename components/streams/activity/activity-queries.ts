'use client';

import { useSessions } from '@/lib/client/queries/session-queries';
import { useStreamEvents } from '@/lib/client/queries/stream-watch-queries';

const SESSIONS_REFRESH_INTERVAL_MS = 5000;
/** Refresh interval, short enough that a rejected encoder is shown within 3 s. */
const EVENTS_REFRESH_INTERVAL_MS = 2000;
/** Number of events of one page, shared so that all components use one query. */
const EVENTS = '8';

/** The most recent sessions, in one query for the header and the list. */
export function useRecentSessions(streamId: string) {
  return useSessions(
    { parentId: streamId, limit: '5', order: 'createdAt-true' },
    SESSIONS_REFRESH_INTERVAL_MS,
  );
}

/** One page of events, in one query for the header and the first page of the list. */
export function useRecentEvents(streamId: string, cursor: string | null = null) {
  const query = { limit: EVENTS, ...(cursor === null ? {} : { cursor }) };
  return useStreamEvents(streamId, query, EVENTS_REFRESH_INTERVAL_MS);
}
