import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { encodeCursor } from './cursor';
import { AppError } from '@/lib/core/errors';
import type { ListFields } from './list-filters';
import { cursorAfter, parseListQuery, parseBooleanParameter, type RawListQuery } from './list-query';
import { conditionsOf, filterConditionsOf, orderByOf } from './list-page';

const fields: ListFields = {
  id: { type: 'uuid' },
  name: { type: 'text' },
  size: { type: 'int' },
  ratio: { type: 'float' },
  ready: { type: 'boolean' },
  phase: { type: 'text', values: ['waiting', 'running', 'completed'] },
  healthy: { type: 'boolean', nullable: true },
  lastSeen: { type: 'timestamp', nullable: true },
  // Sorted by another column than the one that is filtered.
  met: { type: 'timestamp', nullable: true, sortColumn: 'listed' },
};
const id = '7b0e3c56-4a39-4a0e-9c5b-1f0d6a1f3c11';
const parseQuery = (query: RawListQuery) => parseListQuery(query, fields, 'lastSeen-true');
const orderOf = (query: RawListQuery) =>
  parseQuery(query).order.map(({ column, descending }) => `${column}${descending ? '↓' : '↑'}`);

const someId = '00000000-0000-4000-8000-000000000001';

describe('order of a query', () => {
  test.each<[RawListQuery, string[]]>([
    [{}, ['lastSeen↓', 'id↑']],
    [{ order: 'name-true' }, ['name↓', 'id↑']],
    [{ order: 'name-false,size-true' }, ['name↑', 'size↓', 'id↑']],
    [{ order: 'name' }, ['name↑', 'id↑']],
    [{ order: 'id-true' }, ['id↓']],
    [{ order: 'x-true,constructor-true' }, ['lastSeen↓', 'id↑']],
    [{ order: 'name-true,name-false' }, ['name↓', 'id↑']],
    [{ name: 'desc' }, ['name↓', 'id↑']],
    [{ name: 'true' }, ['name↓', 'id↑']],
    [{ name: 'whatever' }, ['name↑', 'id↑']],
    [{ name: 'asc', order: 'size-true' }, ['size↓', 'id↑']],
  ])('%j: %j', (query, expected) => {
    expect(orderOf(query)).toEqual(expected);
  });

  test('nulls come last in both directions', () => {
    expect(orderByOf(parseQuery({ order: 'lastSeen-false,size-true' }).order)).toEqual([
      { lastSeen: { sort: 'asc', nulls: 'last' } },
      { size: 'desc' },
      { id: 'asc' },
    ]);
  });
});

describe('limit and boolean parameters', () => {
  test.each<[string | undefined, number]>([
    [undefined, 10_000],
    ['', 10_000],
    ['1', 1],
    ['20', 20],
    ['1000', 1000],
    ['999999', 1000],
  ])('the limit %s allows %d objects', (limit, expected) => {
    expect(parseQuery(limit === undefined ? {} : { limit }).limit).toBe(expected);
  });

  test.each<[string | undefined, boolean]>([
    [undefined, false],
    ['', false],
    ['0', false],
    ['false', false],
    ['1', true],
    ['true', true],
    ['x', true],
  ])('the boolean parameter %s is %s', (value, expected) => {
    expect(parseBooleanParameter(value)).toBe(expected);
  });
});

describe('cursor', () => {
  const order = parseQuery({}).order;

  test('round-trips the values of a row', () => {
    const cursor = cursorAfter({ lastSeen: new Date(5), id, other: 'x' }, order);
    expect(cursor).toMatch(/^[\w-]+$/);
    expect(parseQuery({ cursor }).after).toEqual([5, id]);
  });

  test('selects the rows after its own row, with nulls last', () => {
    const cursor = cursorAfter({ lastSeen: new Date(5), id }, order);
    expect(conditionsOf(parseQuery({ cursor }))).toEqual([
      {
        OR: [
          { AND: [{ OR: [{ lastSeen: { lt: new Date(5) } }, { lastSeen: null }] }] },
          { AND: [{ lastSeen: new Date(5) }, { OR: [{ id: { gt: id } }] }] },
        ],
      },
    ]);
    const cursorAfterNull = cursorAfter({ lastSeen: null, id }, order);
    expect(conditionsOf(parseQuery({ cursor: cursorAfterNull }))).toEqual([
      { OR: [{ AND: [{ lastSeen: null }, { OR: [{ id: { gt: id } }] }] }] },
    ]);
  });

  test.each([
    'skip20',
    'x',
    '%%%',
    encodeCursor('lastSeen-', [5]),
    encodeCursor('lastSeen-lastSeen-id+', [5, 5, id]),
    encodeCursor('other-id+', ['a', id]),
    encodeCursor('lastSeen-id+', [5]),
    encodeCursor('lastSeen-id+', ['5', id]),
    encodeCursor('lastSeen-id+', [-1, id]),
    encodeCursor('lastSeen-id+', [5, 'no id']),
    'A'.repeat(5_000),
  ])('%s is rejected', (cursor) => {
    expect(() => parseQuery({ cursor })).toThrow(/^cursor: /);
  });
});

