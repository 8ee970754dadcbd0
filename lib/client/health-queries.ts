'use client';

import { useQuery } from '@tanstack/react-query';
import { getStreamHealth } from '@/lib/contract/stream-health';
import { call } from './call';

/** The last ten minutes of a stream; asked again as often as something new is measured. */
export const useStreamHealth = (id: string, refetchInterval: number) =>
  useQuery({
    queryKey: ['streams', 'health', id],
    queryFn: ({ signal }) => call(getStreamHealth, { params: { id } }, { signal }),
    refetchInterval,
  });
