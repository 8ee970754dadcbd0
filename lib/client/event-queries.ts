'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { listStreamEvents } from '@/lib/contract/event-endpoints';
import { callList } from './call';
import type { PageQuery } from './query-keys';

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
