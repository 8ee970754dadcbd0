'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { call } from '@/lib/client/call';
import type { QueryInput } from '@/lib/contract/define-endpoint';
import { getAudience } from '@/lib/client/routes/audience-routes';
import type { EndpointOf } from '@/lib/client/routes/route';

/** Playback quality. The previous data stays visible while another period loads. */
export const useAudience = (query: QueryInput<EndpointOf<typeof getAudience>>, refetchInterval: number) =>
  useQuery({
    queryKey: ['audience', query],
    queryFn: ({ signal }) => call(getAudience, { query }, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval,
  });
