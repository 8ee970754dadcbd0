import type { z } from 'zod';
import type {
  BodyInput,
  Endpoint,
  Page,
  ParamsInput,
  QueryInput,
  ResponseOf,
} from '@/lib/contract/define-endpoint';
import { issueMessage, type Issue } from '@/lib/core/errors';
import { teamHeader } from './active-team';
import { serverReachability, isUnavailableStatus } from './server-reachability';
import type { PageQuery } from './query-keys';
import type { Route } from './routes/route';
import { translateMessage, clientMessage, serverMessagesIn } from './server-messages';

/** A failed call of the API: an error response, or no response (`status` 0). Its messages are for the user. */
export class ApiCallError extends Error {
  override readonly name = 'ApiCallError';
  /** HTTP status; 0 without a response. */
  readonly status: number;
  /** The errors, in the language of the page. */
  readonly issues: readonly Issue[];
  /** `X-Request-Id` of the response, for the operator's log. */
  readonly requestId: string | null;
  /** Seconds to wait before a retry; null without a `Retry-After` header in seconds. */
  readonly retryAfterSeconds: number | null;

  constructor(
    status: number,
    issues: readonly Issue[],
    details: { requestId?: string | null; retryAfterSeconds?: number | null } = {},
  ) {
    super(
      issues.map(issueMessage)[0] ??
        translateMessage(`Request failed with status ${status}`, {
          code: 'request_failed',
          params: { status },
        }),
    );
    this.status = status;
    this.issues = issues;
    this.requestId = details.requestId ?? null;
    this.retryAfterSeconds = details.retryAfterSeconds ?? null;
  }

  /** One message per issue. A message about a field starts with the path of the field and a colon. */
  get messages(): readonly string[] {
    return this.issues.map(issueMessage);
  }
}

/** Reads the error of a response that is not 2xx, including responses of proxies in other formats. */
export async function readErrorResponse(response: Response): Promise<ApiCallError> {
  const retryAfterSeconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  const issues = serverMessagesIn(await response.json().catch(() => null)).map(({ issue }) => issue);
  return new ApiCallError(response.status, issues.length > 0 ? issues : [messageOfStatus(response.status)], {
    requestId: response.headers.get('x-request-id'),
    retryAfterSeconds: Number.isFinite(retryAfterSeconds) ? retryAfterSeconds : null,
  });
}

/** Message for an error response without one, such as that of a proxy. */
function messageOfStatus(status: number): string {
  return status >= 500
    ? clientMessage('server_not_responding_retry')
    : translateMessage(`The server refused the request (status ${status})`, {
        code: 'request_refused',
        params: { status },
      });
}

const noIssues: readonly Issue[] = [];

/** Issues of a failed call; empty without an error. */
export function issuesOf(error: Error | null): readonly Issue[] {
  if (!error) return noIssues;
  return error instanceof ApiCallError ? error.issues : [error.message];
}

/** Error messages of a failed call; empty without an error. */
export const errorMessagesOf = (error: Error | null): readonly string[] => issuesOf(error).map(issueMessage);

/** Whether an endpoint `E` defines the part `K`: `params`, `query` or `body`. */
type HasPart<E, K extends string> = E extends Readonly<Record<K, z.ZodType>> ? true : false;

/** Input of a call: exactly the parts that the endpoint defines. */
type CallInput<E> = (HasPart<E, 'params'> extends true ? { params: ParamsInput<E> } : { params?: never }) &
  (HasPart<E, 'query'> extends true ? { query?: QueryInput<E> } : { query?: never }) &
  (HasPart<E, 'body'> extends true ? { body: BodyInput<E> } : { body?: never });

