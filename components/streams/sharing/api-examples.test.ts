import { describe, expect, it } from 'vitest';
import { createStreamCurl, listStreamsCurl, readStreamCurl, readStreamNode } from './api-examples';

describe('examples for developers', () => {
  it.each([
    ['curl', readStreamCurl],
    ['Node.js', readStreamNode],
  ])('read a stream by its id with the API key of the environment: %s', (_language, createExample) => {
    const code = createExample('http://localhost:3000', 'id-1');
    expect(code).toContain('http://localhost:3000/api/stream/id-1');
    expect(code).toContain('HEADWATER_API_KEY');
  });

  it('create a stream with a POST request', () => {
    expect(createStreamCurl('http://localhost:3000')).toContain(
      'curl -X POST http://localhost:3000/api/stream',
    );
  });
});

it('the command that lists streams contains the API key', () => {
  expect(listStreamsCurl('http://localhost:3000', 'lsk_a1')).toBe(
    "curl http://localhost:3000/api/stream \\\n  -H 'Authorization: Bearer lsk_a1'",
  );
});
