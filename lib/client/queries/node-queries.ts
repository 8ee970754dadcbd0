'use client';

import { useQuery } from '@tanstack/react-query';
import { listNodes } from '@/lib/contract/nodes/node';
import { call } from '@/lib/client/call';
import { nodesKey } from '@/lib/client/query-keys';

/** The nodes of the service; for operators. @param refetchInterval milliseconds */
export const useNodes = (refetchInterval: number) =>
  useQuery({
    queryKey: nodesKey,
    queryFn: ({ signal }) => call(listNodes, {}, { signal }),
    refetchInterval,
  });
