'use client';

import { useSessions } from '@/lib/client/queries/session-queries';
import { useStreamEvents } from '@/lib/client/queries/stream-watch-queries';

const SESSIONS_REFRESH_INTERVAL_MS = 5000;
/** Refresh interval, short enough that a rejected encoder is shown within 3 s. */
const EVENTS_REFRESH_INTERVAL_MS = 2000;
const EVENTS_PER_PAGE = '8';

/** Query for the five newest sessions, which all components of a stream page share. */
export function useRecentSessions(streamId: string) {
  return useSessions(
    // `true` after the name of the field means descending.
    { parentId: streamId, limit: '5', order: 'createdAt-true' },
    SESSIONS_REFRESH_INTERVAL_MS,
  );
}

/**
 * Query for one page of events, newest first. The header of the stream page and the list of events share the query for
 * the first page.
 * @param cursor start of the page; null: the first page
 */
export function useRecentEvents(streamId: string, cursor: string | null = null) {
  const query = { limit: EVENTS_PER_PAGE, ...(cursor === null ? {} : { cursor }) };
  return useStreamEvents(streamId, query, EVENTS_REFRESH_INTERVAL_MS);
}
