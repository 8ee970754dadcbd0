import { cleanup } from '@testing-library/react';
import { afterEach, beforeEach, vi } from 'vitest';
import { getBrand } from '@/lib/contract/accounts/brand';
import type {
  BodyOf,
  Endpoint,
  Page,
  ParamsOf,
  QueryOf,
  HandlerResultOf,
  ResponseOf,
} from '@/lib/contract/define-endpoint';
import { parseInput } from '@/lib/contract/issues';
import { AppError, type ErrorCode, type Issue, statusOfError } from '@/lib/core/errors';
import { createErrorBody } from '@/lib/core/reasons/reason';

interface Call<E> {
  readonly params: ParamsOf<E>;
  readonly query: QueryOf<E>;
  readonly body: BodyOf<E>;
}

type Reply<E> = HandlerResultOf<E> | Promise<HandlerResultOf<E>>;
type Answer<E> = Reply<E> | ((call: Call<E>) => Reply<E>);

interface RegisteredEndpoint {
  readonly endpoint: Endpoint;
  readonly pattern: RegExp;
  readonly calls: Call<Endpoint>[];
  answer: (call: Call<Endpoint>) => unknown;
}

/**
 * Fake of the API that replaces `fetch`. Requests and responses are validated with the schemas of lib/contract, so that
 * a test cannot pass with requests or responses that the API does not have.
 */
export class FakeService {
  readonly #endpoints = new Map<string, RegisteredEndpoint>();
  /** Faults that fail the test: requests without a response, and responses that break the contract. */
  readonly faults: string[] = [];

  /** Sets the response of an endpoint. */
  on<E extends Endpoint>(endpoint: E, answer: Answer<E>): void {
    const registeredEndpoint = this.#endpoints.get(endpoint.id);
    const pattern = new RegExp(`^${endpoint.path.replaceAll(/\{\w+\}/g, '([^/]+)')}$`);
    const respond = (typeof answer === 'function' ? answer : () => answer) as RegisteredEndpoint['answer'];
    if (registeredEndpoint) registeredEndpoint.answer = respond;
    else this.#endpoints.set(endpoint.id, { endpoint, pattern, calls: [], answer: respond });
  }

  /** Responds with the examples of the API reference; endpoints without an example respond with 204. */
  onExamples(...endpoints: readonly Endpoint[]): void {
    for (const endpoint of endpoints) {
      const { response } = endpoint.example;
      const items = Array.isArray(response) ? response : [];
      this.on<Endpoint>(endpoint, (endpoint.list ? pageOf(items) : response) as never);
    }
  }

  /** Makes the endpoint reject every request from now on. */
  reject(endpoint: Endpoint, code: ErrorCode, ...issues: readonly Issue[]): void {
    this.on<Endpoint>(endpoint, () => {
      throw new AppError(code, issues);
    });
  }

  /** Requests that reached the endpoint with valid input. */
  callsOf<E extends Endpoint>(endpoint: E): readonly Call<E>[] {
    return this.#endpoints.get(endpoint.id)?.calls ?? [];
  }

  readonly fetch = async (input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> => {
    const url = new URL(input instanceof Request ? input.url : input, window.location.href);
    // Playback requests get a 404, because these tests play nothing.
    if (url.origin !== window.location.origin) return new Response(null, { status: 404 });
    const method = init.method ?? 'GET';
    const matchingEndpoint = [...this.#endpoints.values()].find(
      ({ endpoint, pattern }) => endpoint.method === method && pattern.test(url.pathname),
    );
    // lib/client/connection.ts probes this path to see whether the server is reachable.
    if (!matchingEndpoint && url.pathname === '/api/user/me') return new Response(null, { status: 401 });
    if (!matchingEndpoint) return this.#fault(`${method} ${url.pathname} has no answer`);
    try {
      return await this.#reply(matchingEndpoint, url, init.body);
    } catch (error) {
      if (!(error instanceof AppError))
        return this.#fault(`${matchingEndpoint.endpoint.id}: ${String(error)}`);
      return json(statusOfError(error.code), createErrorBody(error.issues));
    }
  };

  async #reply(
    { endpoint, pattern, calls, answer }: RegisteredEndpoint,
    url: URL,
    body: unknown,
  ): Promise<Response> {
    const call = readCall(endpoint, pattern, url, body);
    calls.push(call);
    const reply = await answer(call);
    if (!endpoint.response) return new Response(null, { status: endpoint.status });
    if (!endpoint.list) return json(endpoint.status, endpoint.response.parse(reply));
    const { items, nextCursor, total } = reply as Page<unknown>;
    const headers = new Headers();
    if (total !== null) headers.set('x-total-count', String(total));
    if (nextCursor !== null) {
      url.searchParams.set('cursor', nextCursor);
      headers.set('link', `<${url.href}>; rel="next"`);
    }
    return json(endpoint.status, endpoint.response.parse(items), headers);
  }

