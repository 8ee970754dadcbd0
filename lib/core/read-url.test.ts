import { expect, test } from 'vitest';
import { cleanUrl, readUrl } from './read-url';

test.each([
  ['https://example.com/a', undefined, 'https://example.com/a'],
  ['/a', 'https://example.com', 'https://example.com/a'],
  ['/a', undefined, undefined],
  ['', undefined, undefined],
  ['https://', undefined, undefined],
])('readUrl(%s, %s) returns %s', (text, base, url) => expect(readUrl(text, base)?.href).toBe(url));

test('letters of Latin-1 are accepted after many calls', () => {
  // Enough calls for V8 to compile the function.
  const hostnames = new Set(
    Array.from({ length: 50_000 }, () => readUrl('https://bücher.example/ä')?.hostname),
  );
  expect([...hostnames]).toEqual(['xn--bcher-kva.example']);
});

test.each([
  ['https://a.example/b', 'https://a.example/b'],
  [' https://a.example/town hall.mp4\n', 'https://a.example/town%20hall.mp4'],
  ['HTTPS://A.example/B', 'https://A.example/B'],
  ['https://a.example/b\n\tc\u{a0}d', 'https://a.example/b\n\tc%C2%A0d'],
  ['HTTP:', 'http:'],
  ['', ''],
])('the typed URL %j is normalized to %j', (text, clean) => expect(cleanUrl(text)).toBe(clean));
