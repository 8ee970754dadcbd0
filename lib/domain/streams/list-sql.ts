import type { Condition } from '@/lib/core/lists/list-page';

/** A fragment of a statement, with the values of its placeholders. */
export interface Sql {
  readonly text: string;
  readonly values: readonly unknown[];
}

const comparisons: Readonly<Record<string, string>> = { gt: '>', gte: '>=', lt: '<', lte: '<=' };

/**
 * SQL condition for lists that are read without Prisma, from conditions in the format of Prisma's `where`. Supports the
 * operators that lists use. Column names come from the contract, values become placeholders.
 */
export function whereSql(conditions: readonly Condition[]): Sql {
  const values: unknown[] = [];
  const addParameter = (value: unknown) => `$${String(values.push(value))}`;
  return { text: allSql(conditions, addParameter), values };
}

/** SQL `order by` clause of a list, from terms in the format of Prisma's `orderBy`. */
export function orderSql(orderBy: readonly Condition[]): string {
  const terms = orderBy.flatMap((term) =>
    Object.entries(term).map(([column, direction]) => {
      const { sort, nulls } =
        typeof direction === 'object' && direction !== null
          ? (direction as { sort?: unknown; nulls?: unknown })
          : { sort: direction, nulls: null };
      return `${quoteName(column)} ${sort === 'desc' ? 'desc' : 'asc'}${nulls === 'last' ? ' nulls last' : ''}`;
    }),
  );
  return terms.join(', ');
}

type AddParameter = (value: unknown) => string;

function allSql(conditions: readonly Condition[], addParameter: AddParameter): string {
  const parts = conditions.map((condition) => conditionSql(condition, addParameter));
  return parts.length > 0 ? parts.join(' and ') : 'true';
}

function conditionSql(condition: Condition, addParameter: AddParameter): string {
  const parts = Object.entries(condition).map(([name, value]) => {
    if (name === 'AND') return `(${allSql(value as Condition[], addParameter)})`;
    if (name === 'OR') return anySql(value as Condition[], addParameter);
    return columnSql(quoteName(name), value, addParameter);
  });
  return parts.length > 0 ? parts.join(' and ') : 'true';
}

function anySql(conditions: readonly Condition[], addParameter: AddParameter): string {
  return conditions.length > 0
    ? `(${conditions.map((condition) => `(${conditionSql(condition, addParameter)})`).join(' or ')})`
    : 'false';
}

function columnSql(name: string, value: unknown, addParameter: AddParameter): string {
  if (value === null) return `${name} is null`;
  if (typeof value !== 'object' || value instanceof Date) return `${name} = ${addParameter(value)}`;
  const parts = Object.entries(value).map(([operator, operand]: [string, unknown]) => {
    if (operator === 'not' && operand === null) return `${name} is not null`;
    if (operator === 'contains') return `${name} ilike ${addParameter(`%${String(operand)}%`)}`;
    if (operator === 'in') return inListSql(name, operand as readonly unknown[], addParameter);
    const sign = comparisons[operator];
    if (sign) return `${name} ${sign} ${addParameter(operand)}`;
    // `mode` is an option of `contains`, not a condition.
    return 'true';
  });
  return parts.join(' and ');
}

const inListSql = (name: string, values: readonly unknown[], addParameter: AddParameter): string =>
  values.length > 0 ? `${name} in (${values.map(addParameter).join(', ')})` : 'false';

function quoteName(name: string): string {
  if (!/^[A-Za-z]\w*$/.test(name)) throw new Error(`${name} is not a column name`);
  return `"${name}"`;
}
