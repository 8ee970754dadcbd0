import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { byteRange } from './byte-range';

describe('byteRange', () => {
  test.each([
    [undefined, 'whole'],
    ['bytes=0-', { start: 0, end: 99 }],
    ['bytes=10-19', { start: 10, end: 19 }],
    ['bytes=10-1000', { start: 10, end: 99 }],
    ['bytes=-5', { start: 95, end: 99 }],
    ['bytes=-500', { start: 0, end: 99 }],
    ['bytes=99-99', { start: 99, end: 99 }],
    ['bytes=100-', 'unsatisfiable'],
    ['bytes=-0', 'unsatisfiable'],
    ['bytes=9-3', 'whole'],
    ['bytes=-', 'whole'],
    ['bytes=0-1,5-6', 'whole'],
    ['lines=0-1', 'whole'],
    ['bytes=a-b', 'whole'],
  ])('%s of 100 bytes', (header, wanted) => {
    expect(byteRange(header, 100)).toEqual(wanted);
  });

  test('never points outside', () => {
    fc.assert(
      fc.property(fc.nat(), fc.nat(), fc.nat({ max: 1_000 }), (first, last, length) => {
        const range = byteRange(`bytes=${first}-${last}`, length);
        if (typeof range === 'string') return;
        expect(range.start).toBeLessThanOrEqual(range.end);
        expect(range.end).toBeLessThan(length);
      }),
    );
  });
});
