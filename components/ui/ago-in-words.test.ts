import { expect, it } from 'vitest';
import { agoInWords } from './ago-in-words';

const now = Date.UTC(2026, 4, 20, 12);

it.each([
  [0, 'just now'],
  [59_999, 'just now'],
  [60_000, '1 min ago'],
  [3_599_999, '59 min ago'],
  [3_600_000, '1 h ago'],
  [86_400_000, 'yesterday'],
  [3 * 86_400_000, '3 days ago'],
  [40 * 86_400_000, '2026-04-10'],
])('%d ms ago reads "%s"', (gone, words) => {
  expect(agoInWords(now - gone, now)).toBe(words);
});

it('a clock that runs behind never gives a negative time', () => {
  expect(agoInWords(now + 5_000, now)).toBe('just now');
});
