import { decodeCursor, encodeCursor, type CursorValue } from './cursor';
import { AppError } from '@/lib/core/errors';
import { type ListField, type ListFields, type ListFilter, fits, parseFilters } from './list-filters';

/** The unparsed parameters of a list (lib/contract/primitives.ts). */
export interface RawListQuery {
  readonly limit?: string;
  readonly cursor?: string;
  readonly order?: string;
  readonly filters?: string;
  readonly count?: string;
  readonly name?: string;
}

export interface OrderTerm {
  /** Name in the query. */
  readonly name: string;
  /** Name of the column. */
  readonly field: string;
  readonly type: ListField['type'];
  readonly values?: readonly string[] | undefined;
  readonly nullable: boolean;
  readonly descending: boolean;
}

/** A parsed list query: filters, order, start and limit. */
export interface ListRequest {
  readonly limit: number;
  /** The last term is `id`, so that no two rows are equal. */
  readonly order: readonly OrderTerm[];
  readonly filters: readonly ListFilter[];
  /** Values of the last row of the previous page; null for the first page. */
  readonly after: readonly CursorValue[] | null;
  readonly count: boolean;
}

/** Maximum number of objects in a list without a limit. */
const maxUnlimited = 10_000;
const maxLimit = 1000;

/**
 * @param fields that may be filtered and sorted; must include `id`
 * @param defaultOrder such as `lastSeen-true,createdAt-true`, for queries without an order
 * @param maxUnlimitedRows maximum number of objects without a limit, for large objects
 * @throws AppError `bad_request` (filters, cursor), `invalid` (limit)
 */
export function parseListQuery(
  query: RawListQuery,
  fields: ListFields,
  defaultOrder: string,
  maxUnlimitedRows = maxUnlimited,
): ListRequest {
  const requestedOrder = parseOrder(query, fields);
  const resumePoint = query.cursor ? resume(query.cursor, fields, requestedOrder) : null;
  return {
    limit: limitOf(query.limit, maxUnlimitedRows),
    order: resumePoint?.order ?? requestedOrder ?? byId(termsOf(defaultOrder, fields)),
    filters: query.filters ? parseFilters(query.filters, fields) : [],
    after: resumePoint?.after ?? null,
    count: saysYes(query.count),
  };
}

/** The cursor of the page that follows `row`. */
export function cursorAfter(row: Readonly<Record<string, unknown>>, order: readonly OrderTerm[]): string {
  return encodeCursor(
    signatureOf(order),
    order.map(({ field }) => cursorValueOf(row[field])),
  );
}

/** Reads a boolean query parameter: every value except empty, `0` and `false` is true. */
export function saysYes(value: string | undefined): boolean {
  return value !== undefined && value !== '' && value !== 'false' && value !== '0';
}

function limitOf(text: string | undefined, maxUnlimitedRows: number): number {
  if (text === undefined || text === '') return maxUnlimitedRows;
  const limit = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (limit < 1)
    throw new AppError('invalid', {
      field: 'limit',
      message: `must be a whole number from 1 to ${maxLimit}`,
    });
  return Math.min(limit, maxLimit);
}

/** The sort order of the query; null if the query has none. */
function parseOrder(query: RawListQuery, fields: ListFields): OrderTerm[] | null {
  const byName =
    query.name && Object.hasOwn(fields, 'name') ? `name-${String(isDescending(query.name))}` : null;
  const terms = termsOf(query.order ?? byName ?? '', fields);
  return terms.length > 0 ? byId(terms) : null;
}

function byId(terms: OrderTerm[]): OrderTerm[] {
  if (terms.some(({ field }) => field === 'id')) return terms;
  return [...terms, { name: 'id', field: 'id', type: 'uuid', nullable: false, descending: false }];
}

/** Unknown and repeated fields are skipped. */
function termsOf(order: string, fields: ListFields): OrderTerm[] {
  const terms = new Map<string, OrderTerm>();
  for (const part of order.split(',', 20)) {
    const dash = part.lastIndexOf('-');
    const field = dash < 0 ? part : part.slice(0, dash);
    const listField = Object.hasOwn(fields, field) ? fields[field] : undefined;
    if (!listField || terms.has(field)) continue;
    const descending = dash >= 0 && part.slice(dash + 1) === 'true';
    terms.set(field, termOf(field, listField, descending));
  }
  return [...terms.values()];
}

function termOf(
  name: string,
  { type, values, nullable, column = name, sortColumn }: ListField,
  descending: boolean,
): OrderTerm {
  if (sortColumn) return { name, field: sortColumn, type, nullable: false, descending };
  return { name, field: column, type, values, nullable: nullable ?? false, descending };
}

function isDescending(value: string): boolean {
  return ['desc', 'descending', 'true', '-1'].includes(value.toLowerCase());
}

/**
 * Where a cursor continues. A cursor keeps the order it was created with, so that it can be sent alone and stays valid
 * when the default order changes.
 */
function resume(
  cursor: string,
  fields: ListFields,
  requestedOrder: readonly OrderTerm[] | null,
): { readonly order: readonly OrderTerm[]; readonly after: readonly CursorValue[] } {
  const { order: signature, values } = decodeCursor(cursor);
  const order = orderOfSignature(signature, fields);
  const sameLength = order?.length === values.length;
  if (!order || !sameLength || (requestedOrder && namesOf(requestedOrder) !== namesOf(order))) {
    throw new AppError('bad_request', { field: 'cursor', message: 'belongs to another list or order' });
  }
  order.forEach(({ type, nullable }, index) => {
    const value = values[index];
    if (!(value === null ? nullable : fits(type, value))) {
      throw new AppError('bad_request', { field: 'cursor', message: 'is not a cursor of this service' });
    }
  });
  return { order, after: values };
}

/** Null for an unknown or repeated column, or an order that is not unique. */
function orderOfSignature(signature: string, fields: ListFields): OrderTerm[] | null {
  if (!/^(\w+[+-]){1,20}$/.test(signature)) return null;
  const terms = new Map<string, OrderTerm>();
  for (const [, column = '', sign] of signature.matchAll(/(\w+)([+-])/g)) {
    const term = termOfColumn(column, fields, sign === '-');
    if (!term || terms.has(term.name)) return null;
    terms.set(term.name, term);
  }
  return terms.has('id') ? [...terms.values()] : null;
}

function termOfColumn(column: string, fields: ListFields, descending: boolean): OrderTerm | null {
  for (const [name, field] of Object.entries(fields)) {
    if (field.sortColumn === column) return termOf(name, field, descending);
    if ((field.column ?? name) !== column) continue;
    const { type, values, nullable = false } = field;
    return { name, field: column, type, values, nullable, descending };
  }
  return null;
}

function namesOf(order: readonly OrderTerm[]): string {
  return order.map(({ name, descending }) => `${name}${descending ? '-' : '+'}`).join('');
}

function signatureOf(order: readonly OrderTerm[]): string {
  return order.map(({ field, descending }) => `${field}${descending ? '-' : '+'}`).join('');
}

function cursorValueOf(value: unknown): CursorValue {
  if (value instanceof Date) return value.getTime();
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  return null;
}
