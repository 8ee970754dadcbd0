'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getStreamViewers, listViewers } from '@/lib/contract/viewers';
import { call } from './call';

/** Who watches one stream, and who did in the last `minutes`; what was shown before stays while that loads. */
export const useStreamViewers = (id: string, minutes: string, refetchInterval: number) =>
  useQuery({
    queryKey: ['streams', 'viewers', id, minutes],
    queryFn: ({ signal }) => call(getStreamViewers, { params: { id }, query: { minutes } }, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval,
  });

/** Everything that is watched now. */
export const useViewers = (refetchInterval: number) =>
  useQuery({
    queryKey: ['streams', 'viewers'],
    queryFn: ({ signal }) => call(listViewers, {}, { signal }),
    refetchInterval,
  });
