import { dehydrate, HydrationBoundary, QueryClient, type QueryKey } from '@tanstack/react-query';
import type { ReactNode } from 'react';

interface CachedQueriesProps {
  /** What the cache shall hold where (lib/client/query-keys.ts); null = not known, the page asks for itself. */
  entries: readonly (readonly [key: QueryKey, data: unknown])[];
  children: ReactNode;
}

/**
 * Sends along with a page what its code would ask for next: the page is whole when it arrives, and not only after its code
 * and one answer more. From then on the cache asks the API as ever.
 */
export function CachedQueries({ entries, children }: CachedQueriesProps) {
  const client = new QueryClient();
  for (const [key, data] of entries) if (data !== null) client.setQueryData(key, data);
  return <HydrationBoundary state={dehydrate(client)}>{children}</HydrationBoundary>;
}
