import { cursorAfter, type ListRequest } from './list-query';
import { conditionsOf, filterConditionsOf, orderByOf, type Condition } from './list-where';

/** How one resource is read; the conditions come on top of the resource's own scope. */
export interface PageSource<Row, Item> {
  rows(find: {
    readonly conditions: Condition[];
    readonly orderBy: ReturnType<typeof orderByOf>;
    readonly take: number;
  }): Promise<readonly Row[]>;
  count(conditions: Condition[]): Promise<number>;
  item(row: Row): Item;
}

export interface ListPage<Item> {
  readonly items: readonly Item[];
  /** Opaque; null on the last page. */
  readonly nextCursor: string | null;
  /** All matching rows; null unless asked for. */
  readonly total: number | null;
}

/** One page of a list. */
export async function readPage<Row extends Readonly<Record<string, unknown>>, Item>(
  request: ListRequest,
  source: PageSource<Row, Item>,
): Promise<ListPage<Item>> {
  const rows = await source.rows({
    conditions: conditionsOf(request),
    orderBy: orderByOf(request.order),
    // One more than requested shows whether there is another page.
    take: request.limit + 1,
  });
  const page = rows.slice(0, request.limit);
  const last = page.at(-1);
  return {
    items: page.map((row) => source.item(row)),
    nextCursor: last && rows.length > page.length ? cursorAfter(last, request.order) : null,
    total: request.count ? await source.count(filterConditionsOf(request)) : null,
  };
}
