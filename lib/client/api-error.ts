/** A refusal of the API, or of the network (`status` 0), in sentences a person may read. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** HTTP status; 0 when no answer came. */
  readonly status: number;
  /** What was wrong, one sentence a fault; a sentence about a field starts with its path and a colon. */
  readonly messages: readonly string[];
  /** For the operator's log: `X-Request-Id` of the answer. */
  readonly requestId: string | null;
  /** Seconds after which a retry makes sense; null when the server does not say. */
  readonly retryAfter: number | null;

  constructor(
    status: number,
    messages: readonly string[],
    extra: { requestId?: string | null; retryAfter?: number | null } = {},
  ) {
    super(messages[0] ?? `Request failed with status ${status}`);
    this.status = status;
    this.messages = messages;
    this.requestId = extra.requestId ?? null;
    this.retryAfter = extra.retryAfter ?? null;
  }

  /** The sentence about one field of a form, without the field's name; undefined when it was not the fault. */
  messageFor(field: string): string | undefined {
    const message = this.messages.find((sentence) => sentence.startsWith(`${field}:`));
    return message?.slice(field.length + 1).trim();
  }
}

/** The refusal inside an answer that is not 2xx; also for answers that are not ours (proxies). */
export async function readApiError(response: Response): Promise<ApiError> {
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN);
  const body: unknown = await response.json().catch(() => null);
  const errors =
    typeof body === 'object' && body !== null && 'errors' in body && Array.isArray(body.errors)
      ? body.errors.filter((item): item is string => typeof item === 'string')
      : [];
  return new ApiError(response.status, errors.length > 0 ? errors : [sentenceFor(response.status)], {
    requestId: response.headers.get('x-request-id'),
    retryAfter: Number.isFinite(retryAfter) ? retryAfter : null,
  });
}

function sentenceFor(status: number): string {
  return status >= 500
    ? 'The server is not responding. Try again.'
    : `The server refused the request (status ${status})`;
}
