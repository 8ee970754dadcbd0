import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { createClientAddressReader } from '@/lib/infra/egress/ip-address';
import { dialectHeader, apiUrlOf } from '@/lib/core/studio-dialect';
import { newId } from '@/lib/infra/ids';
import { cleanRouterHeaders } from './router-headers';
import { omitUndefined } from '@/lib/core/omit-undefined';

/** Methods that Next accepts; TRACE and CONNECT would throw inside it. */
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/**
 * Wraps Next. Rejects requests to which Next would respond with 500 and paths with dot segments, and replaces
 * X-Forwarded-For with the IP address of the client, on which rate limits rely.
 * @param trustedProxies CIDR ranges of proxies whose X-Forwarded-For is trusted (TRUSTED_PROXIES)
 */
export function createRequestFilter(
  next: RequestListener,
  trustedProxies: readonly string[],
): RequestListener {
  const clientOf = createClientAddressReader(trustedProxies);
  return (request, response) => {
    const { method = '', url = '/' } = request;
    const reject = createRejection(request, response);
    const fault = cleanRouterHeaders(request.headers);
    if (!methods.has(method)) {
      const allow = [...methods].join(', ');
      reject(405, `${method} is not allowed. Use ${allow}.`, { Allow: allow });
    } else if (!isDecodable(url)) {
      reject(400, 'the URL is malformed: % must be followed by two hexadecimal digits of UTF-8');
    } else if (hasDotSegment(url)) {
      reject(400, 'the URL must not contain the path segments "." or ".."');
    } else if (fault !== null) {
      reject(400, fault);
    } else {
      request.headers['x-forwarded-for'] = clientOf(request);
      markStudio(request);
      next(request, response);
    }
  };
}

/**
 * Marks requests to `/api/studio`, which is `/api` for clients of the Studio API: the mark selects the field names of
 * the response (lib/http/studio-dialect.ts).
 */
function markStudio(request: IncomingMessage): void {
  Reflect.deleteProperty(request.headers, dialectHeader);
  const url = apiUrlOf(request.url ?? '/');
  if (url === null) return;
  request.url = url;
  request.headers[dialectHeader] = 'studio';
}

/** Whether the decoded path is valid UTF-8; Next fails otherwise. */
function isDecodable(url: string): boolean {
  if (!url.startsWith('/')) return false;
  const [path = ''] = url.split('?', 1);
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

/**
 * Browsers resolve dot segments before they send a request. If they were accepted here, security headers and Next's
 * router could treat a path such as `/embed/..` differently.
 */
function hasDotSegment(url: string): boolean {
  const [path = ''] = url.split(/[?#]/, 1);
  return decodeURIComponent(path)
    .split(/[/\\]/)
    .some((segment) => segment === '.' || segment === '..');
}

/** Creates a function that responds with an error in the format of the API, which pages of any origin may read. */
function createRejection({ headers: { origin } }: IncomingMessage, response: ServerResponse) {
  return (status: number, message: string, headers: Readonly<Record<string, string>> = {}): void => {
    const body = JSON.stringify({ errors: [message] });
    response.writeHead(status, {
      ...headers,
      ...omitUndefined({ 'Access-Control-Allow-Origin': origin }),
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': Buffer.byteLength(body),
      Vary: 'Origin',
      'X-Content-Type-Options': 'nosniff',
      'X-Request-Id': newId(),
    });
    response.end(body);
  };
}
