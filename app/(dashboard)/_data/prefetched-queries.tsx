import { dehydrate, HydrationBoundary, QueryClient, type QueryKey } from '@tanstack/react-query';
import type { ReactNode } from 'react';

interface PrefetchedQueriesProps {
  /** Query results by key (lib/client/query-keys.ts). A result that is null is not stored, so the page requests it. */
  entries: readonly (readonly [key: QueryKey, data: unknown])[];
  children: ReactNode;
}

/**
 * Fills the query cache with data that the server sends with the page, so that the page is complete without another
 * request. Later queries go to the API.
 */
export function PrefetchedQueries({ entries, children }: PrefetchedQueriesProps) {
  const client = new QueryClient();
  for (const [key, data] of entries) if (data !== null) client.setQueryData(key, data);
  return <HydrationBoundary state={dehydrate(client)}>{children}</HydrationBoundary>;
}
