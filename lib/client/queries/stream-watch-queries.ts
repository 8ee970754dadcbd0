'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { call, callList } from '@/lib/client/call';
import { previewKey, streamViewersKey, type PageQuery } from '@/lib/client/query-keys';
import { getStreamHealth } from '@/lib/contract/streams/stream-health';
import {
  getStreamPreview,
  getStreamViewers,
  listViewers,
  previewParameter,
} from '@/lib/contract/streams/viewers';
import { listStreamEvents } from '@/lib/contract/webhooks/event-endpoints';

/** The last ten minutes of a stream; asked again as often as something new is measured. */
export const useStreamHealth = (id: string, refetchInterval: number) =>
  useQuery({
    queryKey: ['streams', 'health', id],
    queryFn: ({ signal }) => call(getStreamHealth, { params: { id } }, { signal }),
    refetchInterval,
  });

/** Who watches one stream, and who did in the last `minutes`; what was shown before stays while that loads. */
export const useStreamViewers = (id: string, minutes: string, refetchInterval: number) =>
  useQuery({
    queryKey: streamViewersKey(id, minutes),
    queryFn: ({ signal }) => call(getStreamViewers, { params: { id }, query: { minutes } }, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval,
  });

/**
 * The playlist as the dashboard plays it, without counting as a viewer. Undefined until its token is known; without one
 * the playlist still plays.
 */
export function usePreviewUrl(id: string, playbackUrl: string): string | undefined {
  const preview = useQuery({
    queryKey: previewKey(id),
    queryFn: ({ signal }) => call(getStreamPreview, { params: { id } }, { signal }),
    staleTime: Infinity,
    retry: 1,
  });
  if (preview.data) return `${playbackUrl}?${previewParameter}=${preview.data.token}`;
  return preview.isError ? playbackUrl : undefined;
}

/** Everything that is watched now. */
export const useViewers = (refetchInterval: number) =>
  useQuery({
    queryKey: ['streams', 'viewers'],
    queryFn: ({ signal }) => call(listViewers, {}, { signal }),
    refetchInterval,
  });

/** One page of what happened to a stream; the page before stays on screen while the next one loads. */
export const useStreamEvents = (
  id: string,
  query: PageQuery<typeof listStreamEvents>,
  refetchInterval: number,
) =>
  useQuery({
    queryKey: ['streams', 'events', id, query],
    queryFn: ({ signal }) => callList(listStreamEvents, { params: { id }, query }, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval,
  });
