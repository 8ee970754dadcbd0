'use client';

import { useMutation } from '@tanstack/react-query';
import { teamHeader } from './active-team';
import { ApiCallError } from './call';

/** A request as edited in the API reference. */
export interface RequestToSend {
  readonly method: string;
  /** Path and query on this server. */
  readonly pathAndQuery: string;
  /** API key; null: the request is sent with the session cookie of this browser, if it has one. */
  readonly apiKey: string | null;
  readonly idempotencyKey: string;
  /** JSON text; null: no body. */
  readonly body: string | null;
}

export interface ReceivedResponse {
  readonly status: number;
  readonly statusText: string;
  /** Milliseconds from sending the request to the last byte of the body. */
  readonly durationMs: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
  /** Whether the body was cut off, because it is too long to display. */
  readonly isTruncated: boolean;
}

/** Timeout of a request, to the last byte of its response. */
const TIMEOUT_MS = 60_000;
/** A longer body is not read to its end. */
const MAX_BODY_BYTES = 256 * 1024;

/**
 * Sends a request to this server and reads the response; an error status is a response, not an exception.
 * @throws ApiCallError with status 0 without a response
 */
export async function sendRequest(request: RequestToSend): Promise<ReceivedResponse> {
  const startedAt = performance.now();
  try {
    const response = await fetch(request.pathAndQuery, {
      method: request.method,
      headers: headersOf(request),
      // With a session cookie, the request could succeed although the key alone would be rejected.
      credentials: request.apiKey === null ? 'same-origin' : 'omit',
      cache: 'no-store',
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(request.body === null ? {} : { body: request.body }),
    });
    const { body, isTruncated } = await readBody(response);
    return {
      status: response.status,
      statusText: response.statusText,
      durationMs: performance.now() - startedAt,
      headers: [...response.headers],
      body,
      isTruncated,
    };
  } catch (error) {
    const isTimeout = error instanceof DOMException && error.name === 'TimeoutError';
    throw new ApiCallError(0, [
      isTimeout
        ? `The server did not respond within ${TIMEOUT_MS / 1000} seconds.`
        : 'Can’t reach the server. Check your connection.',
    ]);
  }
}

function headersOf({ apiKey, idempotencyKey, body }: RequestToSend): Record<string, string> {
  return {
    ...(apiKey === null ? teamHeader() : { authorization: `Bearer ${apiKey}` }),
    ...(idempotencyKey === '' ? {} : { 'idempotency-key': idempotencyKey }),
    ...(body === null ? {} : { 'content-type': 'application/json' }),
  };
}

async function readBody({ body }: Response): Promise<{ body: string; isTruncated: boolean }> {
  const reader = body?.getReader();
  const decoder = new TextDecoder();
  let [text, bytes] = ['', 0];
  while (reader) {
    const { value, done } = await reader.read();
    if (done) break;
    bytes += value.length;
    text += decoder.decode(value, { stream: true });
    if (bytes < MAX_BODY_BYTES) continue;
    await reader.cancel();
    return { body: text, isTruncated: true };
  }
  return { body: text + decoder.decode(), isTruncated: false };
}

/** Mutation that sends a request. It keeps the last response until the next request is sent. */
export const useSendRequest = () => useMutation({ mutationFn: sendRequest });
