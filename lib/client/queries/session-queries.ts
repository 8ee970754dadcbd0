'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { callEndpoint, callListEndpoint } from '@/lib/client/call';
import { oneSessionKey, type PageQuery } from '@/lib/client/query-keys';
import { getSession, listSessions } from '@/lib/client/routes/sessions-routes';
import type { EndpointOf } from '@/lib/client/routes/route';

export type SessionListQuery = PageQuery<EndpointOf<typeof listSessions>>;

const sessionsKey = ['sessions'] as const;

/** One page of sessions. The previous page stays visible while the next one loads. */
export const useSessions = (query: SessionListQuery, refetchInterval: number) =>
  useQuery({
    queryKey: [...sessionsKey, 'list', query],
    queryFn: ({ signal }) => callListEndpoint(listSessions, { query }, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval,
  });

export const useSession = (id: string, refetchInterval: number) =>
  useQuery({
    queryKey: oneSessionKey(id),
    queryFn: ({ signal }) => callEndpoint(getSession, { params: { id } }, { signal }),
    refetchInterval,
  });
