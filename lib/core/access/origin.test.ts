import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isOwnOrigin, isAllowedOrigin, parseOrigin } from './origin';

test.each<[string, string | null]>([
  ['https://example.com', 'https://example.com'],
  ['HTTPS://Example.COM:443', 'https://example.com'],
  ['http://example.com:80', 'http://example.com'],
  ['http://example.com:8080', 'http://example.com:8080'],
  ['http://[::1]:3000', 'http://[::1]:3000'],
  ['https://bücher.example', 'https://xn--bcher-kva.example'],
  ['https://example.com/', null],
  ['https://example.com/path', null],
  ['https://example.com?x', null],
  ['https://user@example.com', null],
  ['https://*.example.com', null],
  ['ftp://example.com', null],
  ['null', null],
  ['*', null],
  ['', null],
  ['example.com', null],
  [`https://${'x'.repeat(300)}.com`, null],
])('parseOrigin(%j) returns %j', (text, expected) => {
  expect(parseOrigin(text)).toBe(expected);
});

test('parseOrigin accepts any text, and its result is a canonical origin', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.webUrl()), (text) => {
      const origin = parseOrigin(text);
      if (origin !== null) expect(parseOrigin(origin)).toBe(origin);
    }),
  );
});

describe('isAllowedOrigin', () => {
  test.each<[string[], string, boolean]>([
    [['https://a.example'], 'https://a.example', true],
    [['https://a.example'], 'https://A.EXAMPLE:443', true],
    [['https://a.example'], 'http://a.example', false],
    [['https://a.example'], 'https://a.example.evil', false],
    [['https://a.example'], 'null', false],
    [['*'], 'null', true],
    [['https://a.example', '*'], 'https://b.example', true],
    [[], 'https://a.example', false],
  ])('with the list %j, the origin %s is allowed: %s', (allowedOrigins, origin, expected) => {
    expect(isAllowedOrigin(allowedOrigins, origin)).toBe(expected);
  });
});

describe('isOwnOrigin', () => {
  test.each<[string, string, boolean]>([
    ['http://localhost:3000', 'http://localhost:3000', true],
    ['http://127.0.0.1:3000', 'http://localhost:3000', true],
    ['http://[::1]:3000', 'http://localhost:3000', true],
    ['http://localhost:3001', 'http://localhost:3000', false],
    ['https://localhost:3000', 'http://localhost:3000', false],
    ['https://live.example', 'https://live.example', true],
    ['https://live.example', 'https://live.example/sub', true],
    ['http://127.0.0.1:3000', 'https://live.example', false],
    ['null', 'http://localhost:3000', false],
  ])('%s is the dashboard at %s: %s', (origin, baseUrl, expected) => {
    expect(isOwnOrigin(origin, baseUrl)).toBe(expected);
  });
});
