import { describe, expect, it } from 'vitest';
import { readTypedOrigins } from './origins-field';

describe('readTypedOrigins', () => {
  it('takes several at once, in one spelling, each once', () => {
    expect(readTypedOrigins('https://App.Example:443, http://localhost:5173\nhttps://app.example/')).toEqual({
      origins: ['https://app.example', 'http://localhost:5173'],
      error: undefined,
    });
  });

  it('takes the asterisk alone', () => {
    expect(readTypedOrigins('*')).toEqual({ origins: ['*'], error: undefined });
  });

  it.each([
    ['example.com', 'must start with https://'],
    ['https://*.example.com', 'use * on its own'],
    ['https://example.com/shop', 'must not have a path: use https://example.com'],
    ['https://user@example.com', 'must be scheme://host'],
    ['ftp://example.com', 'must start with https://'],
    ['https://', 'must be scheme://host'],
  ])('%s is refused with a reason', (text, reason) => {
    const read = readTypedOrigins(text);
    expect(read.origins).toEqual([]);
    expect(read.error).toContain(reason);
  });

  it('nothing typed is nothing wrong', () => {
    expect(readTypedOrigins(' , \n')).toEqual({ origins: [], error: undefined });
  });
});
