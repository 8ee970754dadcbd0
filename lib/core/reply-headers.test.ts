import { expect, test } from 'vitest';
import { replyHeaders } from './reply-headers';

test('what helps is kept, in one order; what could be a secret is not', () => {
  const headers = {
    'set-cookie': ['session=s3cret'],
    authorization: 's3cret',
    'x-anything': 'else',
    'retry-after': '120',
    'content-type': 'text/html',
    location: undefined,
  };
  const kept = replyHeaders(headers);
  expect(kept).toEqual({ 'content-type': 'text/html', 'retry-after': '120' });
  expect(Object.keys(kept)).toEqual(['content-type', 'retry-after']);
});

test('values are joined, cut, and without control characters', () => {
  expect(replyHeaders({ via: ['a', 'b'], server: `x\0y\u0007${'z'.repeat(500)}` })).toEqual({
    via: 'a, b',
    server: `x y ${'z'.repeat(196)}`,
  });
});
