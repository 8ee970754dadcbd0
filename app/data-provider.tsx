'use client';

import {
  MutationCache,
  QueryCache,
  QueryClient,
  QueryClientProvider,
  notifyManager,
} from '@tanstack/react-query';
import { useEffect, useState, type ReactNode } from 'react';
import { ApiCallError } from '@/lib/client/call';
import { serverReachability } from '@/lib/client/server-reachability';

const MAX_RETRIES = 2;

// Observers are notified immediately, so that a pending button cannot be clicked twice.
notifyManager.setScheduler((notify) => queueMicrotask(notify));

interface DataProviderProps {
  /** Called when the server no longer accepts the session. */
  onSessionEnd?: () => void;
  children: ReactNode;
}

/** Query cache of all pages. Reads that fail for a temporary reason are retried, rejected ones are not. */
export function DataProvider({ onSessionEnd, children }: DataProviderProps) {
  const [client] = useState(() => {
    const onError = (error: Error) => {
      if (error instanceof ApiCallError && error.status === 401) onSessionEnd?.();
    };
    return new QueryClient({
      queryCache: new QueryCache({ onError }),
      mutationCache: new MutationCache({ onError }),
      defaultOptions: {
        // The browser's online state says nothing about this server, so a mutation is sent without waiting for it.
        mutations: { networkMode: 'always' },
        queries: {
          networkMode: 'always',
          staleTime: 5000,
          retry: (failures, error) =>
            failures < MAX_RETRIES &&
            serverReachability.unreachableSince === null &&
            (!(error instanceof ApiCallError) || error.status === 0 || error.status >= 500),
        },
      },
    });
  });
  // All cached data counts as stale after the server was unreachable.
  useEffect(
    () =>
      serverReachability.subscribe(
        (unreachableSince) => void (unreachableSince === null && client.invalidateQueries()),
      ),
    [client],
  );
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>;
}
