import { type AppError, knownError, statusOfError } from '@/lib/core/errors';
import type { Exchange } from './exchange';
import { errorBodyOf } from '@/lib/core/reasons/reason';

/** Turns every error into a status and `{"errors": […]}`. */
export function errorResponse(exchange: Exchange, error: unknown): Response {
  const known = knownError(error);
  if (known !== error && known?.code !== 'conflict') {
    exchange.services.log.error({ err: error, requestId: exchange.requestId }, 'request failed');
  }
  if (known) return refusal(exchange, known);
  return jsonResponse(
    exchange.headers,
    500,
    errorBodyOf([`internal error, see request ${exchange.requestId}`]),
  );
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
      path: endpoint?.path ?? new URL(request.url).pathname.slice(0, 200),
      status: response.status,
      ms: Math.round((services.clock.monotonic() - startedAt) * 10) / 10,
      ip,
      ...('teamId' in actor ? { teamId: actor.teamId } : {}),
      ...('keyId' in actor ? { keyId: actor.keyId } : {}),
    },
    'request',
  );
}
