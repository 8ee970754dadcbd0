import type { AccountContext } from '@/lib/context';
import type { Page, QueryOf } from '@/lib/contract/define-endpoint';
import { webhookListFields, type Webhook } from '@/lib/contract/webhook';
import type { listWebhooks as endpoint } from '@/lib/contract/webhook-endpoints';
import { readPage } from '@/lib/core/list-page';
import { parseListQuery } from '@/lib/core/list-query';
import { serializeWebhook } from './serialize';

const defaultOrder = 'id-false';

/**
 * One page of the account's webhooks.
 * @throws AppError `bad_request` (filters, cursor), `invalid` (limit)
 */
export async function listWebhooks(
  ctx: AccountContext,
  query: QueryOf<typeof endpoint>,
): Promise<Page<Webhook>> {
  const request = parseListQuery(query, webhookListFields, defaultOrder);
  const scope = { userId: ctx.actor.userId, deletedAt: null };
  return readPage(request, {
    rows: ({ conditions, orderBy, take }) =>
      ctx.db.webhook.findMany({ where: { ...scope, AND: conditions }, orderBy, take }),
    count: (conditions) => ctx.db.webhook.count({ where: { ...scope, AND: conditions } }),
    item: serializeWebhook,
  });
}