interface CallOptions {
  readonly signal?: AbortSignal;
  /** Base URL of the service. Default: the server of the page. */
  readonly baseUrl?: string;
  /** For example `{ authorization: 'Bearer lsk_…' }`; a sign-in session needs no headers. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Arguments after the route. The input is optional if the endpoint requires none of its parts. */
type CallArguments<E> =
  Partial<CallInput<E>> extends CallInput<E>
    ? [input?: CallInput<E>, options?: CallOptions]
    : [input: CallInput<E>, options?: CallOptions];

/** Input of a call to any endpoint, without the types of its parts. */
interface UntypedInput {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

/**
 * Calls an endpoint by its route: `await callEndpoint(getStream, { params: { id } })`.
 * @returns the response body; undefined for 204
 * @throws ApiCallError
 */
export async function callEndpoint<E extends Endpoint>(
  route: Route<E>,
  ...args: CallArguments<E>
): Promise<ResponseOf<E>> {
  const response = await send(route, args[0], args[1]);
  return (response.status === 204 ? undefined : await response.json()) as ResponseOf<E>;
}

type ListInput<E> = CallInput<E> & { readonly query: PageQuery<E> };

/**
 * Calls a list endpoint and reads one page with its headers.
 * @throws ApiCallError
 */
export async function callListEndpoint<E extends Endpoint & { readonly list: true }>(
  route: Route<E>,
  ...args: [input: ListInput<E>, options?: CallOptions]
): Promise<Page<ResponseOf<E> extends readonly (infer T)[] ? T : never>> {
  const response = await send(route, args[0], args[1]);
  const total = response.headers.get('x-total-count');
  return {
    items: (await response.json()) as (ResponseOf<E> extends readonly (infer T)[] ? T : never)[],
    nextCursor: parseNextCursor(response.headers.get('link')),
    total: total === null ? null : Number(total),
  };
}

/** The URL of a call with path and query filled in; also used for curl examples. */
export function urlOf(route: Pick<Endpoint, 'path'>, input: UntypedInput = {}, baseUrl = ''): string {
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(formatValue(input.params?.[name])),
  );
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(input.query ?? {})) {
    if (value !== undefined && value !== '') query.set(name, formatValue(value));
  }
  const search = query.size > 0 ? `?${query.toString()}` : '';
  return `${baseUrl}${path}${search}`;
}

/** On a busy server, a list of a thousand rows takes some seconds; an upload by URL or a deletion takes longer. */
const READ_TIMEOUT_MS = 10_000;
const CHANGE_TIMEOUT_MS = 60_000;

type AnyRoute = Pick<Endpoint, 'method' | 'path'> & { readonly sendsBody?: boolean };

/** @throws ApiCallError without a 2xx response */
async function send(route: AnyRoute, input: UntypedInput = {}, options: CallOptions = {}): Promise<Response> {
  const request = {
    method: route.method,
    headers: {
      // The team of the page is sent to its own server only.
      ...(options.baseUrl === undefined ? teamHeader() : {}),
      ...options.headers,
      ...(route.sendsBody ? { 'content-type': 'application/json' } : {}),
    },
    ...(route.sendsBody ? { body: JSON.stringify(input.body ?? {}) } : {}),
  };
  const url = urlOf(route, input, options.baseUrl);
  const response =
    options.baseUrl === undefined
      ? await sendToOwnServer(url, request, options.signal)
      : await sendOnce(url, request, options.signal);
  if (!response.ok) throw await readErrorResponse(response);
  return response;
}

/** A request to the server of the page. */
type OwnRequest = RequestInit & { readonly method: string };

/**
 * Sends a request to the server of the page, and records whether it responds. Nothing is sent while the server is known to be
 * down, because a request that a proxy holds back could be carried out much later.
 */
async function sendToOwnServer(
  url: string,
  request: OwnRequest,
  signal: AbortSignal | undefined,
): Promise<Response> {
  const isRead = request.method === 'GET';
  if (serverReachability.unreachableSince !== null) {
    throw new ApiCallError(0, [
      clientMessage(isRead ? 'server_not_responding' : 'server_not_responding_unchanged'),
    ]);
  }
  const sentAt = Date.now();
  const timeoutSignal = AbortSignal.timeout(isRead ? READ_TIMEOUT_MS : CHANGE_TIMEOUT_MS);
  try {
    const response = await sendOnce(
      url,
      request,
      signal ? AbortSignal.any([signal, timeoutSignal]) : timeoutSignal,
    );
    if (isUnavailableStatus(response.status)) serverReachability.probeNow(sentAt);
    else serverReachability.recordResponse();
    return response;
  } catch (error) {
    if (signal?.aborted) throw error;
    serverReachability.probeNow(sentAt);
    if (!timeoutSignal.aborted) throw error;
    throw new ApiCallError(0, [clientMessage(isRead ? 'server_not_responding' : 'server_too_slow')]);
  }
}

/** Sends a request. An aborted signal rejects with its own error, any other failure with an ApiCallError. */
async function sendOnce(
  url: string,
  request: RequestInit,
  signal: AbortSignal | undefined,
): Promise<Response> {
  try {
    return await fetch(url, { ...request, ...(signal ? { signal } : {}) });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ApiCallError(0, [clientMessage('server_unreachable')]);
  }
}

/** Cursor of the next page in a `Link` header; null on the last page. */
function parseNextCursor(link: string | null): string | null {
  const url = link && /<([^>]+)>;\s*rel="next"/.exec(link)?.[1];
  return url ? new URL(url).searchParams.get('cursor') : null;
}

/** Text of a value in a URL; empty for other types than text, number and boolean. */
function formatValue(value: unknown): string {
  return typeof value === 'string'
    ? value
    : typeof value === 'number' || typeof value === 'boolean'
      ? String(value)
      : '';
}
