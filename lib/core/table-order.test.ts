import { describe, expect, it } from 'vitest';
import { sortTablesByReferences } from './table-order';

const refs = (...pairs: string[]) =>
  pairs.map((pair) => ({ table: pair.split('>')[0] ?? '', references: pair.split('>')[1] ?? '' }));

describe('sortTablesByReferences', () => {
  it.each([
    ['none', [], [], []],
    ['no references', ['a', 'b'], [], ['a', 'b']],
    ['a chain', ['a', 'b', 'c'], refs('a>b', 'b>c'), ['c', 'b', 'a']],
    ['a table that references itself', ['a', 'b'], refs('a>a', 'b>a'), ['a', 'b']],
    ['two tables with the same reference', ['a', 'b', 'c'], refs('a>c', 'b>c'), ['c', 'a', 'b']],
    ['a reference to a table outside the list', ['a'], refs('a>z'), ['a']],
  ])('%s', (_, tables, references, expected) => {
    expect(sortTablesByReferences(tables, references)).toEqual(expected);
  });

  it('rejects a cycle and names its tables', () => {
    expect(() => sortTablesByReferences(['x', 'a', 'b'], refs('a>b', 'b>a'))).toThrow(/cycle: a, b$/);
  });
});
