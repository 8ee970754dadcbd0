import { AppError } from '@/lib/core/errors';
import type { CursorValue } from './cursor';

/** How a field of a resource may be filtered and sorted. */
export interface ListField {
  readonly type: 'uuid' | 'text' | 'int' | 'float' | 'timestamp' | 'boolean';
  /** All values of an enum column in alphabetical order, in which the database sorts them. */
  readonly values?: readonly string[];
  /** Whether the column may be null. Nulls sort last in both directions. */
  readonly nullable?: true;
  /** The column, if its name differs from the field's. */
  readonly column?: string;
  /** A column to sort by instead, which is never null. */
  readonly sortColumn?: string;
}

export type ListFields = Readonly<Record<string, ListField>>;

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const latest = 8.64e15;
const maxInt = 2_147_483_647;

/** Names of the types, for messages. */
const typeNames: Readonly<Record<ListField['type'], string>> = {
  uuid: 'UUID',
  text: 'string',
  int: 'whole number',
  float: 'number',
  timestamp: 'timestamp in milliseconds',
  boolean: 'boolean',
};

/** Whether the database can compare a column of this type with the value. */
export function fits(type: ListField['type'], value: unknown): value is CursorValue {
  switch (type) {
    case 'uuid':
      return typeof value === 'string' && uuid.test(value);
    case 'text':
      return typeof value === 'string' && !value.includes('\0') && !/\p{Surrogate}/u.test(value);
    case 'int':
      return Number.isInteger(value) && Math.abs(Number(value)) <= maxInt;
    case 'float':
      return typeof value === 'number' && Number.isFinite(value);
    case 'timestamp':
      return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= latest;
    case 'boolean':
      return typeof value === 'boolean';
  }
}

const comparisons = ['gt', 'gte', 'lt', 'lte'] as const;

/** A filter: equality (substring for text), one of several ids, or bounds for numbers and times. */
export interface ListFilter {
  /** Name of the column. */
  readonly field: string;
  readonly type: ListField['type'];
  readonly values?: readonly string[] | undefined;
  readonly nullable: boolean;
  readonly value:
    | string
    | number
    | boolean
    | readonly string[]
    | Readonly<Partial<Record<(typeof comparisons)[number], number>>>;
}

const maxFilters = 20;
const maxIds = 100;

/**
 * Reads the `filters` parameter: a JSON array of `{id, value}`.
 * @throws AppError `bad_request` that names the invalid part
 */
export function parseFilters(text: string, fields: ListFields): ListFilter[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw refusal('not JSON');
  }
  if (!Array.isArray(value)) throw refusal('must be an array');
  if (value.length > maxFilters) throw refusal(`must have at most ${maxFilters} items`);
  return value.map((item: unknown) => parseFilter(item, fields));
}

function parseFilter(item: unknown, fields: ListFields): ListFilter {
  if (typeof item !== 'object' || item === null || !('id' in item) || typeof item.id !== 'string') {
    throw refusal('each item must be an object with an id and a value');
  }
  const { id } = item;
  const field = Object.hasOwn(fields, id) ? fields[id] : undefined;
  if (!field) {
    throw refusal(`unknown field: ${quote(id)}, expected one of ${Object.keys(fields).join(', ')}`);
  }
  if (!('value' in item) || item.value === undefined)
    throw refusal(`missing filter value for id ${quote(id)}`);
  const { type, values, nullable = false, column = id } = field;
  const { value } = item;
  // A value that is not a UUID matches nothing: return an empty list instead of an error.
  if (type === 'uuid' && typeof value === 'string' && !fits('uuid', value)) {
    return { field: column, type, nullable, value: '00000000-0000-0000-0000-000000000000' };
  }
  const ids = type === 'uuid' ? idsOf(id, value) : null;
  if (ids) return { field: column, type, nullable, value: ids };
  if (fits(type, value) && value !== null) return { field: column, type, values, nullable, value };
  const bounds = type === 'int' || type === 'float' || type === 'timestamp' ? boundsOf(value, type) : null;
  if (bounds) return { field: column, type, nullable, value: bounds };
  throw refusal(`expected ${typeNames[type]} value for field ${quote(id)}, got: ${quote(value)}`);
}

/** Null if the value is not an array of ids. */
function idsOf(field: string, value: unknown): readonly string[] | null {
  if (!Array.isArray(value)) return null;
  if (value.length > maxIds) throw refusal(`field ${quote(field)} can be one of at most ${maxIds} values`);
  const ids = value.filter((each): each is string => typeof each === 'string' && fits('uuid', each));
  return ids.length === value.length ? ids : null;
}

function boundsOf(
  value: unknown,
  type: ListField['type'],
): Partial<Record<(typeof comparisons)[number], number>> | null {
  if (typeof value !== 'object' || value === null) return null;
  const entries = Object.entries(value);
  const valid = entries.every(
    ([key, limitValue]) => comparisons.some((name) => name === key) && fits(type, limitValue),
  );
  return valid && entries.length > 0 ? Object.fromEntries(entries) : null;
}

function refusal(reason: string): AppError {
  return new AppError('bad_request', `error parsing filters: ${reason}`);
}

function quote(value: unknown): string {
  return (JSON.stringify(value) as string | undefined)?.slice(0, 100) ?? 'nothing';
}
