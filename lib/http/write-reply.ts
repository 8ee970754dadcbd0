import type { z } from 'zod';
import type { Endpoint, Page, Upserted } from '@/lib/contract/define-endpoint';
import { csvOf } from '@/lib/core/csv';
import { jsonResponse } from './error-response';
import type { Exchange } from './exchange';
import { calledUrl, inDialect, isStudio, replyOf } from './studio-dialect';

interface Reply {
  readonly id: string;
  readonly response: z.ZodType;
}

/** The `Link` header of a page with a next page. Built with BASE_URL, because the caller chooses the Host header. */
export function nextLink(baseUrl: string, requestUrl: string, cursor: string): string {
  const { pathname, searchParams } = new URL(requestUrl);
  searchParams.set('cursor', cursor);
  return `<${baseUrl}${pathname}?${searchParams.toString()}>; rel="next"`;
}

/**
 * The success response. The contract parses the result first: unknown fields are removed, and a violation is an internal
 * error (500).
 */
export function writeReply(exchange: Exchange, endpoint: Endpoint, reply: unknown): Response {
  const { headers, request } = exchange;
  const { status, response } = replyOf(request, endpoint);
  if (endpoint.upserts && response) {
    const { created, object } = reply as Upserted<unknown>;
    const body = checkReply({ id: endpoint.id, response }, object);
    return jsonResponse(headers, created ? 201 : 200, isStudio(request) ? inDialect(response, body) : body);
  }
  if (!response) return new Response(null, { status, headers });
  const shape = { id: endpoint.id, response };
  const body = endpoint.list ? pageOf(exchange, shape, reply as Page<unknown>) : checkReply(shape, reply);
  if (endpoint.csv && wantsCsv(request)) return csvResponse(headers, status, body);
  return jsonResponse(headers, status, isStudio(request) ? inDialect(response, body) : body);
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

/** After this many replies of an endpoint, only a share of them is checked. */
const [wellChecked, checkedShare] = [100, 16];
const pagesOf = new Map<string, number>();

/**
 * Checks only the first object of a page, and after a while not every page: all come from one serializer, and checking a
 * hundred objects costs more than reading them. The tests check every object.
 */
function pageOf({ headers, services, request }: Exchange, reply: Reply, page: Page<unknown>): unknown {
  const { items, nextCursor, total } = page;
  if (nextCursor !== null)
    headers.set('link', nextLink(services.settings.baseUrl, calledUrl(request).href, nextCursor));
  if (total !== null) headers.set('x-total-count', String(total));
  const pages = (pagesOf.get(reply.id) ?? 0) + 1;
  pagesOf.set(reply.id, pages);
  if (pages <= wellChecked || pages % checkedShare === 0) checkReply(reply, items.slice(0, 1));
  return items;
}

function checkReply({ id, response }: Reply, body: unknown): unknown {
  const result = response.safeParse(body);
  if (result.success) return result.data;
  throw new Error(`the response of ${id} violates its contract`, { cause: result.error });
}
