import type { CursorValue } from './cursor';
import type { ListField, ListFilter } from './list-filters';
import { type ListRequest, type OrderTerm, cursorAfter } from './list-query';

/** A condition as a Prisma `where` object (`AND`, `OR`, `lt`, `contains`, …). */
export type Condition = Readonly<Record<string, unknown>>;

/** The conditions for the rows of a page: those of the filters and that of the cursor. */
export function conditionsOf({ filters, after, order }: ListRequest): Condition[] {
  return [...filters.map(conditionOfFilter), ...(after ? [conditionAfterCursor(order, after)] : [])];
}

/** The conditions of the filters without the cursor, for `count`. */
export function filterConditionsOf({ filters }: ListRequest): Condition[] {
  return filters.map(conditionOfFilter);
}

/** The sort order as Prisma `orderBy`, nulls last. */
export function orderByOf(order: readonly OrderTerm[]): Condition[] {
  return order.map(({ column, descending, nullable }) => {
    const sort = descending ? 'desc' : 'asc';
    return { [column]: nullable ? { sort, nulls: 'last' } : sort };
  });
}

function conditionOfFilter({ column, type, values, nullable, value }: ListFilter): Condition {
  if (isList(value)) return { [column]: { in: value } };
  if (typeof value === 'object') {
    const bounds: Record<string, unknown> = {};
    for (const [key, bound] of Object.entries(value)) bounds[key] = storedValue(type, bound);
    return { [column]: bounds };
  }
  if (values) {
    const searchText = String(value).toLowerCase();
    return { [column]: { in: values.filter((candidate) => candidate.includes(searchText)) } };
  }
  if (type === 'text') return { [column]: { contains: escapeLike(String(value)), mode: 'insensitive' } };
  // A null boolean counts as false.
  if (nullable && value === false) return { OR: [{ [column]: false }, { [column]: null }] };
  return { [column]: storedValue(type, value) };
}

const isList = (value: ListFilter['value']): value is readonly string[] => Array.isArray(value);

/**
 * The condition for the rows after the row with these values: a row is greater in the first term, or equal in the first term
 * and greater in the second, and so on.
 */
function conditionAfterCursor(order: readonly OrderTerm[], values: readonly CursorValue[]): Condition {
  const steps = order.flatMap((term, index) => {
    const step = conditionAfterTerm(term, values[index] ?? null);
    if (!step) return [];
    const equal = order
      .slice(0, index)
      .map((earlierTerm, position) => conditionOfEqual(earlierTerm, values[position] ?? null));
    return [{ AND: [...equal, step] }];
  });
  return { OR: steps };
}

function conditionAfterTerm(
  { column, type, values, nullable, descending }: OrderTerm,
  value: CursorValue,
): Condition | null {
  // Nulls come last, so no value follows null.
  if (value === null) return null;
  if (values) {
    const laterValues = values.filter((candidate) =>
      descending ? candidate < String(value) : candidate > String(value),
    );
    return { [column]: { in: laterValues } };
  }
  const laterConditions =
    type === 'boolean'
      ? conditionAfterBoolean(column, value, descending)
      : [{ [column]: { [descending ? 'lt' : 'gt']: storedValue(type, value) } }];
  return { OR: [...laterConditions, ...(nullable ? [{ [column]: null }] : [])] };
}

function conditionAfterBoolean(column: string, value: CursorValue, isDescending: boolean): Condition[] {
  return value === isDescending ? [{ [column]: !isDescending }] : [];
}

function conditionOfEqual({ column, type, values }: OrderTerm, value: CursorValue): Condition {
  // A forged cursor may contain unknown enum values, which the database cannot compare; they match nothing.
  if (values) return { [column]: { in: values.filter((candidate) => candidate === value) } };
  return { [column]: value === null ? null : storedValue(type, value) };
}

function storedValue(type: ListField['type'], value: string | number | boolean): unknown {
  return type === 'timestamp' ? new Date(Number(value)) : value;
}

/** Escapes `%`, `_` and backslashes, so that a search matches them literally. */
export function escapeLike(value: string): string {
  return value.replaceAll(/[\\%_]/g, (character) => `\\${character}`);
}

/** How one resource is read. The conditions are added to the scope of the resource. */
interface PageSource<Row, Item> {
  findRows(find: {
    readonly conditions: Condition[];
    readonly orderBy: ReturnType<typeof orderByOf>;
    readonly take: number;
  }): Promise<readonly Row[]>;
  countRows(conditions: Condition[]): Promise<number>;
  toItem(row: Row): Item;
}

interface ListPage<Item> {
  readonly items: readonly Item[];
  /** Cursor of the next page; null on the last page. */
  readonly nextCursor: string | null;
  /** Number of matching rows; null if the request did not ask for it. */
  readonly total: number | null;
}

/** Reads one page of a list. */
export async function readPage<Row extends Readonly<Record<string, unknown>>, Item>(
  request: ListRequest,
  source: PageSource<Row, Item>,
): Promise<ListPage<Item>> {
  const rows = await source.findRows({
    conditions: conditionsOf(request),
    orderBy: orderByOf(request.order),
    // One extra row shows whether there is a next page.
    take: request.limit + 1,
  });
  const pageRows = rows.slice(0, request.limit);
  const lastRow = pageRows.at(-1);
  return {
    items: pageRows.map((row) => source.toItem(row)),
    nextCursor: lastRow && rows.length > pageRows.length ? cursorAfter(lastRow, request.order) : null,
    total: request.count ? await source.countRows(filterConditionsOf(request)) : null,
  };
}
