import { describe, expect, it } from 'vitest';
import { createStreamCurl, listStreamsCurl, readStreamCurl, readStreamNode } from './api-examples';

describe('commands for developers', () => {
  it('name the stream and contain no key', () => {
    for (const text of [readStreamCurl('http://h', 'id-1'), readStreamNode('http://h', 'id-1')]) {
      expect(text).toContain('http://h/api/stream/id-1');
      expect(text).toContain('HEADWATER_API_KEY');
    }
    expect(createStreamCurl('http://h')).toContain('curl -X POST http://h/api/stream');
  });
});

it('a command with a key is complete', () => {
  expect(listStreamsCurl('http://localhost:3000', 'lsk_a1')).toBe(
    "curl http://localhost:3000/api/stream \\\n  -H 'Authorization: Bearer lsk_a1'",
  );
});
