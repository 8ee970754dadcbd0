import { AppError } from '@/lib/core/errors';
import type { CursorValue } from './cursor';

/** How a field of a resource may be filtered and sorted. */
export interface ListField {
  readonly type: 'uuid' | 'text' | 'int' | 'float' | 'timestamp' | 'boolean';
  /** All values of an enum column in alphabetical order, which is the order in the database. */
  readonly values?: readonly string[];
  /** Whether the column may be null. Nulls sort last in both directions. */
  readonly nullable?: true;
  /** Name of the column, if it differs from the name of the field. */
  readonly column?: string;
  /** Name of another column by which the field is sorted that is never null, such as `listedAt` for `lastSeen`. */
  readonly sortColumn?: string;
}

export type ListFields = Readonly<Record<string, ListField>>;

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
/** Maximum time of a JavaScript `Date`. */
const MAX_TIMESTAMP_MS = 8.64e15;
/** Maximum of an `integer` column of PostgreSQL. */
const MAX_INT = 2_147_483_647;

/** Names of the types in error messages. */
const typeNames: Readonly<Record<ListField['type'], string>> = {
  uuid: 'UUID',
  text: 'string',
  int: 'whole number',
  float: 'number',
  timestamp: 'timestamp in milliseconds',
  boolean: 'boolean',
};

/** Whether the database can compare a column of this type with the value. */
export function isComparable(type: ListField['type'], value: unknown): value is CursorValue {
  switch (type) {
    case 'uuid':
      return typeof value === 'string' && uuidPattern.test(value);
    case 'text':
      return typeof value === 'string' && !value.includes('\0') && !/\p{Surrogate}/u.test(value);
    case 'int':
      return Number.isInteger(value) && Math.abs(Number(value)) <= MAX_INT;
    case 'float':
      return typeof value === 'number' && Number.isFinite(value);
    case 'timestamp':
      return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= MAX_TIMESTAMP_MS;
    case 'boolean':
      return typeof value === 'boolean';
  }
}

const comparisons = ['gt', 'gte', 'lt', 'lte'] as const;

/**
 * A parsed filter. A row matches an equal value, a contained text for text and enum columns, one of several ids, or the
 * bounds of a number or a time.
 */
export interface ListFilter {
  /** Name of the column. */
  readonly column: string;
  readonly type: ListField['type'];
  /** All values of an enum column; undefined for other columns. */
  readonly values?: readonly string[] | undefined;
  readonly nullable: boolean;
  readonly value:
    | string
    | number
    | boolean
    | readonly string[]
    | Readonly<Partial<Record<(typeof comparisons)[number], number>>>;
}

const MAX_FILTERS = 20;
const MAX_IDS = 100;

/**
 * Parses the `filters` parameter, a JSON array of objects with `id` and `value`.
 * @throws AppError `bad_request`, which names the invalid part
 */
export function parseFilters(text: string, fields: ListFields): ListFilter[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw filterError('not JSON');
  }
  if (!Array.isArray(value)) throw filterError('must be an array');
  if (value.length > MAX_FILTERS) throw filterError(`must have at most ${MAX_FILTERS} items`);
  return value.map((item: unknown) => parseFilter(item, fields));
}

function parseFilter(item: unknown, fields: ListFields): ListFilter {
  if (typeof item !== 'object' || item === null || !('id' in item) || typeof item.id !== 'string') {
    throw filterError('each item must be an object with an id and a value');
  }
  const { id } = item;
  const field = Object.hasOwn(fields, id) ? fields[id] : undefined;
  if (!field) {
    throw filterError(`unknown field: ${formatValue(id)}, expected one of ${Object.keys(fields).join(', ')}`);
  }
  if (!('value' in item) || item.value === undefined)
    throw filterError(`missing filter value for id ${formatValue(id)}`);
  const { type, values, nullable = false, column = id } = field;
  const { value } = item;
  // A value that is not a UUID matches nothing: return an empty list instead of an error.
  if (type === 'uuid' && typeof value === 'string' && !isComparable('uuid', value)) {
    return { column, type, nullable, value: '00000000-0000-0000-0000-000000000000' };
  }
  const ids = type === 'uuid' ? parseIds(id, value) : null;
  if (ids) return { column, type, nullable, value: ids };
  if (isComparable(type, value) && value !== null) return { column, type, values, nullable, value };
  const bounds = type === 'int' || type === 'float' || type === 'timestamp' ? parseBounds(value, type) : null;
  if (bounds) return { column, type, nullable, value: bounds };
  throw filterError(
    `expected ${typeNames[type]} value for field ${formatValue(id)}, got: ${formatValue(value)}`,
  );
}

/**
 * Parses an array of ids; null if the value is no array of ids.
 * @throws AppError `bad_request` for too many values
 */
function parseIds(field: string, value: unknown): readonly string[] | null {
  if (!Array.isArray(value)) return null;
  if (value.length > MAX_IDS)
    throw filterError(`field ${formatValue(field)} can be one of at most ${MAX_IDS} values`);
  const ids = value.filter((id): id is string => typeof id === 'string' && isComparable('uuid', id));
  return ids.length === value.length ? ids : null;
}

function parseBounds(
  value: unknown,
  type: ListField['type'],
): Partial<Record<(typeof comparisons)[number], number>> | null {
  if (typeof value !== 'object' || value === null) return null;
  const entries = Object.entries(value);
  const areValid = entries.every(
    ([key, bound]) => comparisons.some((name) => name === key) && isComparable(type, bound),
  );
  return areValid && entries.length > 0 ? Object.fromEntries(entries) : null;
}

function filterError(reason: string): AppError {
  return new AppError('bad_request', `error parsing filters: ${reason}`);
}

function formatValue(value: unknown): string {
  return (JSON.stringify(value) as string | undefined)?.slice(0, 100) ?? 'nothing';
}
