import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  readStreamListState,
  streamFilters,
  streamListQueryOf,
  writeStreamListState,
  type StreamListState,
} from './stream-list-query';

const plain: StreamListState = {
  search: '',
  filter: 'all',
  sort: 'lastSeen',
  descending: true,
  cursor: null,
};
const read = (query: string) => readStreamListState(new URLSearchParams(query));

describe('the list in the address bar', () => {
  it('the plain list has a plain address', () => {
    expect(writeStreamListState(plain)).toBe('');
    expect(read('')).toEqual(plain);
  });

  it('nonsense counts as left out', () => {
    expect(read('?status=happy&sort=colour-desc')).toEqual(plain);
  });

  it('every state survives the address bar', () => {
    const state = fc.record({
      search: fc.string(),
      filter: fc.constantFrom(...streamFilters.map(({ value }) => value)),
      sort: fc.constantFrom('name' as const, 'createdAt' as const, 'lastSeen' as const),
      descending: fc.boolean(),
      cursor: fc.option(fc.string({ minLength: 1 })),
    });
    fc.assert(
      fc.property(state, (given) => {
        expect(read(writeStreamListState(given))).toEqual(given);
      }),
    );
  });
});

describe('the query to the API', () => {
  it('parents only, last seen first', () => {
    expect(streamListQueryOf(plain)).toEqual({
      streamsonly: '1',
      limit: '20',
      count: '1',
      order: 'lastSeen-true,createdAt-true',
    });
  });

  it('search and filter must both match', () => {
    const query = streamListQueryOf({ ...plain, search: ' hall ', filter: 'idle', cursor: 'c1' });
    expect(JSON.parse(query.filters ?? '')).toEqual([
      { id: 'isActive', value: false },
      { id: 'suspended', value: false },
      { id: 'name', value: 'hall' },
    ]);
    expect(query.cursor).toBe('c1');
  });

  it('sorts by what was asked for', () => {
    expect(streamListQueryOf({ ...plain, sort: 'name', descending: false }).order).toBe('name-false');
  });
});
