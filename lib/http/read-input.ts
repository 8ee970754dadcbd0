import type { Endpoint } from '@/lib/contract/define-endpoint';
import { parseInput } from '@/lib/contract/issues';
import { notFound } from '@/lib/core/errors';
import type { Exchange } from './exchange';
import { readJsonBody } from './read-body';

export type RouteParams = Promise<Readonly<Record<string, string | string[] | undefined>>>;

export interface Input {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

/**
 * Reads the path parameters, query and body of a request, and validates them by the endpoint's schemas.
 * @throws AppError `not_found` for an invalid path parameter, `invalid` (or the endpoint's `invalidBody`), and the errors of
 * `readJsonBody`
 */
export async function readInput(exchange: Exchange, endpoint: Endpoint, params: RouteParams): Promise<Input> {
  return {
    params: endpoint.params ? parseParams(endpoint.params, await params) : {},
    query: endpoint.query ? parseInput(endpoint.query, readQuery(exchange.request.url)) : {},
    body: endpoint.body ? await readValidBody(exchange, endpoint, endpoint.body) : {},
  };
}

/** Validates the path parameters. An invalid id is an object that does not exist, so it returns 404. */
function parseParams(schema: NonNullable<Endpoint['params']>, params: unknown): unknown {
  const result = schema.safeParse(params);
  if (!result.success) throw notFound();
  return result.data;
}

/** The query parameters, not validated. A repeated parameter has its first value, or all values if its name ends with `[]`. */
function readQuery(url: string): Record<string, string | string[]> {
  const queryStart = url.indexOf('?');
  if (queryStart < 0) return {};
  const searchParams = new URLSearchParams(url.slice(queryStart));
  const valueOf = (name: string) =>
    name.endsWith('[]') ? searchParams.getAll(name) : (searchParams.get(name) ?? '');
  return Object.fromEntries([...new Set(searchParams.keys())].map((name) => [name, valueOf(name)]));
}

async function readValidBody(
  { request }: Exchange,
  endpoint: Endpoint,
  schema: NonNullable<Endpoint['body']>,
): Promise<unknown> {
  const body = withoutReadOnly(
    await readJsonBody(request, endpoint.maxBodyBytes),
    endpoint.readOnlyFields ?? [],
  );
  return parseInput(schema, body, endpoint.invalidBody ?? 'invalid');
}

/** Removes read-only fields, so that a client may send back an object that it got from the API. */
function withoutReadOnly(body: unknown, readOnly: readonly string[]): unknown {
  if (readOnly.length === 0 || typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  return Object.fromEntries(Object.entries(body).filter(([name]) => !readOnly.includes(name)));
}
