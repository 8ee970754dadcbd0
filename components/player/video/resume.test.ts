import { expect, test } from 'vitest';
import { parsePositions } from './resume';
import { withPosition } from './store-position';

const positionAt = (seconds: number, duration = 100) => ({ seconds, duration });

test('the last position of each video is stored in whole seconds, the newest first', () => {
  const positions = withPosition([], 'video-1', positionAt(20.9));
  expect(positions).toEqual([['video-1', 20]]);
  expect(withPosition(positions, 'video-2', positionAt(30))).toEqual([
    ['video-2', 30],
    ['video-1', 20],
  ]);
  expect(withPosition(positions, 'video-1', positionAt(40))).toEqual([['video-1', 40]]);
});

test.each([
  ['within 5 s of the start', positionAt(4)],
  ['within 5 s of the end', positionAt(96)],
  ['of a video shorter than 30 s', positionAt(10, 20)],
  ['of a video of unknown duration', positionAt(10, NaN)],
])('a position %s is not stored, and deletes the stored one', (_, position) => {
  expect(withPosition([['video-1', 50]], 'video-1', position)).toEqual([]);
});

test('only the newest 50 positions are stored', () => {
  const fullList = Array.from({ length: 50 }, (_, index) => [`video-${index}`, 10] as const);
  const positions = withPosition(fullList, 'new', positionAt(20));
  expect(positions).toHaveLength(50);
  expect(positions[0]).toEqual(['new', 20]);
});

test.each([null, '', 'no JSON', '{}', '[1,["a"],["a","b"],[1,2],["a",-1],null]'])(
  'the stored text %j contains no valid positions',
  (text) => expect(parsePositions(text)).toEqual([]),
);
