import { type AppError, toAppError, statusOfError } from '@/lib/core/errors';
import { allowOrigin } from './cors';
import type { Exchange } from './exchange';
import { calledUrl } from './studio-dialect';
import { createErrorBody } from '@/lib/core/reasons/reason';

/** Converts an error to a response with its status and the error body. */
export function createErrorResponse(exchange: Exchange, error: unknown): Response {
  allowPagesToRead(exchange);
  const appError = toAppError(error);
  // An error of the database is a fault, except a conflict: concurrent requests can cause it.
  if (appError !== error && appError?.code !== 'conflict') {
    exchange.services.log.error({ err: error, requestId: exchange.requestId }, 'request failed');
  }
  if (appError) return createRejectionResponse(exchange, appError);
  return createJsonResponse(
    exchange.headers,
    500,
    createErrorBody([`internal error, see request ${exchange.requestId}`]),
  );
}

/**
 * Errors of the API contain no data, so pages of any origin may read them. Otherwise the browser would only report a
 * network error. Endpoints for pages of this service respond to no other origins.
 */
function allowPagesToRead({ endpoint, request, headers }: Exchange): void {
  const origin = request.headers.get('origin');
  if (origin !== null && endpoint && !endpoint.ownOriginOnly) allowOrigin(headers, origin);
}

function createRejectionResponse({ headers }: Exchange, error: AppError): Response {
  if (error.retryAfter !== undefined) headers.set('retry-after', String(error.retryAfter));
  if (error.code === 'unauthenticated') headers.set('www-authenticate', 'Bearer');
  return createJsonResponse(headers, statusOfError(error.code), createErrorBody(error.issues));
}

/** A JSON response with the headers collected so far. */
export function createJsonResponse(headers: Headers, status: number, body: unknown): Response {
  headers.set('content-type', 'application/json; charset=utf-8');
  return new Response(JSON.stringify(body), { status, headers });
}

/**
 * Logs one line per request: endpoint, caller, status and duration. Query and headers may contain secrets and are left out.
 */
export function logRequest(exchange: Exchange, response: Response): void {
  const { services, request, endpoint, actor, requestId, ip, startedAt } = exchange;
  services.log.info(
    {
      requestId,
      method: request.method,
      path: endpoint?.path ?? calledUrl(request).pathname.slice(0, 200),
      status: response.status,
      ms: Math.round((services.clock.monotonic() - startedAt) * 10) / 10,
      ip,
      ...('teamId' in actor ? { teamId: actor.teamId } : {}),
      ...('keyId' in actor ? { keyId: actor.keyId } : {}),
    },
    'request',
  );
}
