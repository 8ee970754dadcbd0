import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { defined } from '@/lib/core/defined';
import type { Journal } from '../journal';
import type { Counters } from './counters';

export interface Answer {
  readonly status: number;
  readonly text: string;
  /** Undefined when the body is not JSON. */
  readonly json: unknown;
}

const maxAttempts = 60;
const timeoutMs = 20_000;
/** Statuses after which a request is retried. */
const retryable = (status: number) => status >= 500 || status === 409 || status === 429;

/** An API client as the docs recommend: it retries writes with the same idempotency key until it gets a response. */
export class ApiClient {
  constructor(
    private readonly baseUrl: string,
    private readonly key: string,
    private readonly journal: Journal,
    public counters: Counters,
  ) {}

  /** Sends one request. @throws Error if the connection breaks or after the timeout */
  async call(method: string, path: string, body?: object, idempotencyKey?: string): Promise<Answer> {
    const response = await fetch(`${this.baseUrl}${path}`, {
      method,
      signal: AbortSignal.timeout(timeoutMs),
      headers: {
        authorization: `Bearer ${this.key}`,
        ...(body ? { 'content-type': 'application/json' } : {}),
        ...defined({ 'idempotency-key': idempotencyKey }),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const text = await response.text();
    return { status: response.status, text, json: parse(text) };
  }

  /**
   * Retries a valid request until the status is one of `accepted`. Another 4xx, or no response after all attempts, is
   * reported as a problem.
   * @returns null after a problem
   */
  async write(
    method: 'POST' | 'PATCH' | 'DELETE',
    path: string,
    body: object | undefined,
    statuses: readonly number[],
  ): Promise<Answer | null> {
    const idempotencyKey = method === 'POST' ? randomUUID() : undefined;
    let last = '';
    for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
      const answer = await this.call(method, path, body, idempotencyKey).catch((error: unknown) => {
        last = reasonOf(error);
        return null;
      });
      if (answer && statuses.includes(answer.status)) return answer;
      if (answer && !retryable(answer.status)) {
        const detail = { method, body, status: answer.status, text: answer.text.slice(0, 300), attempt };
        this.journal.problem('a valid request was rejected', path, detail);
        return null;
      }
      if (answer) last = `${answer.status} ${answer.text.slice(0, 200)}`;
      if (attempt === 1) this.counters.writesRepeated += 1;
      this.journal.incident(answer ? `write: status ${answer.status}` : `write: ${last}`, { path });
      await sleep(attempt < 6 ? 300 : 1_500);
    }
    this.journal.problem('a write got no response', path, { method, body, attempts: maxAttempts, last });
    return null;
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Error code of the connection, or the name of the error. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  if (cause instanceof Error && 'code' in cause) return String(cause.code);
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
