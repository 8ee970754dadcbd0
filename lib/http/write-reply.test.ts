import { expect, test } from 'vitest';
import { nextLink } from './write-reply';

test('keeps the query, replaces the cursor, and starts at BASE_URL whatever Host the caller sent', () => {
  const request = 'http://evil.example/api/stream?limit=2&filters=%5B%5D&cursor=old';
  expect(nextLink('https://live.example', request, 'new-_1')).toBe(
    '<https://live.example/api/stream?limit=2&filters=%5B%5D&cursor=new-_1>; rel="next"',
  );
});
