import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { omitUndefined } from '@/lib/core/omit-undefined';
import type { Journal } from '../journal';
import type { Counters } from './counters';

export interface ApiResponse {
  readonly status: number;
  readonly text: string;
  /** Parsed body, or undefined if the body is not JSON. */
  readonly json: unknown;
}

const MAX_ATTEMPTS = 60;
const REQUEST_TIMEOUT_MS = 20_000;
/** Number of attempts with a short delay after them, for faults that end soon. */
const FAST_ATTEMPTS = 5;
const FAST_RETRY_DELAY_MS = 300;
const RETRY_DELAY_MS = 1_500;
/**
 * Statuses after which a request is retried. 409: the first request with this idempotency key is still running. 429: too many
 * requests.
 */
const isRetryable = (status: number) => status >= 500 || status === 409 || status === 429;

/** An API client that retries writes. All attempts of a POST request have the same idempotency key. */
export class ApiClient {
  constructor(
    private readonly baseUrl: string,
    private readonly apiKey: string,
    private readonly journal: Journal,
    public counters: Counters,
  ) {}

  /**
   * Sends one request without retries.
   * @throws Error if the connection breaks, or without a complete response within 20 s
   */
  async send(method: string, path: string, body?: object, idempotencyKey?: string): Promise<ApiResponse> {
    const response = await fetch(`${this.baseUrl}${path}`, {
      method,
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
      headers: {
        authorization: `Bearer ${this.apiKey}`,
        ...(body ? { 'content-type': 'application/json' } : {}),
        ...omitUndefined({ 'idempotency-key': idempotencyKey }),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const text = await response.text();
    return { status: response.status, text, json: parseJson(text) };
  }

  /**
   * Sends a valid request, and retries it until the response has an expected status. Reports a problem if a status is neither
   * expected nor retryable, or if the last attempt fails.
   * @returns the response with an expected status; null after a problem
   */
  async write(
    method: 'POST' | 'PATCH' | 'DELETE',
    path: string,
    body: object | undefined,
    expectedStatuses: readonly number[],
  ): Promise<ApiResponse | null> {
    const idempotencyKey = method === 'POST' ? randomUUID() : undefined;
    let lastError = '';
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      const response = await this.send(method, path, body, idempotencyKey).catch((error: unknown) => {
        lastError = describeError(error);
        return null;
      });
      if (response && expectedStatuses.includes(response.status)) return response;
      if (response && !isRetryable(response.status)) {
        const detail = { method, body, status: response.status, text: response.text.slice(0, 300), attempt };
        this.journal.reportProblem('a valid request was rejected', path, detail);
        return null;
      }
      if (response) lastError = `${response.status} ${response.text.slice(0, 200)}`;
      if (attempt === 1) this.counters.writesRetried += 1;
      this.journal.recordIncident(response ? `write: status ${response.status}` : `write: ${lastError}`, {
        path,
      });
      await sleep(attempt <= FAST_ATTEMPTS ? FAST_RETRY_DELAY_MS : RETRY_DELAY_MS);
    }
    this.journal.reportProblem('a write did not succeed', path, {
      method,
      body,
      attempts: MAX_ATTEMPTS,
      lastError,
    });
    return null;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Describes an error by the code of its cause, its own code or its name. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  if (cause instanceof Error && 'code' in cause) return String(cause.code);
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
