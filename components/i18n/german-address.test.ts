import { expect, test } from 'vitest';
import { de } from '@/messages/de';

const stringsOf = (part: unknown): string[] =>
  typeof part === 'string' ? [part] : Object.values(part as object).flatMap(stringsOf);

test('no German text addresses the reader as "du" or "euch"', () => {
  // Without “ihr”, which also means “her” and “their”.
  const informal = /\b(du|dich|dir|dein|deine[mnrs]?|euch|euer|eure[mnrs]?)\b/iu;
  const texts = stringsOf(de);
  // Fails if the catalogue is not searched completely.
  expect(texts.length).toBeGreaterThan(1000);
  expect(texts.filter((text) => informal.test(text))).toEqual([]);
});
