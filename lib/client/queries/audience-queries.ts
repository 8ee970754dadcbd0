'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { call } from '@/lib/client/call';
import { getAudience } from '@/lib/contract/audience/audience';
import type { QueryInput } from '@/lib/contract/define-endpoint';

/** Playback quality. The previous data stays visible while another period loads. */
export const useAudience = (query: QueryInput<typeof getAudience>, refetchInterval: number) =>
  useQuery({
    queryKey: ['audience', query],
    queryFn: ({ signal }) => call(getAudience, { query }, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval,
  });
