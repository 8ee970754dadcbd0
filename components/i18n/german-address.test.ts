import { expect, test } from 'vitest';
import { de } from '@/messages/de';

const stringsOf = (part: unknown): string[] =>
  typeof part === 'string' ? [part] : Object.values(part as object).flatMap(stringsOf);

test('German texts address the reader as "Sie", in every area', () => {
  const informal = /\b(du|dich|dir|dein|deine[mnrs]?|euch|euer|eure[mnrs]?)\b/iu;
  const texts = stringsOf(de);
  expect(texts.length).toBeGreaterThan(1000);
  expect(texts.filter((text) => informal.test(text))).toEqual([]);
});
