'use client';

import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { call, callList } from '@/lib/client/call';
import type { PublicPlaybackPolicy } from '@/lib/contract/access/playback-policy';
import { isGated } from '@/lib/core/access/playback-policy';
import type { Addresses } from '@/lib/client/queries/addresses';
import { previewKey, streamViewersKey, type PageQuery } from '@/lib/client/query-keys';
import { getStreamHealth } from '@/lib/contract/streams/stream-health';
import { getStreamPreview, previewParameter, type Preview } from '@/lib/contract/access/preview';
import { getStreamViewers, listViewers } from '@/lib/contract/streams/viewers';
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

const previewOf = (id: string) => ({
  queryKey: previewKey(id),
  queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
    call(getStreamPreview, { params: { id } }, { signal }),
  staleTime: Infinity,
  retry: 1,
});

/** Fields of a stream that its thumbnail needs. */
interface PicturedStream {
  readonly id: string;
  readonly playbackId: string;
  readonly playbackPolicy?: PublicPlaybackPolicy;
}

const isRestricted = ({ playbackPolicy }: PicturedStream) =>
  playbackPolicy !== undefined && isGated(playbackPolicy);
const tokensOf = (results: readonly { readonly data: Preview | undefined }[]) =>
  results.map(({ data }) => data?.token);

/**
 * URLs of the pictures of live streams, with the token of the owner where not everybody may watch.
 * @param streams that are live
 * @param at changes with the picture
 * @returns undefined for a stream until its URL is known
 */
export function useLivePictures(
  streams: readonly PicturedStream[],
  addresses: Addresses | undefined,
  at: number,
): (stream: PicturedStream) => string | undefined {
  const restrictedIds = useMemo(() => streams.filter(isRestricted).map(({ id }) => id), [streams]);
  const tokens = useQueries({ queries: restrictedIds.map(previewOf), combine: tokensOf });
  return useCallback(
    (stream) => {
      const picture = addresses && `${addresses.thumbnailUrl(stream.playbackId)}?at=${at}`;
      if (!picture || !isRestricted(stream)) return picture;
      const token = tokens[restrictedIds.indexOf(stream.id)];
      return token && `${picture}&${previewParameter}=${token}`;
    },
    [addresses, at, restrictedIds, tokens],
  );
}

/**
 * The playlist as the dashboard plays it, without counting as a viewer. Undefined until its token is known; without one
 * the playlist still plays.
 */
export function usePreviewUrl(id: string, playbackUrl: string): string | undefined {
  const preview = useQuery(previewOf(id));
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
