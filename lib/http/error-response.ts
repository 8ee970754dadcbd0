import { statusOfError } from '@/lib/core/error-status';
import type { AppError } from '@/lib/core/errors';
import { knownError } from '@/lib/core/known-error';
import type { Exchange } from './exchange';

/** Turns every error into a status and `{"errors": […]}`. */
export function errorResponse(exchange: Exchange, error: unknown): Response {
  const known = knownError(error);
  if (known !== error && known?.code !== 'conflict') {
    exchange.services.log.error({ err: error, requestId: exchange.requestId }, 'request failed');
  }
  if (known) return refusal(exchange, known);
  return jsonResponse(exchange.headers, 500, {
    errors: [`internal error, see request ${exchange.requestId}`],
  });
}

function refusal({ headers }: Exchange, error: AppError): Response {
  if (error.retryAfter !== undefined) headers.set('retry-after', String(error.retryAfter));
  if (error.code === 'unauthenticated') headers.set('www-authenticate', 'Bearer');
  return jsonResponse(headers, statusOfError(error.code), { errors: error.messages });
}

/** JSON with the headers gathered so far. */
export function jsonResponse(headers: Headers, status: number, body: unknown): Response {
  headers.set('content-type', 'application/json; charset=utf-8');
  return new Response(JSON.stringify(body), { status, headers });
}
