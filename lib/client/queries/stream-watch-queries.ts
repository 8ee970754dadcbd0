'use client';

import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { callEndpoint, callListEndpoint } from '@/lib/client/call';
import { MAX_LIST_ROWS } from '@/lib/client/list-cache';
import type { PublicPlaybackPolicy } from '@/lib/contract/access/playback-policy';
import { DAY_MS, HOUR_MS, MINUTE_MS, WEEK_MS } from '@/lib/core/units';
import { isRestricted } from '@/lib/core/access/playback-policy';
import type { PublicUrls } from '@/lib/client/queries/public-urls';
import { PREVIEW_STALE_TIME_MS, previewKey, streamViewersKey, type PageQuery } from '@/lib/client/query-keys';
import type { Preview } from '@/lib/contract/access/preview';
import { previewParameter } from '@/lib/core/access/shared-names';
import { getStreamPreview } from '@/lib/client/routes/access-routes';
import { getStreamHealth, getStreamViewers, listViewers } from '@/lib/client/routes/streams-routes';
import { listStreamEvents } from '@/lib/client/routes/webhooks-routes';
import type { EndpointOf } from '@/lib/client/routes/route';

/**
 * Longest time range for which health samples are requested. The service keeps samples for a week; the period is a minute
 * shorter, because the clock of the browser may be behind that of the service.
 */
const MAX_HEALTH_RANGE_MS = WEEK_MS - MINUTE_MS;

/**
 * Health samples of a stream for the last ten minutes.
 * @param refetchInterval milliseconds between two requests
 */
export const useStreamHealth = (id: string, refetchInterval: number) =>
  useQuery({
    queryKey: ['streams', 'health', id],
    queryFn: ({ signal }) => callEndpoint(getStreamHealth, { params: { id } }, { signal }),
    refetchInterval,
  });

/**
 * Health samples since a session started, for at most a week, reduced to 240 points for a chart.
 * @param startsAt start of the session in Unix milliseconds; undefined until the session is loaded
 * @param refetchInterval milliseconds between two requests
 */
export const useSessionHealth = (id: string, startsAt: number | undefined, refetchInterval: number) =>
  useQuery({
    queryKey: ['streams', 'health-since', id, startsAt],
    queryFn: ({ signal }) => {
      const since = Math.max(startsAt ?? 0, Date.now() - MAX_HEALTH_RANGE_MS);
      const query = { from: String(since), points: '240' };
      return callEndpoint(getStreamHealth, { params: { id }, query }, { signal });
    },
    enabled: startsAt !== undefined,
    refetchInterval,
  });

/**
 * The current viewers of a stream, and the viewers of the last `minutes`. The previous data stays visible while another
 * period loads.
 */
