import type { QueryClient, QueryKey } from '@tanstack/react-query';
import type { Page } from '@/lib/contract/define-endpoint';

/** Maximum rows of one list request, and of one selection. */
export const MAX_LIST_ROWS = 1000;

/** The query that reads all pages of a list as one page of up to 1,000 rows. */
export function wholeListQuery<Q extends object>(
  query: Q,
): Q & { limit: string; cursor: string; count: string } {
  // Empty parameters are left out of the URL.
  return { ...query, limit: String(MAX_LIST_ROWS), cursor: '', count: '' };
}

/** The cached pages of a list before an optimistic change, kept to undo the change. */
export type ListSnapshot<T> = readonly (readonly [key: QueryKey, page: Page<T> | undefined])[];

/**
 * Applies `change` to all cached pages of a list, before the server responds.
 * @returns the pages before the change
 */
export async function changeLists<T>(
  client: QueryClient,
  listsKey: QueryKey,
  change: (page: Page<T>) => Page<T>,
): Promise<ListSnapshot<T>> {
  await client.cancelQueries({ queryKey: listsKey });
  const snapshot = client.getQueriesData<Page<T>>({ queryKey: listsKey });
  replaceLists(client, snapshot, change);
  return snapshot;
}

/** Writes the pages of a snapshot back to the cache, each changed by `change`. */
export function replaceLists<T>(
  client: QueryClient,
  snapshot: ListSnapshot<T>,
  change: (page: Page<T>) => Page<T>,
): void {
  for (const [key, page] of snapshot) if (page) client.setQueryData(key, change(page));
}

/** A page without the rows of these ids. */
export function withoutRows<T extends { readonly id: string }>(
  page: Page<T>,
  ids: ReadonlySet<string>,
): Page<T> {
  const items = page.items.filter(({ id }) => !ids.has(id));
  const total = page.total === null ? null : page.total - (page.items.length - items.length);
  return { ...page, items, total };
}

/** A page whose rows with these ids are changed. */
export function withChangedRows<T extends { readonly id: string }>(
  page: Page<T>,
  ids: ReadonlySet<string>,
  change: Partial<T>,
): Page<T> {
  return { ...page, items: page.items.map((item) => (ids.has(item.id) ? { ...item, ...change } : item)) };
}
