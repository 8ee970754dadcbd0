import { databaseFailure } from '@/lib/core/database-failure';
import { AppError, type ErrorCode } from '@/lib/core/errors';
import type { Exchange } from './exchange';

const statuses: Readonly<Record<ErrorCode, number>> = {
  bad_request: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  precondition_failed: 412,
  payload_too_large: 413,
  unsupported_media_type: 415,
  invalid: 422,
  rate_limited: 429,
  unavailable: 503,
};

const databaseRetrySeconds = 5;

/** The one place where an error becomes a status and `{"errors": […]}` (api-contract §13, decision 10). */
export function errorResponse(exchange: Exchange, error: unknown): Response {
  const known = asAppError(error);
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
  return jsonResponse(headers, statuses[error.code], { errors: error.messages });
}

function asAppError(error: unknown): AppError | null {
  if (error instanceof AppError) return error;
  switch (databaseFailure(error)) {
    case 'unavailable':
      return new AppError('unavailable', 'the database does not answer, try again', {
        retryAfter: databaseRetrySeconds,
      });
    case 'conflict':
      return new AppError('conflict', 'somebody changed the same object at the same moment, try again');
    case 'invalid':
      return new AppError('invalid', 'a value cannot be stored');
    case null:
      return null;
  }
}

/** JSON with the headers gathered so far. */
export function jsonResponse(headers: Headers, status: number, body: unknown): Response {
  headers.set('content-type', 'application/json; charset=utf-8');
  return new Response(JSON.stringify(body), { status, headers });
}
