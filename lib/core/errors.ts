/** Every refusal the product knows, by name. The edge (lib/http/error-response.ts) picks the status. */
export type ErrorCode =
  | 'bad_request'
  | 'unauthenticated'
  | 'forbidden'
  | 'not_found'
  | 'conflict'
  | 'precondition_failed'
  | 'payload_too_large'
  | 'unsupported_media_type'
  | 'invalid'
  | 'rate_limited'
  | 'unavailable';

/** An error a caller may read: a sentence (or several) that names the field and says what is allowed. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly messages: readonly string[];
  /** Seconds after which a retry makes sense; for `rate_limited` and `unavailable`. */
  readonly retryAfter: number | undefined;

  constructor(code: ErrorCode, message: string | readonly string[], options: { retryAfter?: number } = {}) {
    const messages = typeof message === 'string' ? [message] : message;
    super(messages.join('; '));
    this.name = 'AppError';
    this.code = code;
    this.messages = messages;
    this.retryAfter = options.retryAfter;
  }
}
