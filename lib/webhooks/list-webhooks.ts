import type { AccountContext } from '@/lib/context';
import type { Page, QueryOf } from '@/lib/contract/define-endpoint';
import { webhookListFields, type Webhook } from '@/lib/contract/webhook';
import type { listWebhooks as endpoint } from '@/lib/contract/webhook-endpoints';
import { cursorAfter, parseListQuery } from '@/lib/core/list-query';
import { conditionsOf, filterConditionsOf, orderByOf } from '@/lib/core/list-where';
import { serializeWebhook } from './serialize';

const defaultOrder = 'id-false';

/**
 * One page of the account's webhooks (specification §4.6, api-contract §2.1).
 * @throws AppError `bad_request` (filters, cursor), `invalid` (limit)
 */
export async function listWebhooks(
  ctx: AccountContext,
  query: QueryOf<typeof endpoint>,
): Promise<Page<Webhook>> {
  const request = parseListQuery(query, webhookListFields, defaultOrder);
  const scope = { userId: ctx.actor.userId, deletedAt: null };
  const rows = await ctx.db.webhook.findMany({
    where: { ...scope, AND: conditionsOf(request) },
    orderBy: orderByOf(request.order),
    // One more than asked for tells whether another page exists.
    take: request.limit + 1,
  });
  const page = rows.slice(0, request.limit);
  const last = page.at(-1);
  return {
    items: page.map(serializeWebhook),
    nextCursor: last && rows.length > page.length ? cursorAfter(last, request.order) : null,
    total: request.count
      ? await ctx.db.webhook.count({ where: { ...scope, AND: filterConditionsOf(request) } })
      : null,
  };
}
