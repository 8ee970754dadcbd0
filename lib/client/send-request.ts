'use client';

import { useMutation } from '@tanstack/react-query';
import { teamHeader } from './acting-team';
import { ApiError } from './call';

/** A request as edited in the API reference. */
export interface RequestToSend {
  readonly method: string;
  /** Path and query on this server. */
  readonly address: string;
  /** Null: sent with the session cookie of this browser, if it has one. */
  readonly key: string | null;
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

const timeoutMs = 60_000;
const maxBodyBytes = 256 * 1024;

/**
 * Sends a request to this server and reads the response; an error status is a response, not an exception.
 * @throws ApiError with status 0 without a response
 */
export async function sendRequest(request: RequestToSend): Promise<ReceivedResponse> {
  const startedAt = performance.now();
  try {
    const response = await fetch(request.address, {
      method: request.method,
      headers: headersOf(request),
      // A session cookie next to a key would hide the limits of the key.
      credentials: request.key === null ? 'same-origin' : 'omit',
      cache: 'no-store',
      signal: AbortSignal.timeout(timeoutMs),
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
    const late = error instanceof DOMException && error.name === 'TimeoutError';
    throw new ApiError(0, [
      late
        ? `The server did not respond within ${timeoutMs / 1000} seconds.`
        : 'Can’t reach the server. Check your connection.',
    ]);
  }
}

function headersOf({ key, idempotencyKey, body }: RequestToSend): Record<string, string> {
  return {
    ...(key === null ? teamHeader() : { authorization: `Bearer ${key}` }),
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
    if (bytes < maxBodyBytes) continue;
    await reader.cancel();
    return { body: text, isTruncated: true };
  }
  return { body: text + decoder.decode(), isTruncated: false };
}

/** Sends one request at a time. The last response stays until the next request. */
export const useSendRequest = () => useMutation({ mutationFn: sendRequest });
