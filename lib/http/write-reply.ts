import type { Endpoint, Page } from '@/lib/contract/define-endpoint';
import { csvOf } from '@/lib/core/csv';
import { jsonResponse } from './error-response';
import type { Exchange } from './exchange';

/**
 * The `Link` header of a page that is followed by another one. Built on BASE_URL, never on the
 * Host header, which the caller chooses.
 */
export function nextLink(baseUrl: string, requestUrl: string, cursor: string): string {
  const { pathname, searchParams } = new URL(requestUrl);
  searchParams.set('cursor', cursor);
  return `<${baseUrl}${pathname}?${searchParams.toString()}>; rel="next"`;
}

/**
 * The success response. The verb's result is parsed by the contract first: unknown fields are removed, and a violation
 * is an internal error (500).
 */
export function writeReply(exchange: Exchange, endpoint: Endpoint, reply: unknown): Response {
  const { headers } = exchange;
  if (!endpoint.response) return new Response(null, { status: endpoint.status, headers });
  const body = endpoint.list ? pageOf(exchange, endpoint, reply as Page<unknown>) : checked(endpoint, reply);
  if (endpoint.csv && wantsCsv(exchange.request)) return csvResponse(headers, endpoint.status, body);
  return jsonResponse(headers, endpoint.status, body);
}

function wantsCsv({ url, headers }: Request): boolean {
  const format = new URL(url).searchParams.get('format');
  if (format !== null) return format === 'csv';
  return /^\s*text\/csv\b/i.test(headers.get('accept') ?? '');
}

function csvResponse(headers: Headers, status: number, body: unknown): Response {
  headers.set('content-type', 'text/csv; charset=utf-8; header=present');
  return new Response(csvOf(body as readonly Readonly<Record<string, unknown>>[]), { status, headers });
}

/**
 * Checks only the first object of a page: all come from one serializer, and checking a hundred would cost more than
 * reading them. The tests check every object.
 */
function pageOf({ headers, services, request }: Exchange, endpoint: Endpoint, page: Page<unknown>): unknown {
  const { items, nextCursor, total } = page;
  if (nextCursor !== null) headers.set('link', nextLink(services.settings.baseUrl, request.url, nextCursor));
  if (total !== null) headers.set('x-total-count', String(total));
  checked(endpoint, items.slice(0, 1));
  return items;
}

function checked({ id, response }: Endpoint, body: unknown): unknown {
  const result = response?.safeParse(body);
  if (result?.success) return result.data;
  throw new Error(`The answer of ${id} breaks its contract`, { cause: result?.error });
}
