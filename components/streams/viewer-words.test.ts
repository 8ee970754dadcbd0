import { expect, test } from 'vitest';
import { viewersInWords, watchingInWords } from './viewer-words';

test.each([
  [{ viewers: 12, views: 3_400 }, true, '12 viewers now · 3,400 views'],
  [{ viewers: 1, views: 1 }, true, '1 viewer now · 1 view'],
  [{ viewers: 0, views: 0 }, true, '0 viewers now · 0 views'],
  [{ viewers: 0, views: 7 }, false, '7 views'],
])('%j, live: %s', (count, live, words) => {
  expect(viewersInWords(count, live)).toBe(words);
});

test('in the list', () => {
  expect([undefined, 0, 1_200].map(watchingInWords)).toEqual(['', '0 watching', '1,200 watching']);
});
