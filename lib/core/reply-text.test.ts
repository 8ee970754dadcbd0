import { expect, test } from 'vitest';
import { quoteAttribute, loggedResponseHeaders, formatWait } from './reply-text';

test.each([
  ['Town hall', '"Town hall"'],
  ['A "B" <i>&', '"A &quot;B&quot; &lt;i>&amp;"'],
  ['"><script>', '"&quot;>&lt;script>"'],
  ['', '""'],
])('quoteAttribute(%j) returns %s', (text, attribute) => expect(quoteAttribute(text)).toBe(attribute));

test('known headers are kept in a fixed order, and possible secrets are dropped', () => {
  const headers = {
    'set-cookie': ['session=s3cret'],
    authorization: 's3cret',
    'x-anything': 'else',
    'retry-after': '120',
    'content-type': 'text/html',
    location: undefined,
  };
  const loggedHeaders = loggedResponseHeaders(headers);
  expect(loggedHeaders).toEqual({ 'content-type': 'text/html', 'retry-after': '120' });
  expect(Object.keys(loggedHeaders)).toEqual(['content-type', 'retry-after']);
});

test('header values are joined, truncated, and free of control characters', () => {
  expect(loggedResponseHeaders({ via: ['a', 'b'], server: `x\0y\u0007${'z'.repeat(500)}` })).toEqual({
    via: 'a, b',
    server: `x y ${'z'.repeat(196)}`,
  });
});

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
])('formatWait(%d) returns %s', (seconds, text) => expect(formatWait(seconds)).toBe(text));
