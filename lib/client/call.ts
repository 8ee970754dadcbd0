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
import { teamHeader } from './acting-team';
import { connection, isUnavailableStatus } from './connection';
import type { PageQuery } from './query-keys';
import type { Route } from './routes/route';
import { translateMessage, clientMessage, serverMessagesIn } from './server-messages';

/** An error response of the API, or a network failure (`status` 0), with messages for the user. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** HTTP status; 0 without a response. */
  readonly status: number;
  /** The errors, in the language of the page. */
  readonly issues: readonly Issue[];
  /** `X-Request-Id` of the response, for the operator's log. */
  readonly requestId: string | null;
  /** Seconds to wait before a retry; null if the server sent no Retry-After. */
  readonly retryAfter: number | null;

  constructor(
    status: number,
    issues: readonly Issue[],
    extra: { requestId?: string | null; retryAfter?: number | null } = {},
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
    this.requestId = extra.requestId ?? null;
    this.retryAfter = extra.retryAfter ?? null;
  }

  /** One message per issue. A message about a field starts with the path of the field and a colon. */
  get messages(): readonly string[] {
    return this.issues.map(issueMessage);
  }
}

/** Reads the error of a response that is not 2xx, including responses of proxies in other formats. */
export async function readApiError(response: Response): Promise<ApiError> {
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN);
  const issues = serverMessagesIn(await response.json().catch(() => null)).map(({ issue }) => issue);
  return new ApiError(response.status, issues.length > 0 ? issues : [messageOfStatus(response.status)], {
    requestId: response.headers.get('x-request-id'),
    retryAfter: Number.isFinite(retryAfter) ? retryAfter : null,
  });
}

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
  return error instanceof ApiError ? error.issues : [error.message];
}

/** Error messages of a failed call; empty without an error. */
export const errorMessagesOf = (error: Error | null): readonly string[] => issuesOf(error).map(issueMessage);

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

type Arguments<E> =
  Partial<CallInput<E>> extends CallInput<E>
    ? [input?: CallInput<E>, options?: CallOptions]
    : [input: CallInput<E>, options?: CallOptions];

interface LooseInput {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

/**
 * Calls an endpoint by its route: `await call(getStream, { params: { id } })`.
 * @returns the response body; undefined for 204
 * @throws ApiError
 */
export async function call<E extends Endpoint>(
  route: Route<E>,
  ...args: Arguments<E>
): Promise<ResponseOf<E>> {
  const response = await send(route, args[0], args[1]);
  return (response.status === 204 ? undefined : await response.json()) as ResponseOf<E>;
}

type ListInput<E> = CallInput<E> & { readonly query: PageQuery<E> };

/**
 * Calls a list endpoint and reads one page with its headers.
 * @throws ApiError
 */
export async function callList<E extends Endpoint & { readonly list: true }>(
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
export function urlOf(route: Pick<Endpoint, 'path'>, input: LooseInput = {}, baseUrl = ''): string {
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

async function send(route: AnyRoute, input: LooseInput = {}, options: CallOptions = {}): Promise<Response> {
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
  if (!response.ok) throw await readApiError(response);
  return response;
}

type OwnRequest = RequestInit & { readonly method: string };

/** Sends nothing while the server does not respond: a request that waits there could be carried out much later. */
async function sendToOwnServer(
  url: string,
  request: OwnRequest,
  signal: AbortSignal | undefined,
): Promise<Response> {
  const isRead = request.method === 'GET';
  if (connection.downSince !== null) {
    throw new ApiError(0, [
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
    if (isUnavailableStatus(response.status)) connection.suspectOutage(sentAt);
    else connection.recordResponse();
    return response;
  } catch (error) {
    if (signal?.aborted) throw error;
    connection.suspectOutage(sentAt);
    if (!timeoutSignal.aborted) throw error;
    throw new ApiError(0, [clientMessage(isRead ? 'server_not_responding' : 'server_too_slow')]);
  }
}

async function sendOnce(
  url: string,
  request: RequestInit,
  signal: AbortSignal | undefined,
): Promise<Response> {
  try {
    return await fetch(url, { ...request, ...(signal ? { signal } : {}) });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ApiError(0, [clientMessage('server_unreachable')]);
  }
}

function parseNextCursor(link: string | null): string | null {
  const url = link && /<([^>]+)>;\s*rel="next"/.exec(link)?.[1];
  return url ? new URL(url).searchParams.get('cursor') : null;
}

function formatValue(value: unknown): string {
  return typeof value === 'string'
    ? value
    : typeof value === 'number' || typeof value === 'boolean'
      ? String(value)
      : '';
}
