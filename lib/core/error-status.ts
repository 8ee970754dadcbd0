import type { ErrorCode } from './errors';

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

/** HTTP status of each error code, for the API and uploads. */
export function statusOfError(code: ErrorCode): number {
  return statuses[code];
}