export const useStreamViewers = (id: string, minutes: string, refetchInterval: number) =>
  useQuery({
    queryKey: streamViewersKey(id, minutes),
    queryFn: ({ signal }) =>
      callEndpoint(getStreamViewers, { params: { id }, query: { minutes } }, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval,
  });

/** Longest time range for which the service keeps the viewers of each minute. */
const MAX_VIEWERS_RANGE_MS = 30 * DAY_MS;

/**
 * Viewers in each minute since the last session of a stream started. Not requested for a session that started before the
 * period that the service keeps, or within the first hour of that period, which may be deleted during the request.
 * @param startsAt start of the session in Unix milliseconds; undefined until the session is loaded
 */
export const useViewersSince = (id: string, startsAt: number | undefined) =>
  useQuery({
    queryKey: ['streams', 'viewers-since', id, startsAt],
    queryFn: ({ signal }) => {
      const minutes = String(Math.ceil((Date.now() - (startsAt ?? 0)) / MINUTE_MS) + 1);
      return callEndpoint(getStreamViewers, { params: { id }, query: { minutes } }, { signal });
    },
    enabled: startsAt !== undefined && startsAt > Date.now() - MAX_VIEWERS_RANGE_MS + HOUR_MS,
    staleTime: HOUR_MS,
  });

const previewQuery = (id: string) => ({
  queryKey: previewKey(id),
  queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
    callEndpoint(getStreamPreview, { params: { id } }, { signal }),
  staleTime: PREVIEW_STALE_TIME_MS,
  retry: 1,
});

/** Fields of a stream that its thumbnail needs. */
interface ThumbnailStream {
  readonly id: string;
  readonly playbackId: string;
  readonly playbackPolicy?: PublicPlaybackPolicy;
}

const isRestrictedStream = ({ playbackPolicy }: ThumbnailStream) =>
  playbackPolicy !== undefined && isRestricted(playbackPolicy);
const tokensOf = (results: readonly { readonly data: Preview | undefined }[]) =>
  results.map(({ data }) => data?.token);

/**
 * URLs of the thumbnails of live streams. For a stream that is not public, the URL contains the preview token of the
 * signed-in person.
 * @param streams the live streams
 * @param thumbnailTime time in the URL; a new value makes browsers load the current thumbnail instead of a cached one
 * @returns a function that returns the URL for a stream; undefined until it is known
 */
export function useLiveThumbnails(
  streams: readonly ThumbnailStream[],
  urls: PublicUrls | undefined,
  thumbnailTime: number,
): (stream: ThumbnailStream) => string | undefined {
  const restrictedIds = useMemo(() => streams.filter(isRestrictedStream).map(({ id }) => id), [streams]);
  const tokens = useQueries({ queries: restrictedIds.map(previewQuery), combine: tokensOf });
  return useCallback(
    (stream) => {
      const thumbnailUrl = urls && `${urls.thumbnailUrl(stream.playbackId)}?at=${thumbnailTime}`;
      if (!thumbnailUrl || !isRestrictedStream(stream)) return thumbnailUrl;
      const token = tokens[restrictedIds.indexOf(stream.id)];
      return token && `${thumbnailUrl}&${previewParameter}=${token}`;
    },
    [urls, thumbnailTime, restrictedIds, tokens],
  );
}

/**
 * URL of the playlist for a player in the dashboard. It contains a preview token, so that playback counts no view. The
 * URL is undefined until the token is loaded, and has no token if the request for the token fails.
 */
export function usePreviewUrl(id: string, playbackUrl: string): string | undefined {
  const preview = useQuery(previewQuery(id));
  if (preview.data) return `${playbackUrl}?${previewParameter}=${preview.data.token}`;
  return preview.isError ? playbackUrl : undefined;
}

/** Current viewers of every live stream and asset of the team that has viewers. */
export const useAllViewers = (refetchInterval: number) =>
  useQuery({
    queryKey: ['streams', 'viewers'],
    queryFn: ({ signal }) => callEndpoint(listViewers, {}, { signal }),
    refetchInterval,
  });

/** One page of the events of a stream. The previous page stays visible while the next one loads. */
export const useStreamEvents = (
  id: string,
  query: PageQuery<EndpointOf<typeof listStreamEvents>>,
  refetchInterval: number,
) =>
  useQuery({
    queryKey: ['streams', 'events', id, query],
    queryFn: ({ signal }) => callListEndpoint(listStreamEvents, { params: { id }, query }, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval,
  });

/**
 * The events of a session, newest first, as many as one page may have.
 * @param startsAt start of the session in Unix milliseconds; undefined: not loaded yet
 */
export const useSessionEvents = (id: string, startsAt: number | undefined, refetchInterval: number) =>
  useQuery({
    queryKey: ['streams', 'events-since', id, startsAt],
    queryFn: ({ signal }) => {
      const filters = JSON.stringify([{ id: 'createdAt', value: { gte: startsAt } }]);
      const query = { limit: String(MAX_LIST_ROWS), filters };
      return callListEndpoint(listStreamEvents, { params: { id }, query }, { signal });
    },
    enabled: startsAt !== undefined,
    refetchInterval,
  });