describe('enum column', () => {
  const conditions = (query: RawListQuery) => conditionsOf(parseQuery(query));
  const conditionsAfter = (phase: string, order: string) =>
    conditions({ cursor: cursorAfter({ phase, id }, parseQuery({ order }).order) });

  test.each([
    ['ing', ['waiting', 'running']],
    ['RUN', ['running']],
    ['', ['waiting', 'running', 'completed']],
    ['%', []],
    ['other', []],
  ])('a filter by %j matches the values that contain it', (value, matches) => {
    expect(conditions({ filters: JSON.stringify([{ id: 'phase', value }]) })).toEqual([
      { phase: { in: matches } },
    ]);
  });

  test('a page continues after its value in alphabetical order', () => {
    const beyondId = { OR: [{ id: { gt: id } }] };
    expect(conditionsAfter('running', 'phase-false')).toEqual([
      {
        OR: [{ AND: [{ phase: { in: ['waiting'] } }] }, { AND: [{ phase: { in: ['running'] } }, beyondId] }],
      },
    ]);
    expect(conditionsAfter('running', 'phase-true')).toMatchObject([
      { OR: [{ AND: [{ phase: { in: ['completed'] } }] }, {}] },
    ]);
  });

  test('a cursor with an unknown value never compares with that value', () => {
    expect(conditionsAfter('s', 'phase-false')).toEqual([
      {
        OR: [
          { AND: [{ phase: { in: ['waiting'] } }] },
          { AND: [{ phase: { in: [] } }, { OR: [{ id: { gt: id } }] }] },
        ],
      },
    ]);
  });
});

describe('order of a cursor', () => {
  test('is used if the request has no order', () => {
    const request = parseQuery({
      cursor: cursorAfter({ name: 'a', id }, parseQuery({ name: 'desc' }).order),
    });
    expect(request.order).toEqual(parseQuery({ name: 'desc' }).order);
    expect(request.after).toEqual(['a', id]);
  });

  test('must not differ from the order of the request', () => {
    const cursor = cursorAfter({ name: 'a', id }, parseQuery({ name: 'desc' }).order);
    expect(() => parseQuery({ cursor, order: 'name-false' })).toThrow(/another list or order/);
  });

  test('is accepted if it was created before its field had a sort column, with and without an order of the request', () => {
    const cursor = encodeCursor('met-id+', [null, id]);
    for (const query of [{ cursor }, { cursor, order: 'met-true' }]) {
      expect(parseQuery(query)).toMatchObject({
        order: [{ field: 'met', column: 'met', nullable: true }, {}],
        after: [null, id],
      });
    }
    const newCursor = cursorAfter({ listed: new Date(5), id }, parseQuery({ order: 'met-true' }).order);
    expect(parseQuery({ cursor: newCursor })).toMatchObject({
      order: [{ field: 'met', column: 'listed', nullable: false }, {}],
      after: [5, id],
    });
  });
});

test('a list of large objects can have a lower default limit', () => {
  expect(parseListQuery({}, fields, 'lastSeen-true', 500).limit).toBe(500);
});

describe('filters', () => {
  const conditionsOfFilters = (value: unknown) =>
    filterConditionsOf(parseQuery({ filters: JSON.stringify(value) }));

  test.each<[string, object, object]>([
    ['text', { id: 'name', value: 'a_b' }, { name: { contains: 'a\\_b', mode: 'insensitive' } }],
    ['boolean', { id: 'ready', value: false }, { ready: false }],
    [
      'null counts as false in a boolean filter',
      { id: 'healthy', value: false },
      { OR: [{ healthy: false }, { healthy: null }] },
    ],
    ['time', { id: 'lastSeen', value: 7 }, { lastSeen: new Date(7) }],
    [
      'bounds of a time',
      { id: 'lastSeen', value: { gte: 7, lt: 9 } },
      { lastSeen: { gte: new Date(7), lt: new Date(9) } },
    ],
    ['float', { id: 'ratio', value: 0.5 }, { ratio: 0.5 }],
    ['one of several ids', { id: 'id', value: [someId] }, { id: { in: [someId] } }],
    ['one of no ids', { id: 'id', value: [] }, { id: { in: [] } }],
  ])('are converted to conditions: %s', (_, filter, condition) => {
    expect(conditionsOfFilters([filter])).toEqual([condition]);
  });

  test.each<[unknown, RegExp]>([
    [{}, /must be an array/],
    [[5], /each item must be an object/],
    [[{ id: 'x', value: 1 }], /unknown field: "x", expected one of id, name/],
    [[{ id: '__proto__', value: 1 }], /unknown field/],
    [[{ id: 'name' }], /missing filter value for id "name"/],
    [[{ id: 'ready', value: 'true' }], /expected boolean value for field "ready", got: "true"/],
    [[{ id: 'size', value: 1.5 }], /expected whole number value/],
    [[{ id: 'size', value: {} }], /expected whole number value/],
    [[{ id: 'size', value: { gt: '1' } }], /expected whole number value/],
    [[{ id: 'name', value: { gt: 1 } }], /expected string value/],
    [[{ id: 'name', value: ['a'] }], /expected string value/],
    [[{ id: 'id', value: ['a'] }], /expected UUID value/],
    [[{ id: 'id', value: Array.from({ length: 101 }, () => someId) }], /one of at most 100 values/],
  ])('%j is rejected', (filters, message) => {
    expect(() => conditionsOfFilters(filters)).toThrow(message);
  });
});

test('any parameters are either parsed, with an order that includes the id, or rejected', () => {
  const anyValue = fc.oneof(
    fc.string(),
    fc.json(),
    fc.string({ unit: 'binary' }),
    fc
      .array(fc.record({ id: fc.constantFrom(...Object.keys(fields)), value: fc.jsonValue() }))
      .map((value) => JSON.stringify(value)),
    fc.array(fc.jsonValue()).map((values) => encodeCursor('lastSeen-id+', values as never)),
  );
  const query = fc.record(
    {
      limit: anyValue,
      cursor: anyValue,
      order: anyValue,
      filters: anyValue,
      count: anyValue,
      name: anyValue,
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(query, (raw) => {
      try {
        const request = parseQuery(raw);
        conditionsOf(request);
        expect(request.order.some(({ column }) => column === 'id')).toBe(true);
      } catch (error) {
        expect(error).toBeInstanceOf(AppError);
      }
    }),
    { numRuns: 300 },
  );
});
