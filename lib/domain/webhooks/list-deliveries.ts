import type { TeamContext } from '@/lib/domain/context';
import type { Page, QueryOf } from '@/lib/contract/define-endpoint';
import { webhookDeliveryListFields, type WebhookDelivery as Delivery } from '@/lib/contract/webhooks/webhook';
import type { listWebhookDeliveries as listWebhookDeliveriesEndpoint } from '@/lib/contract/webhooks/webhook-dashboard-endpoints';
import { readPage } from '@/lib/core/lists/list-page';
import { parseListQuery } from '@/lib/core/lists/list-query';
import type { Event, WebhookDelivery } from '@/lib/generated/prisma/client';
import { requireWebhook } from './internal';

/** In the syntax of the query parameter `order`. */
const newestFirst = 'createdAt-true';
const withEvent = { event: { select: { name: true, test: true } } } as const;

/**
 * One page of the deliveries of a webhook.
 * @throws AppError `not_found`, `bad_request` (filters, cursor), `invalid` (limit)
 */
export async function listDeliveries(
  ctx: TeamContext,
  { id, query }: { readonly id: string; readonly query: QueryOf<typeof listWebhookDeliveriesEndpoint> },
): Promise<Page<Delivery>> {
  const request = parseListQuery(query, webhookDeliveryListFields, newestFirst);
  const { id: webhookId } = await requireWebhook(ctx, id);
  return readPage(request, {
    findRows: ({ conditions, orderBy, take }) =>
      ctx.db.webhookDelivery.findMany({
        where: { webhookId, AND: conditions },
        include: withEvent,
        orderBy,
        take,
      }),
    countRows: (conditions) => ctx.db.webhookDelivery.count({ where: { webhookId, AND: conditions } }),
    toItem: serialize,
  });
}

function serialize(row: WebhookDelivery & { event: Pick<Event, 'name' | 'test'> }): Delivery {
  const { state } = row;
  const { name, test } = row.event;
  return {
    id: row.id,
    eventId: row.eventId,
    event: name,
    state,
    attempts: row.attempt,
    test,
    createdAt: row.createdAt.getTime(),
    ...(state === 'pending' && row.nextAt ? { nextAttemptAt: row.nextAt.getTime() } : {}),
  };
}
