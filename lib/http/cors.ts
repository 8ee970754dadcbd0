/** CORS response headers. Allow-Credentials is never sent: keys are sent in Authorization. */

const exposedHeaders =
  'Link, X-Total-Count, X-Request-Id, Retry-After, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset';
const allowedHeaders = ['authorization', 'content-type', 'idempotency-key', 'x-request-id'];
const headerListFormat = /^[\w-]+(\s*,\s*[\w-]+)*$/;
const MAX_HEADER_LIST_LENGTH = 500;

/** Allows a page of `origin` to read the response. */
export function allowOrigin(headers: Headers, origin: string): void {
  headers.set('access-control-allow-origin', origin);
  headers.set('access-control-expose-headers', exposedHeaders);
}

/** Sets the headers of a preflight response. A preflight has no key, so every origin is allowed, without a database query. */
export function allowPreflight(headers: Headers, request: Headers): void {
  const origin = request.get('origin');
  if (origin === null) return;
  headers.set('access-control-allow-origin', origin);
  headers.set('access-control-allow-methods', 'GET, HEAD, POST, PUT, PATCH, DELETE');
  headers.set(
    'access-control-allow-headers',
    allowedHeadersFor(request.get('access-control-request-headers')),
  );
  // Browsers may reuse the preflight for ten minutes.
  headers.set('access-control-max-age', '600');
  headers.set('vary', 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers');
}

function allowedHeadersFor(requestedHeaders: string | null): string {
  if (
    requestedHeaders === null ||
    requestedHeaders.length > MAX_HEADER_LIST_LENGTH ||
    !headerListFormat.test(requestedHeaders)
  ) {
    return allowedHeaders.join(', ');
  }
  const names = requestedHeaders
    .toLowerCase()
    .split(',')
    .map((name) => name.trim());
  return [...new Set([...allowedHeaders, ...names])].join(', ');
}
