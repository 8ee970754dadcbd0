import { expect, test } from 'vitest';
import { orderSql, whereSql } from './list-sql';
import type { Condition } from '@/lib/core/lists/list-page';

const date = new Date(0);

test.each<[Condition[], string, unknown[]]>([
  [[], 'true', []],
  [[{ teamId: 'u', deletedAt: null }], '"teamId" = $1 and "deletedAt" is null', ['u']],
  [[{ parentId: { not: null } }], '"parentId" is not null', []],
  [[{ isActive: true }, { record: false }], '"isActive" = $1 and "record" = $2', [true, false]],
  [[{ lastSeen: date }], '"lastSeen" = $1', [date]],
  [[{ size: { gte: 1, lt: 9 } }], '"size" >= $1 and "size" < $2', [1, 9]],
  [[{ name: { contains: 'a\\_b', mode: 'insensitive' } }], '"name" ilike $1 and true', ['%a\\_b%']],
  [[{ OR: [{ a: 1 }, { b: null }] }], '(("a" = $1) or ("b" is null))', [1]],
  [[{ OR: [] }], 'false', []],
  [[{ id: { in: ['a', 'b'] } }], '"id" in ($1, $2)', ['a', 'b']],
  [[{ id: { in: [] } }], 'false', []],
  [
    [
      {
        OR: [
          { AND: [{ OR: [{ a: { lt: 5 } }, { a: null }] }] },
          { AND: [{ a: 5 }, { OR: [{ id: { gt: 'x' } }] }] },
        ],
      },
    ],
    '(((((("a" < $1) or ("a" is null))))) or (("a" = $2 and (("id" > $3)))))',
    [5, 5, 'x'],
  ],
])('the conditions %j are written as SQL', (conditions, text, values) => {
  const sql = whereSql(conditions);
  // Brackets around a single part are equivalent, so the comparison ignores them.
  const withoutBrackets = (part: string) => part.replaceAll(/[()]/g, '');
  expect(withoutBrackets(sql.text)).toBe(withoutBrackets(text));
  expect(sql.values).toEqual(values);
});

test('a value that contains SQL becomes a placeholder', () => {
  const { text, values } = whereSql([{ name: `'; drop table "Stream"; --` }]);
  expect(text).toBe('"name" = $1');
  expect(values).toHaveLength(1);
});

test.each(['a"b', 'a b', '', '1a', 'a;'])('the column name %j is rejected', (name) => {
  expect(() => whereSql([{ [name]: 1 }])).toThrow('is not a column name');
  expect(() => orderSql([{ [name]: 'asc' }])).toThrow('is not a column name');
});

test('the order becomes an order by clause', () => {
  expect(orderSql([{ lastSeen: { sort: 'desc', nulls: 'last' } }, { name: 'asc' }, { id: 'desc' }])).toBe(
    '"lastSeen" desc nulls last, "name" asc, "id" desc',
  );
});
