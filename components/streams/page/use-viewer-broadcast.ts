'use client';

import { useQuery } from '@tanstack/react-query';
import { probePlaylist } from '@/components/player/engine/probe';
import { useFormattedNow } from '@/components/ui/relative-time';
import type { Stream } from '@/lib/contract/streams/stream';
import { type Broadcast, broadcastOf } from '@/lib/core/streams/broadcast';
import { scheduleStateOf } from '@/lib/core/streams/schedule';

const REFRESH_INTERVAL_MS = 5000;

/**
 * The state of a stream that its watch page shows instead of video, such as "not live yet". While the stream is not
 * live, it is requested from the service as on the watch page. Until the response arrives, it is derived from the stream.
 * @param playlistUrl URL of the playlist; undefined while unknown
 */
export function useViewerBroadcast(stream: Stream, playlistUrl: string | undefined): Broadcast {
  const { id, isActive, suspended, lastSeen, startsAt = null } = stream;
  const schedule = { startsAt, isActive, lastSeen: lastSeen > 0 ? lastSeen : null };
  const isAnnounced = useFormattedNow((now) => scheduleStateOf(schedule, now) ?? '') !== '';
  const viewerBroadcast = useQuery({
    // The facts of the stream are part of the key, so that a change causes a new request immediately.
    queryKey: ['streams', 'broadcast', id, playlistUrl, suspended, lastSeen, startsAt],
    queryFn: async ({ signal }) =>
      playlistUrl === undefined ? null : ((await probePlaylist(playlistUrl, signal)).broadcast ?? null),
    enabled: !isActive && playlistUrl !== undefined,
    refetchInterval: REFRESH_INTERVAL_MS,
  });
  if (!isActive && viewerBroadcast.data) return viewerBroadcast.data;
  return broadcastOf({
    deleted: false,
    suspended,
    isActive,
    publishing: false,
    lastSession: lastSeen > 0 ? { endedAt: lastSeen, recordingId: null } : null,
    startsAt: isAnnounced ? startsAt : null,
  });
}
