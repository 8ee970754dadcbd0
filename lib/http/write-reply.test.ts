import { expect, test } from 'vitest';
import { nextLink } from './write-reply';

test('nextLink keeps the query, replaces the cursor, and uses BASE_URL instead of the Host header', () => {
  const request = 'http://evil.example/api/stream?limit=2&filters=%5B%5D&cursor=old';
  expect(nextLink('https://live.example', request, 'new-_1')).toBe(
    '<https://live.example/api/stream?limit=2&filters=%5B%5D&cursor=new-_1>; rel="next"',
  );
});
