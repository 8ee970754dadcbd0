import { expect, test } from 'vitest';
import { readUrl } from './read-url';

test.each([
  ['https://example.com/a', undefined, 'https://example.com/a'],
  ['/a', 'https://example.com', 'https://example.com/a'],
  ['/a', undefined, undefined],
  ['', undefined, undefined],
  ['https://', undefined, undefined],
])('%s at %s is %s', (text, base, url) => expect(readUrl(text, base)?.href).toBe(url));

test('letters of Latin-1 are read however often it was called', () => {
  // As often as it takes until the function is compiled.
  const found = new Set(Array.from({ length: 50_000 }, () => readUrl('https://bücher.example/ä')?.hostname));
  expect([...found]).toEqual(['xn--bcher-kva.example']);
});