  #fault(message: string): Response {
    this.faults.push(message);
    return json(500, { errors: [message] });
  }
}

function readCall(endpoint: Endpoint, pattern: RegExp, url: URL, body: unknown): Call<Endpoint> {
  const names = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '');
  const values = (pattern.exec(url.pathname) ?? []).slice(1).map(decodeURIComponent);
  const params = Object.fromEntries(names.map((name, index) => [name, values[index]]));
  const requestBody: unknown = typeof body === 'string' ? JSON.parse(body) : {};
  const parse = (schema: Endpoint['body'], input: unknown, code: ErrorCode) =>
    (schema ? parseInput(schema, input, code) : {}) as Record<string, never>;
  return {
    params: parse(endpoint.params, params, 'not_found'),
    query: parse(endpoint.query, Object.fromEntries(url.searchParams), 'invalid'),
    body: parse(endpoint.body, requestBody, endpoint.invalidBody ?? 'invalid'),
  };
}

const json = (status: number, body: unknown, headers = new Headers()): Response => {
  headers.set('content-type', 'application/json');
  return new Response(JSON.stringify(body), { status, headers });
};

/** One page of a list. */
export function pageOf<T>(items: readonly T[], change: Partial<Page<T>> = {}): Page<T> {
  return { items, nextCursor: null, total: items.length, ...change };
}

/** The example of the API reference, with changes. */
export function exampleOf<E extends Endpoint>(
  endpoint: E,
  change: Partial<ResponseOf<E>> = {},
): ResponseOf<E> {
  const example = endpoint.response?.parse(endpoint.example.response) as object;
  return { ...example, ...change } as ResponseOf<E>;
}

/** The first example of a list of the API reference, with changes. */
export function exampleItemOf<E extends Endpoint>(endpoint: E, change: Partial<ItemOf<E>> = {}): ItemOf<E> {
  const [first] = endpoint.response?.parse(endpoint.example.response) as object[];
  return { ...first, ...change } as ItemOf<E>;
}

type ItemOf<E> = ResponseOf<E> extends readonly (infer T)[] ? T : never;

/** Creates a response that the test sends later. */
export function createDelayedResponse<T>() {
  let send: (value: T) => void = () => undefined;
  let fail: (error: AppError) => void = () => undefined;
  const response = new Promise<T>((resolve, reject) => {
    send = resolve;
    fail = reject;
  });
  return {
    response,
    send,
    reject: (code: ErrorCode, ...errorMessages: string[]) => fail(new AppError(code, errorMessages)),
  };
}

/** Creates a service for each test of a file. A request without a response fails the test. */
export function setUpFakeService(): () => FakeService {
  let service = new FakeService();
  beforeEach(() => {
    service = new FakeService();
    // Every player of the dashboard asks for it.
    service.on(getBrand, exampleOf(getBrand));
    vi.stubGlobal('fetch', service.fetch);
  });
  afterEach(() => {
    cleanup();
    vi.unstubAllGlobals();
    if (service.faults.length > 0) throw new Error(service.faults.join('\n'));
  });
  return () => service;
}
