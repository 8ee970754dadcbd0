import type { z } from 'zod';
import type { Endpoint, Page, Upserted } from '@/lib/contract/define-endpoint';
import { formatCsv } from '@/lib/core/csv';
import { createJsonResponse } from './error-response';
import type { Exchange } from './exchange';
import { calledUrl, toStudioDialect, isStudioRequest, successResponseOf } from './studio-dialect';

interface ReplyContract {
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
 * Creates the success response. A single object is parsed by the contract: unknown fields are removed, and a violation is an
 * internal error (500). Of a list, some objects are checked, and the objects are sent unchanged.
 */
export function writeReply(exchange: Exchange, endpoint: Endpoint, reply: unknown): Response {
  const { headers, request } = exchange;
  const { status, response } = successResponseOf(request, endpoint);
  if (endpoint.upserts && response) {
    const { isCreated, object } = reply as Upserted<unknown>;
    const body = checkReply({ id: endpoint.id, response }, object);
    return createJsonResponse(
      headers,
      isCreated ? 201 : 200,
      isStudioRequest(request) ? toStudioDialect(response, body) : body,
    );
  }
  if (!response) return new Response(null, { status, headers });
  const contract = { id: endpoint.id, response };
  const body = endpoint.list
    ? writePage(exchange, contract, reply as Page<unknown>)
    : checkReply(contract, reply);
  if (endpoint.csv && wantsCsv(request)) return createCsvResponse(headers, status, body);
  return createJsonResponse(
    headers,
    status,
    isStudioRequest(request) ? toStudioDialect(response, body) : body,
  );
}

function wantsCsv({ url, headers }: Request): boolean {
  const format = new URL(url).searchParams.get('format');
  if (format !== null) return format === 'csv';
  return /^\s*text\/csv\b/i.test(headers.get('accept') ?? '');
}

function createCsvResponse(headers: Headers, status: number, body: unknown): Response {
  headers.set('content-type', 'text/csv; charset=utf-8; header=present');
  return new Response(formatCsv(body as readonly Readonly<Record<string, unknown>>[]), { status, headers });
}

/** The first pages of an endpoint that are all checked; after them, one of `PAGES_PER_CHECK`. */
const ALWAYS_CHECKED_PAGES = 100;
const PAGES_PER_CHECK = 16;
/** Number of pages sent so far, by the id of their endpoint. */
const pageCounts = new Map<string, number>();

/**
 * Sets the headers of a page and returns its objects. Only the first object is checked, and after a while not on every page,
 * because all objects come from one serializer, and checking a hundred costs more than reading them.
 */
function writePage(
  { headers, services, request }: Exchange,
  reply: ReplyContract,
  page: Page<unknown>,
): unknown {
  const { items, nextCursor, total } = page;
  if (nextCursor !== null)
    headers.set('link', nextLink(services.settings.baseUrl, calledUrl(request).href, nextCursor));
  if (total !== null) headers.set('x-total-count', String(total));
  const pageCount = (pageCounts.get(reply.id) ?? 0) + 1;
  pageCounts.set(reply.id, pageCount);
  if (pageCount <= ALWAYS_CHECKED_PAGES || pageCount % PAGES_PER_CHECK === 0)
    checkReply(reply, items.slice(0, 1));
  return items;
}

function checkReply({ id, response }: ReplyContract, body: unknown): unknown {
  const result = response.safeParse(body);
  if (result.success) return result.data;
  throw new Error(`the response of ${id} violates its contract`, { cause: result.error });
}
