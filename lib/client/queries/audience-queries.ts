'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { MINUTE_MS } from '@/lib/core/units';
import { callEndpoint } from '@/lib/client/call';
import type { QueryInput } from '@/lib/contract/define-endpoint';
import { getAudience } from '@/lib/client/routes/audience-routes';
import type { EndpointOf } from '@/lib/client/routes/route';

/** Viewers, their playback quality, and causes of stalls. The previous data stays visible while another period loads. */
export const useAudience = (query: QueryInput<EndpointOf<typeof getAudience>>, refetchInterval: number) =>
  useQuery({
    queryKey: ['audience', query],
    queryFn: ({ signal }) => callEndpoint(getAudience, { query }, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval,
  });

/**
 * Audience of the team since a time. Every request covers the time until the request.
 * @param startsAt Unix milliseconds, at a full minute
 */
export const useAudienceSince = (startsAt: number, refetchInterval: number) =>
  useQuery({
    queryKey: ['audience', 'since', startsAt],
    queryFn: ({ signal }) => {
      const minutes = Math.max(1, Math.floor((Date.now() - startsAt) / MINUTE_MS));
      return callEndpoint(getAudience, { query: { minutes: String(minutes) } }, { signal });
    },
    placeholderData: keepPreviousData,
    refetchInterval,
  });
