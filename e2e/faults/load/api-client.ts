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
const TIMEOUT_MS = 20_000;
/** Statuses after which a request is retried. */
const isRetryable = (status: number) => status >= 500 || status === 409 || status === 429;

/** An API client that retries writes until it gets a response, POST requests with the same idempotency key. */
export class ApiClient {
  constructor(
    private readonly baseUrl: string,
    private readonly apiKey: string,
    private readonly journal: Journal,
    public counters: Counters,
  ) {}

  /**
   * Sends one request without retries.
   * @throws Error if the connection breaks or after the timeout
   */
  async call(method: string, path: string, body?: object, idempotencyKey?: string): Promise<ApiResponse> {
    const response = await fetch(`${this.baseUrl}${path}`, {
      method,
      signal: AbortSignal.timeout(TIMEOUT_MS),
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
   * Retries a valid request until its status is one of `statuses`. A status that is neither in `statuses` nor retryable, or no
   * such status after all attempts, is reported as a problem.
   * @returns null after a problem
   */
  async write(
    method: 'POST' | 'PATCH' | 'DELETE',
    path: string,
    body: object | undefined,
    statuses: readonly number[],
  ): Promise<ApiResponse | null> {
    const idempotencyKey = method === 'POST' ? randomUUID() : undefined;
    let lastError = '';
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      const response = await this.call(method, path, body, idempotencyKey).catch((error: unknown) => {
        lastError = describeError(error);
        return null;
      });
      if (response && statuses.includes(response.status)) return response;
      if (response && !isRetryable(response.status)) {
        const detail = { method, body, status: response.status, text: response.text.slice(0, 300), attempt };
        this.journal.reportProblem('a valid request was rejected', path, detail);
        return null;
      }
      if (response) lastError = `${response.status} ${response.text.slice(0, 200)}`;
      if (attempt === 1) this.counters.writesRepeated += 1;
      this.journal.recordIncident(response ? `write: status ${response.status}` : `write: ${lastError}`, {
        path,
      });
      await sleep(attempt < 6 ? 300 : 1_500);
    }
    this.journal.reportProblem('a write got no response', path, {
      method,
      body,
      attempts: MAX_ATTEMPTS,
      last: lastError,
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
