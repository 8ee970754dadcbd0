'use client';

import { useQuery } from '@tanstack/react-query';
import { probePlaylist } from '@/components/player/engine/probe';
import { useFormattedNow } from '@/components/ui/relative-time';
import type { Stream } from '@/lib/contract/streams/stream';
import { type Broadcast, broadcastOf } from '@/lib/core/streams/broadcast';
import { scheduleStateOf } from '@/lib/core/streams/schedule';

const REFRESH_INTERVAL_MS = 5000;

/**
 * The broadcast state that the watch page of a stream shows. While the stream is not live, the service is asked like by
 * a watch page; the state is derived from the stream until it answers.
 * @param playlistUrl URL of the playlist; undefined until known
 */
export function useViewerBroadcast(stream: Stream, playlistUrl: string | undefined): Broadcast {
  const { id, isActive, suspended, lastSeen, startsAt = null } = stream;
  const schedule = { startsAt, isActive, lastSeen: lastSeen > 0 ? lastSeen : null };
  const isAnnounced = useFormattedNow((now) => scheduleStateOf(schedule, now) ?? '') !== '';
  const answer = useQuery({
    // A change of the stream asks again immediately.
    queryKey: ['streams', 'broadcast', id, playlistUrl, suspended, lastSeen, startsAt],
    queryFn: async ({ signal }) =>
      playlistUrl === undefined ? null : ((await probePlaylist(playlistUrl, signal)).broadcast ?? null),
    enabled: !isActive && playlistUrl !== undefined,
    refetchInterval: REFRESH_INTERVAL_MS,
  });
  if (!isActive && answer.data) return answer.data;
  return broadcastOf({
    deleted: false,
    suspended,
    isActive,
    publishing: false,
    lastSession: lastSeen > 0 ? { endedAt: lastSeen, recordingId: null } : null,
    startsAt: isAnnounced ? startsAt : null,
  });
}
