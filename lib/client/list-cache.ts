import type { QueryClient, QueryKey } from '@tanstack/react-query';
import type { Page } from '@/lib/contract/define-endpoint';

/** Rows of one list request, and the maximum number of selected rows. */
export const maxListRows = 1000;

/** The query for all pages of a list as one page of up to a thousand rows. */
export function wholeList<Q extends object>(query: Q): Q & { limit: string; cursor: string; count: string } {
  const fullListQuery = { ...query, limit: String(maxListRows), cursor: '', count: '' };
  return fullListQuery;
}

/** The cached pages of a list before an optimistic change, for undoing it. */
export type ListsBefore<T> = readonly (readonly [key: QueryKey, page: Page<T> | undefined])[];

/** Applies `change` to every cached page of a list, before the server responds. */
export async function changeLists<T>(
  client: QueryClient,
  lists: QueryKey,
  change: (page: Page<T>) => Page<T>,
): Promise<ListsBefore<T>> {
  await client.cancelQueries({ queryKey: lists });
  const snapshot = client.getQueriesData<Page<T>>({ queryKey: lists });
  replaceLists(client, snapshot, change);
  return snapshot;
}

/** Restores the pages, each changed by `change`. */
export function replaceLists<T>(
  client: QueryClient,
  snapshot: ListsBefore<T>,
  change: (page: Page<T>) => Page<T>,
): void {
  for (const [key, page] of snapshot) if (page) client.setQueryData(key, change(page));
}

/** A page without the rows of these ids. */
export function without<T extends { readonly id: string }>(page: Page<T>, ids: ReadonlySet<string>): Page<T> {
  const items = page.items.filter(({ id }) => !ids.has(id));
  const total = page.total === null ? null : page.total - (page.items.length - items.length);
  return { ...page, items, total };
}

/** A page whose rows with these ids are changed. */
export function withChange<T extends { readonly id: string }>(
  page: Page<T>,
  ids: ReadonlySet<string>,
  change: Partial<T>,
): Page<T> {
  return { ...page, items: page.items.map((item) => (ids.has(item.id) ? { ...item, ...change } : item)) };
}
