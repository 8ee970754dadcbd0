import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  hasActiveFilters,
  listQueryOf,
  pageSizes,
  readListState,
  sortedBy,
  writeListState,
  type ListOptions,
} from './list-state';

const options: ListOptions<'name' | 'createdAt'> = {
  filters: { status: ['ready', 'failed'], stream: 'any' },
  sorts: ['name', 'createdAt'],
  sort: 'createdAt',
  descending: true,
};
const parse = (search: string) => readListState(options, new URLSearchParams(search));
const defaultState = parse('');

describe('the URL', () => {
  test('of the default state has no query', () => {
    expect(defaultState).toEqual({
      search: '',
      filters: {},
      sort: 'createdAt',
      descending: true,
      cursor: null,
      size: 20,
      view: 'table',
    });
    expect(writeListState(options, defaultState)).toBe('');
    expect(hasActiveFilters(defaultState)).toBe(false);
  });

  test('contains the differences to the default', () => {
    const state = parse('?q=hall&status=ready&stream=abc&sort=name-asc&size=50&cursor=x');
    expect(state).toEqual({
      search: 'hall',
      filters: { status: 'ready', stream: 'abc' },
      sort: 'name',
      descending: false,
      cursor: 'x',
      size: 50,
      view: 'table',
    });
    expect(writeListState(options, state)).toBe(
      '?q=hall&status=ready&stream=abc&sort=name-asc&size=50&cursor=x',
    );
    expect(hasActiveFilters(state)).toBe(true);
  });

  test('keeps the grid view of lists that have one', () => {
    const gridOptions = { ...options, grid: true } as const;
    const state = readListState(gridOptions, new URLSearchParams('?view=grid&cursor=x'));
    expect(state.view).toBe('grid');
    expect(writeListState(gridOptions, state)).toBe('?view=grid&cursor=x');
    expect(parse('?view=grid')).toEqual(defaultState);
  });

  test.each([
    '?status=melted',
    '?status=all',
    '?stream=all',
    '?sort=colour-asc',
    '?size=7',
    '?stream=',
    '?other=1',
  ])('with the query %s, which changes nothing, has the default state', (search) => {
    expect(parse(search)).toEqual(defaultState);
  });

  test('that was written for a state is read as the same state', () => {
    const states = fc.record({
      search: fc.string(),
      filters: fc.record(
        {
          status: fc.constantFrom('ready', 'failed'),
          stream: fc.string({ minLength: 1 }).filter((text) => text !== 'all'),
        },
        { requiredKeys: [] },
      ),
      sort: fc.constantFrom('name' as const, 'createdAt' as const),
      descending: fc.boolean(),
      cursor: fc.option(fc.string({ minLength: 1 })),
      size: fc.constantFrom(...pageSizes),
      view: fc.constant('table' as const),
    });
    fc.assert(
      fc.property(states, (state) => {
        expect(parse(writeListState(options, state))).toEqual(state);
      }),
    );
  });
});

test('search, filters, order and cursor become query parameters', () => {
  expect(listQueryOf(defaultState, [])).toEqual({ limit: '20', count: '1', order: 'createdAt-true' });
  const query = listQueryOf(parse('?q=%20hall&sort=name-asc&cursor=x'), [{ id: 'phase', value: 'ready' }]);
  expect(query).toMatchObject({ order: 'name-false', cursor: 'x' });
  expect(JSON.parse(query.filters ?? '')).toEqual([
    { id: 'phase', value: 'ready' },
    { id: 'name', value: 'hall' },
  ]);
});

test('a click on the sorted column reverses the order, and names start ascending, other columns descending', () => {
  expect(sortedBy(defaultState, 'createdAt')).toEqual({ sort: 'createdAt', descending: false });
  expect(sortedBy(defaultState, 'name')).toEqual({ sort: 'name', descending: false });
  expect(sortedBy({ sort: 'name', descending: false }, 'createdAt')).toEqual({
    sort: 'createdAt',
    descending: true,
  });
});
