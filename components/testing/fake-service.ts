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

/** What a handler of the API returns, from which the response is created. */
type Result<E> = HandlerResultOf<E> | Promise<HandlerResultOf<E>>;
type ResultOrHandler<E> = Result<E> | ((call: Call<E>) => Result<E>);

interface RegisteredEndpoint {
  readonly endpoint: Endpoint;
  /** Matches the path of a request; each group is a path parameter. */
  readonly pathPattern: RegExp;
  readonly calls: Call<Endpoint>[];
  handle: (call: Call<Endpoint>) => unknown;
}

/**
 * Fake of the API that replaces `fetch`. Requests and responses are validated with the schemas of lib/contract, so that
 * a test cannot pass with requests or responses that the API does not have.
 */
export class FakeService {
  readonly #endpoints = new Map<string, RegisteredEndpoint>();
  /** Faults that fail the test: requests without a response, and responses that break the contract. */
  readonly faults: string[] = [];

  /** Sets the result of an endpoint, or a function that returns the result for a request. */
  on<E extends Endpoint>(endpoint: E, resultOrHandler: ResultOrHandler<E>): void {
    const registeredEndpoint = this.#endpoints.get(endpoint.id);
    const pathPattern = new RegExp(`^${endpoint.path.replaceAll(/\{\w+\}/g, '([^/]+)')}$`);
    const handle = (
      typeof resultOrHandler === 'function' ? resultOrHandler : () => resultOrHandler
    ) as RegisteredEndpoint['handle'];
    if (registeredEndpoint) registeredEndpoint.handle = handle;
    else this.#endpoints.set(endpoint.id, { endpoint, pathPattern, calls: [], handle });
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
      ({ endpoint, pathPattern }) => endpoint.method === method && pathPattern.test(url.pathname),
    );
    // lib/client/server-reachability.ts probes this path to see whether the server is reachable.
    if (!matchingEndpoint && url.pathname === '/api/user/me') return new Response(null, { status: 401 });
    if (!matchingEndpoint) return this.#fail(`${method} ${url.pathname} has no response`);
    try {
      return await this.#respond(matchingEndpoint, url, init.body);
    } catch (error) {
      if (!(error instanceof AppError))
        return this.#fail(`${matchingEndpoint.endpoint.id}: ${String(error)}`);
      return jsonResponse(statusOfError(error.code), createErrorBody(error.issues));
    }
  };

  async #respond(
    { endpoint, pathPattern, calls, handle }: RegisteredEndpoint,
    url: URL,
    body: unknown,
  ): Promise<Response> {
    const call = parseCall(endpoint, pathPattern, url, body);
    calls.push(call);
    const result = await handle(call);
    if (!endpoint.response) return new Response(null, { status: endpoint.status });
    if (!endpoint.list) return jsonResponse(endpoint.status, endpoint.response.parse(result));
    const { items, nextCursor, total } = result as Page<unknown>;
    const headers = new Headers();
    if (total !== null) headers.set('x-total-count', String(total));
    if (nextCursor !== null) {
      url.searchParams.set('cursor', nextCursor);
      headers.set('link', `<${url.href}>; rel="next"`);
    }
    return jsonResponse(endpoint.status, endpoint.response.parse(items), headers);
  }

  /** Records a fault, which fails the test at its end, and responds with it. */
  #fail(message: string): Response {
    this.faults.push(message);
    return jsonResponse(500, { errors: [message] });
  }
}

/** @throws AppError if the request does not match the schemas of the endpoint */
function parseCall(endpoint: Endpoint, pathPattern: RegExp, url: URL, body: unknown): Call<Endpoint> {
  const paramNames = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '');
  const paramValues = (pathPattern.exec(url.pathname) ?? []).slice(1).map(decodeURIComponent);
  const params = Object.fromEntries(paramNames.map((name, index) => [name, paramValues[index]]));
  const requestBody: unknown = typeof body === 'string' ? JSON.parse(body) : {};
  const parse = (schema: Endpoint['body'], input: unknown, code: ErrorCode) =>
    (schema ? parseInput(schema, input, code) : {}) as Record<string, never>;
  return {
    params: parse(endpoint.params, params, 'not_found'),
    query: parse(endpoint.query, Object.fromEntries(url.searchParams), 'invalid'),
    body: parse(endpoint.body, requestBody, endpoint.invalidBody ?? 'invalid'),
  };
}

const jsonResponse = (status: number, body: unknown, headers = new Headers()): Response => {
  headers.set('content-type', 'application/json');
  return new Response(JSON.stringify(body), { status, headers });
};

/** Result of a list endpoint: by default its only page. */
export function pageOf<T>(items: readonly T[], change: Partial<Page<T>> = {}): Page<T> {
  return { items, nextCursor: null, total: items.length, ...change };
}

/** The example response of an endpoint in the API reference, with changes. */
export function exampleOf<E extends Endpoint>(
  endpoint: E,
  change: Partial<ResponseOf<E>> = {},
): ResponseOf<E> {
  const example = endpoint.response?.parse(endpoint.example.response) as object;
  return { ...example, ...change } as ResponseOf<E>;
}

/** The first item of a list endpoint's example response in the API reference, with changes. */
export function exampleItemOf<E extends Endpoint>(endpoint: E, change: Partial<ItemOf<E>> = {}): ItemOf<E> {
  const [firstItem] = endpoint.response?.parse(endpoint.example.response) as object[];
  return { ...firstItem, ...change } as ItemOf<E>;
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
    // Every player of the dashboard requests the brand.
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
