import { expect, test } from 'vitest';
import { waitInWords } from './wait-in-words';

test.each([
  [0, '1 second'],
  [0.4, '1 second'],
  [39.2, '40 seconds'],
  [60, '60 seconds'],
  [61, '2 minutes'],
  [900, '15 minutes'],
  [7_200, '120 minutes'],
  [7_201, '3 hours'],
  [86_400, '24 hours'],
])('%d s are %s', (seconds, words) => expect(waitInWords(seconds)).toBe(words));
