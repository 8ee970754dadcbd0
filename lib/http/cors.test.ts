import { describe, expect, test } from 'vitest';
import { allowOrigin, allowPreflight } from './cors';

function preflight(request: Record<string, string>): Headers {
  const headers = new Headers();
  allowPreflight(headers, new Headers(request));
  return headers;
}

describe('preflight', () => {
  const origin = 'https://page.example';
  const serviceHeaders = 'authorization, content-type, idempotency-key, x-request-id';

  test('adds no headers without an Origin', () => {
    expect([...preflight({})]).toEqual([]);
  });

  test.each<[string | null, string]>([
    [null, serviceHeaders],
    ['', serviceHeaders],
    ['Authorization, X-Own', `${serviceHeaders}, x-own`],
    ['x-own,x-own', `${serviceHeaders}, x-own`],
    ['bad header', serviceHeaders],
    ['a'.repeat(501), serviceHeaders],
  ])(
    'allows the headers of the service and the valid requested headers of %j',
    (requestedHeaders, allowedHeaders) => {
      const headers = preflight({
        origin,
        ...(requestedHeaders === null ? {} : { 'access-control-request-headers': requestedHeaders }),
      });
      expect(headers.get('access-control-allow-headers')).toBe(allowedHeaders);
      expect(headers.get('access-control-allow-origin')).toBe(origin);
      expect(headers.get('access-control-allow-credentials')).toBeNull();
    },
  );
});

test('an allowed origin may read the headers that lists and limits use', () => {
  const headers = new Headers();
  allowOrigin(headers, 'null');
  expect(headers.get('access-control-allow-origin')).toBe('null');
  expect(headers.get('access-control-expose-headers')?.split(', ')).toEqual(
    expect.arrayContaining(['Link', 'X-Total-Count', 'X-Request-Id', 'Retry-After', 'RateLimit-Remaining']),
  );
  expect(headers.get('access-control-allow-credentials')).toBeNull();
});
