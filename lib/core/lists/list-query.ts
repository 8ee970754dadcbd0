import { decodeCursor, encodeCursor, type CursorValue } from './cursor';
import { AppError } from '@/lib/core/errors';
import { type ListField, type ListFields, type ListFilter, isComparable, parseFilters } from './list-filters';

/** The unparsed parameters of a list (lib/contract/primitives.ts). */
export interface RawListQuery {
  readonly limit?: string;
  readonly cursor?: string;
  readonly order?: string;
  readonly filters?: string;
  readonly count?: string;
  /** Sort direction of the field `name`, such as `desc`. Ignored if there is an `order`. */
  readonly name?: string;
}

export interface OrderTerm {
  /** Name of the field in the query, such as `lastSeen`. */
  readonly field: string;
  /** Column that is sorted: the sort column of the field, or else its column. */
  readonly column: string;
  readonly type: ListField['type'];
  /** All values of an enum column; undefined for other columns and for sort columns. */
  readonly values?: readonly string[] | undefined;
  readonly nullable: boolean;
  readonly descending: boolean;
}

/** A parsed list query: filters, order, start and limit. */
export interface ListRequest {
  readonly limit: number;
  /** Terms of the sort order. `id` is one of them, so that no two rows are equal. */
  readonly order: readonly OrderTerm[];
  readonly filters: readonly ListFilter[];
  /** Values of the last row of the previous page; null for the first page. */
  readonly after: readonly CursorValue[] | null;
  /** Whether all matching rows are counted. */
  readonly count: boolean;
}

/**
 * Limit of queries without a limit. It is higher than `MAX_LIMIT`, so that clients that do not page get complete lists. It
 * only bounds the memory of a request.
 */
const DEFAULT_LIMIT = 10_000;
/** Maximum of a requested limit: a client that sets one reads the next pages with a cursor. */
const MAX_LIMIT = 1000;

/**
 * Parses the query parameters of a list.
 * @param fields fields that may be filtered and sorted; they must include `id`
 * @param defaultOrder order of queries without an order, such as `lastSeen-true,createdAt-true`
 * @param defaultLimit limit of queries without a limit; lower for large objects
 * @throws AppError `bad_request` for invalid filters or an invalid cursor, `invalid` for an invalid limit
 */
export function parseListQuery(
  query: RawListQuery,
  fields: ListFields,
  defaultOrder: string,
  defaultLimit = DEFAULT_LIMIT,
): ListRequest {
  const requestedOrder = parseOrder(query, fields);
  const resumePoint = query.cursor ? parseCursor(query.cursor, fields, requestedOrder) : null;
  return {
    limit: parseLimit(query.limit, defaultLimit),
    order: resumePoint?.order ?? requestedOrder ?? addIdTerm(parseTerms(defaultOrder, fields)),
    filters: query.filters ? parseFilters(query.filters, fields) : [],
    after: resumePoint?.after ?? null,
    count: parseBooleanParameter(query.count),
  };
}

/** The cursor of the page that follows `row`. */
export function cursorAfter(row: Readonly<Record<string, unknown>>, order: readonly OrderTerm[]): string {
  return encodeCursor(
    columnSignatureOf(order),
    order.map(({ column }) => cursorValueOf(row[column])),
  );
}

/** Parses a boolean query parameter: every value except an empty one, `0` and `false` is true. */
export function parseBooleanParameter(value: string | undefined): boolean {
  return value !== undefined && value !== '' && value !== 'false' && value !== '0';
}

/**
 * Parses the limit of a query. A limit above `MAX_LIMIT` is reduced to it without an error.
 * @throws AppError `invalid` for anything but a positive whole number of up to nine digits
 */
function parseLimit(text: string | undefined, defaultLimit: number): number {
  if (text === undefined || text === '') return defaultLimit;
  const limit = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (limit < 1)
    throw new AppError('invalid', {
      field: 'limit',
      message: `must be a whole number from 1 to ${MAX_LIMIT}`,
    });
  return Math.min(limit, MAX_LIMIT);
}

/** Parses the sort order of a query; null if the query has none, or an order without a field of the list. */
function parseOrder(query: RawListQuery, fields: ListFields): OrderTerm[] | null {
  const orderByName =
    query.name && Object.hasOwn(fields, 'name') ? `name-${String(isDescendingDirection(query.name))}` : null;
  const terms = parseTerms(query.order ?? orderByName ?? '', fields);
  return terms.length > 0 ? addIdTerm(terms) : null;
}

