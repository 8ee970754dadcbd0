'use client';

import { useQuery } from '@tanstack/react-query';
import { getStreamViewers, listViewers } from '@/lib/contract/viewers';
import { call } from './call';

/** Who watches one stream. */
export const useStreamViewers = (id: string, refetchInterval: number) =>
  useQuery({
    queryKey: ['streams', 'viewers', id],
    queryFn: ({ signal }) => call(getStreamViewers, { params: { id } }, { signal }),
    refetchInterval,
  });

/** Everything that is watched now. */
export const useViewers = (refetchInterval: number) =>
  useQuery({
    queryKey: ['streams', 'viewers'],
    queryFn: ({ signal }) => call(listViewers, {}, { signal }),
    refetchInterval,
  });
