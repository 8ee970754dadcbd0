import type { CursorValue } from './cursor';

/** How a field of a resource may be filtered and sorted. */
export interface ListField {
  readonly type: 'uuid' | 'text' | 'int' | 'float' | 'timestamp' | 'boolean';
  /** Of a text that is an enum in the database: all values. The database sorts them in alphabetical order. */
  readonly values?: readonly string[];
  /** The column may be empty: sorted last in both directions. */
  readonly nullable?: true;
  /** The column, where it is named otherwise than the field. */
  readonly column?: string;
  /** The column that is sorted by instead, which is never empty. */
  readonly sortColumn?: string;
}

export type ListFields = Readonly<Record<string, ListField>>;

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const latest = 8.64e15;
const largestInt = 2_147_483_647;

/** Names of the types, for messages. */
export const expected: Readonly<Record<ListField['type'], string>> = {
  uuid: 'UUID',
  text: 'string',
  int: 'whole number',
  float: 'number',
  timestamp: 'timestamp in milliseconds',
  boolean: 'boolean',
};

/** Whether the database can compare a column of this type with this value. */
export function fits(type: ListField['type'], value: unknown): value is CursorValue {
  switch (type) {
    case 'uuid':
      return typeof value === 'string' && uuid.test(value);
    case 'text':
      return typeof value === 'string' && !value.includes('\0') && !/\p{Surrogate}/u.test(value);
    case 'int':
      return Number.isInteger(value) && Math.abs(Number(value)) <= largestInt;
    case 'float':
      return typeof value === 'number' && Number.isFinite(value);
    case 'timestamp':
      return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= latest;
    case 'boolean':
      return typeof value === 'boolean';
  }
}