/** Adds the order by id at the end, so that no two rows are equal. */
function addIdTerm(terms: OrderTerm[]): OrderTerm[] {
  if (terms.some(({ column }) => column === 'id')) return terms;
  return [...terms, { field: 'id', column: 'id', type: 'uuid', nullable: false, descending: false }];
}

/**
 * Parses a sort order: terms `<field>-<descending>`, separated by commas. `createdAt-true,name-false` is newest first, then
 * by ascending name. Unknown and repeated fields are skipped.
 */
function parseTerms(order: string, fields: ListFields): OrderTerm[] {
  const terms = new Map<string, OrderTerm>();
  for (const part of order.split(',', 20)) {
    const dashIndex = part.lastIndexOf('-');
    const field = dashIndex < 0 ? part : part.slice(0, dashIndex);
    const listField = Object.hasOwn(fields, field) ? fields[field] : undefined;
    if (!listField || terms.has(field)) continue;
    const descending = dashIndex >= 0 && part.slice(dashIndex + 1) === 'true';
    terms.set(field, createTerm(field, listField, descending));
  }
  return [...terms.values()];
}

/** The term that sorts by a field: by its sort column if it has one, otherwise by its column. */
function createTerm(
  field: string,
  { type, values, nullable, column = field, sortColumn }: ListField,
  descending: boolean,
): OrderTerm {
  if (sortColumn) return { field, column: sortColumn, type, nullable: false, descending };
  return { field, column, type, values, nullable: nullable ?? false, descending };
}

/** Whether the value of the sort parameter `name` of the Studio API means descending. */
function isDescendingDirection(value: string): boolean {
  return ['desc', 'descending', 'true', '-1'].includes(value.toLowerCase());
}

/**
 * Parses a cursor into its order and the values of the last row. A cursor keeps the order with which it was created, so that
 * it can be sent without an order and stays valid when the default order changes.
 * @throws AppError `bad_request` for a cursor of another list, of another order or with invalid values
 */
function parseCursor(
  cursor: string,
  fields: ListFields,
  requestedOrder: readonly OrderTerm[] | null,
): { readonly order: readonly OrderTerm[]; readonly after: readonly CursorValue[] } {
  const { order: signature, values } = decodeCursor(cursor);
  const order = parseSignature(signature, fields);
  const hasSameLength = order?.length === values.length;
  if (
    !order ||
    !hasSameLength ||
    (requestedOrder && fieldSignatureOf(requestedOrder) !== fieldSignatureOf(order))
  ) {
    throw new AppError('bad_request', { field: 'cursor', message: 'belongs to another list or order' });
  }
  order.forEach(({ type, nullable }, index) => {
    const value = values[index];
    if (!(value === null ? nullable : isComparable(type, value))) {
      throw new AppError('bad_request', { field: 'cursor', message: 'is not a cursor of this service' });
    }
  });
  return { order, after: values };
}

/** Parses the signature of a sort order; null for an unknown or repeated column, or an order without `id`. */
function parseSignature(signature: string, fields: ListFields): OrderTerm[] | null {
  if (!/^(\w+[+-]){1,20}$/.test(signature)) return null;
  const terms = new Map<string, OrderTerm>();
  for (const [, column = '', sign] of signature.matchAll(/(\w+)([+-])/g)) {
    const term = termOfColumn(column, fields, sign === '-');
    if (!term || terms.has(term.field)) return null;
    terms.set(term.field, term);
  }
  return terms.has('id') ? [...terms.values()] : null;
}

/** The term that sorts by this column, which is the column or the sort column of a field; null if it is neither. */
function termOfColumn(column: string, fields: ListFields, descending: boolean): OrderTerm | null {
  for (const [field, listField] of Object.entries(fields)) {
    if (listField.sortColumn === column) return createTerm(field, listField, descending);
    if ((listField.column ?? field) !== column) continue;
    // `createTerm` would replace this column with the sort column. A cursor that is older than the sort column of its field
    // contains values of this column, and keeps its order.
    const { type, values, nullable = false } = listField;
    return { field, column, type, values, nullable, descending };
  }
  return null;
}

/** The fields and directions of an order, to compare orders whose columns may differ. */
function fieldSignatureOf(order: readonly OrderTerm[]): string {
  return order.map(({ field, descending }) => `${field}${descending ? '-' : '+'}`).join('');
}

/** The columns and directions of an order as stored in a cursor, such as `createdAt-id+`. */
function columnSignatureOf(order: readonly OrderTerm[]): string {
  return order.map(({ column, descending }) => `${column}${descending ? '-' : '+'}`).join('');
}

function cursorValueOf(value: unknown): CursorValue {
  if (value instanceof Date) return value.getTime();
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  return null;
}
