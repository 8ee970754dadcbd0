import type { TeamContext } from '@/lib/domain/context';
import type { Page, QueryOf } from '@/lib/contract/define-endpoint';
import { type Webhook, webhookListFields } from '@/lib/contract/webhooks/webhook';
import type { listWebhooks as listWebhooksEndpoint } from '@/lib/contract/webhooks/webhook-endpoints';
import { readPage } from '@/lib/core/lists/list-page';
import { parseListQuery } from '@/lib/core/lists/list-query';
import { requireWebhook } from './internal';
import { serializeWebhook } from './serialize';

/** @throws AppError `not_found` */
export async function getWebhook(ctx: TeamContext, id: string): Promise<Webhook> {
  return serializeWebhook(await requireWebhook(ctx, id));
}

/** In the syntax of the query parameter `order`. */
const newestFirst = 'createdAt-true';

/**
 * One page of the team's webhooks, newest first by default.
 * @throws AppError `bad_request` (filters, cursor), `invalid` (limit)
 */
export async function listWebhooks(
  ctx: TeamContext,
  query: QueryOf<typeof listWebhooksEndpoint>,
): Promise<Page<Webhook>> {
  const request = parseListQuery(query, webhookListFields, newestFirst);
  const scope = { teamId: ctx.actor.teamId, deletedAt: null };
  return readPage(request, {
    findRows: ({ conditions, orderBy, take }) =>
      ctx.db.webhook.findMany({ where: { ...scope, AND: conditions }, orderBy, take }),
    countRows: (conditions) => ctx.db.webhook.count({ where: { ...scope, AND: conditions } }),
    toItem: serializeWebhook,
  });
}
