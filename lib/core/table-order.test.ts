import { describe, expect, it } from 'vitest';
import { sortTablesByReferences } from './table-order';

const parseReferences = (...pairs: string[]) =>
  pairs.map((pair) => ({ table: pair.split('>')[0] ?? '', referencedTable: pair.split('>')[1] ?? '' }));

describe('sortTablesByReferences', () => {
  it.each([
    // `a>b`: table a has a foreign key to table b.
    ['no tables', [], [], []],
    ['no references', ['a', 'b'], [], ['a', 'b']],
    ['a chain', ['a', 'b', 'c'], parseReferences('a>b', 'b>c'), ['c', 'b', 'a']],
    ['a table that references itself', ['a', 'b'], parseReferences('a>a', 'b>a'), ['a', 'b']],
    [
      'two tables that reference the same table',
      ['a', 'b', 'c'],
      parseReferences('a>c', 'b>c'),
      ['c', 'a', 'b'],
    ],
    ['a reference to a table outside the list', ['a'], parseReferences('a>z'), ['a']],
  ])('puts referenced tables first: %s', (_, tables, references, expected) => {
    expect(sortTablesByReferences(tables, references)).toEqual(expected);
  });

  it('rejects a cycle and names its tables', () => {
    expect(() => sortTablesByReferences(['x', 'a', 'b'], parseReferences('a>b', 'b>a'))).toThrow(
      /cycle: a, b$/,
    );
  });
});
