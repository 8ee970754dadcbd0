import { type AppError, knownError, statusOfError } from '@/lib/core/errors';
import { allowOrigin } from './cors';
import type { Exchange } from './exchange';
import { calledUrl } from './studio-dialect';
import { errorBodyOf } from '@/lib/core/reasons/reason';

/** Turns every error into a status and `{"errors": […]}`. */
export function errorResponse(exchange: Exchange, error: unknown): Response {
  letPagesRead(exchange);
  const appError = knownError(error);
  if (appError !== error && appError?.code !== 'conflict') {
    exchange.services.log.error({ err: error, requestId: exchange.requestId }, 'request failed');
  }
  if (appError) return refusal(exchange, appError);
  return jsonResponse(
    exchange.headers,
    500,
    errorBodyOf([`internal error, see request ${exchange.requestId}`]),
  );
}

/**
 * Errors of the API hold no data, so a page of any origin may read why it was refused. Otherwise its browser would only
 * say that the network failed. Endpoints for our own pages answer no others.
 */
function letPagesRead({ endpoint, request, headers }: Exchange): void {
  const origin = request.headers.get('origin');
  if (origin !== null && endpoint && !endpoint.ownOriginOnly) allowOrigin(headers, origin);
}

function refusal({ headers }: Exchange, error: AppError): Response {
  if (error.retryAfter !== undefined) headers.set('retry-after', String(error.retryAfter));
  if (error.code === 'unauthenticated') headers.set('www-authenticate', 'Bearer');
  return jsonResponse(headers, statusOfError(error.code), errorBodyOf(error.messages));
}

/** JSON with the headers gathered so far. */
export function jsonResponse(headers: Headers, status: number, body: unknown): Response {
  headers.set('content-type', 'application/json; charset=utf-8');
  return new Response(JSON.stringify(body), { status, headers });
}

/** One line a request: what, who, how it went, how long. Neither query nor headers: both may hold secrets. */
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
