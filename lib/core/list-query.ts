import { decodeCursor, encodeCursor, type CursorValue } from './cursor';
import { AppError } from './errors';
import { fits, type ListField, type ListFields } from './list-field';
import { parseFilters, type ListFilter } from './list-filters';

/** The parameters of a list as they arrive (lib/contract/list-query.ts). */
export interface RawListQuery {
  readonly limit?: string;
  readonly cursor?: string;
  readonly order?: string;
  readonly filters?: string;
  readonly count?: string;
  readonly name?: string;
}

export interface OrderTerm {
  /** The column's name. */
  readonly field: string;
  readonly type: ListField['type'];
  readonly nullable: boolean;
  readonly descending: boolean;
}

/** A list as understood: what to select, in which order, from where, how many. */
export interface ListRequest {
  readonly limit: number;
  /** Ends with `id`, so that no two rows are equal. */
  readonly order: readonly OrderTerm[];
  readonly filters: readonly ListFilter[];
  /** Values of the row before the page; null for the first page. */
  readonly after: readonly CursorValue[] | null;
  readonly count: boolean;
}

const defaultLimit = 100;
const maxLimit = 1000;

/**
 * @param fields what may be filtered and sorted; `id` must be among them
 * @param defaultOrder such as `lastSeen-true,createdAt-true`, used when the query names none
 * @throws AppError `bad_request` (filters, cursor), `invalid` (limit)
 */
export function parseListQuery(query: RawListQuery, fields: ListFields, defaultOrder: string): ListRequest {
  const order = orderOf(query, fields, defaultOrder);
  return {
    limit: limitOf(query.limit),
    order,
    filters: query.filters ? parseFilters(query.filters, fields) : [],
    after: query.cursor ? afterOf(query.cursor, order) : null,
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

/** How switches in queries are read: anything but nothing, `0` and `false`. */
export function saysYes(value: string | undefined): boolean {
  return value !== undefined && value !== '' && value !== 'false' && value !== '0';
}

function limitOf(text: string | undefined): number {
  if (text === undefined || text === '') return defaultLimit;
  const limit = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (limit < 1) throw new AppError('invalid', `limit: must be a whole number from 1 to ${maxLimit}`);
  return Math.min(limit, maxLimit);
}

function orderOf(query: RawListQuery, fields: ListFields, defaultOrder: string): OrderTerm[] {
  const byName =
    query.name && Object.hasOwn(fields, 'name') ? `name-${String(isDescending(query.name))}` : null;
  const terms = termsOf(query.order ?? byName ?? '', fields);
  const chosen = terms.length > 0 ? terms : termsOf(defaultOrder, fields);
  if (chosen.some(({ field }) => field === 'id')) return chosen;
  return [...chosen, { field: 'id', type: 'uuid', nullable: false, descending: false }];
}

/** Unknown fields and repetitions are skipped (api-contract §2.1). */
function termsOf(order: string, fields: ListFields): OrderTerm[] {
  const terms = new Map<string, OrderTerm>();
  for (const part of order.split(',', 20)) {
    const dash = part.lastIndexOf('-');
    const field = dash < 0 ? part : part.slice(0, dash);
    const known = Object.hasOwn(fields, field) ? fields[field] : undefined;
    if (!known || terms.has(field)) continue;
    const descending = dash >= 0 && part.slice(dash + 1) === 'true';
    const { type, nullable = false, column = field } = known;
    terms.set(field, { field: column, type, nullable, descending });
  }
  return [...terms.values()];
}

function isDescending(value: string): boolean {
  return ['desc', 'descending', 'true', '-1'].includes(value.toLowerCase());
}

function afterOf(cursor: string, order: readonly OrderTerm[]): CursorValue[] {
  const values = decodeCursor(cursor, signatureOf(order), order.length);
  order.forEach(({ type, nullable }, index) => {
    const value = values[index];
    if (!(value === null ? nullable : fits(type, value))) {
      throw new AppError('bad_request', 'cursor: is not a cursor of this service');
    }
  });
  return values;
}

function signatureOf(order: readonly OrderTerm[]): string {
  return order.map(({ field, descending }) => `${field}${descending ? '-' : '+'}`).join('');
}

function cursorValueOf(value: unknown): CursorValue {
  if (value instanceof Date) return value.getTime();
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  return null;
}
