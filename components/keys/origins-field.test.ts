import { describe, expect, it } from 'vitest';
import { englishMessages } from '@/components/testing/messages';
import { parseTypedOrigins } from './origins-field';

const t = englishMessages('keys.originsField');

describe('parseTypedOrigins', () => {
  it('accepts several origins, normalized and without duplicates', () => {
    expect(
      parseTypedOrigins(t, 'https://App.Example:443, http://localhost:5173\nhttps://app.example/'),
    ).toEqual({
      origins: ['https://app.example', 'http://localhost:5173'],
      error: undefined,
    });
  });

  it('accepts a single asterisk', () => {
    expect(parseTypedOrigins(t, '*')).toEqual({ origins: ['*'], error: undefined });
  });

  it.each([
    ['example.com', 'must start with https://'],
    ['https://*.example.com', 'a host name with * is not supported. Add each origin'],
    ['https://*.a.example', 'use * on its own for every website'],
    ['https://a.*', 'a host name with * is not supported'],
    ['https://example.com/shop', 'must not have a path: use https://example.com'],
    ['https://user@example.com', 'must be scheme://host'],
    ['ftp://example.com', 'must start with https://'],
    ['https://', 'must be scheme://host'],
  ])('%s is rejected with a reason', (text, reason) => {
    const parsed = parseTypedOrigins(t, text);
    expect(parsed.origins).toEqual([]);
    expect(parsed.error).toContain(reason);
  });

  it('empty text is valid', () => {
    expect(parseTypedOrigins(t, ' , \n')).toEqual({ origins: [], error: undefined });
  });
});
