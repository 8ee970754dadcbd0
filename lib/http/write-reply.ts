import type { Endpoint, Page } from '@/lib/contract/define-endpoint';
import { jsonResponse } from './error-response';
import type { Exchange } from './exchange';
import { nextLink } from './links';

/**
 * The answer of success. What a verb returned passes the contract first: a field that the contract does
 * not name never leaves, and a breach of it is our error (500), not a surprise for the caller.
 */
export function writeReply(exchange: Exchange, endpoint: Endpoint, reply: unknown): Response {
  const { headers } = exchange;
  if (!endpoint.response) return new Response(null, { status: endpoint.status, headers });
  const body = endpoint.list ? bodyOfPage(exchange, reply as Page<unknown>) : reply;
  const checked = endpoint.response.safeParse(body);
  if (!checked.success)
    throw new Error(`The answer of ${endpoint.id} breaks its contract`, { cause: checked.error });
  return jsonResponse(headers, endpoint.status, checked.data);
}

function bodyOfPage({ headers, services, request }: Exchange, page: Page<unknown>): readonly unknown[] {
  const { items, nextCursor, total } = page;
  if (nextCursor !== null) headers.set('link', nextLink(services.settings.baseUrl, request.url, nextCursor));
  if (total !== null) headers.set('x-total-count', String(total));
  return items;
}
