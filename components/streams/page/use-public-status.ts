'use client';

import { useQuery } from '@tanstack/react-query';
import { probePlaylist } from '@/components/player/engine/probe';
import { useFormattedNow } from '@/components/ui/relative-time';
import type { Stream } from '@/lib/contract/streams/stream';
import { type PublicStatus, publicStatusOf } from '@/lib/core/streams/public-status';
import { scheduleStateOf } from '@/lib/core/streams/schedule';

const REFRESH_INTERVAL_MS = 5000;

/**
 * The public status of a stream, which its watch page shows instead of video, such as "not live yet". While the stream is
 * not live, it is requested from the service as on the watch page. Until the response arrives, it is derived from the
 * stream.
 * @param playlistUrl URL of the playlist; undefined while unknown
 */
export function usePublicStatus(stream: Stream, playlistUrl: string | undefined): PublicStatus {
  const { id, isActive, suspended, lastSeen, startsAt = null } = stream;
  const schedule = { startsAt, isActive, lastSeen: lastSeen > 0 ? lastSeen : null };
  const isAnnounced = useFormattedNow((now) => scheduleStateOf(schedule, now) ?? '') !== '';
  const statusQuery = useQuery({
    // The facts of the stream are part of the key, so that a change causes a new request immediately.
    queryKey: ['streams', 'publicStatus', id, playlistUrl, suspended, lastSeen, startsAt],
    queryFn: async ({ signal }) =>
      playlistUrl === undefined ? null : ((await probePlaylist(playlistUrl, signal)).publicStatus ?? null),
    enabled: !isActive && playlistUrl !== undefined,
    refetchInterval: REFRESH_INTERVAL_MS,
  });
  if (!isActive && statusQuery.data) return statusQuery.data;
  return publicStatusOf({
    deleted: false,
    suspended,
    isActive,
    publishing: false,
    lastSession: lastSeen > 0 ? { endedAt: lastSeen, recordingId: null } : null,
    startsAt: isAnnounced ? startsAt : null,
  });
}
