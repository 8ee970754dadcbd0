import { expect, test } from 'vitest';
import { parsePositions } from './resume';
import { withPosition } from './store-position';

const positionAt = (seconds: number, duration = 100) => ({ seconds, duration });

test('the last position of a video is stored in whole seconds', () => {
  const once = withPosition([], 'a', positionAt(20.9));
  expect(once).toEqual([['a', 20]]);
  expect(withPosition(once, 'b', positionAt(30))).toEqual([
    ['b', 30],
    ['a', 20],
  ]);
  expect(withPosition(once, 'a', positionAt(40))).toEqual([['a', 40]]);
});

test('no position is stored at the start or end, for a short video or an endless one', () => {
  for (const position of [positionAt(4), positionAt(96), positionAt(10, 20), positionAt(10, NaN)])
    expect(withPosition([['a', 50]], 'a', position)).toEqual([]);
});

test('only the newest 50 positions are stored', () => {
  const many = Array.from({ length: 50 }, (_, index) => [`v${index}`, 10] as const);
  const more = withPosition(many, 'new', positionAt(20));
  expect(more).toHaveLength(50);
  expect(more[0]).toEqual(['new', 20]);
});

test.each([null, '', 'no JSON', '{}', '[1,["a"],["a","b"],[1,2],["a",-1],null]'])(
  '%s contains no positions',
  (text) => expect(parsePositions(text)).toEqual([]),
);
