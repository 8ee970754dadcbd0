import {
  webhook as contract,
  webhookFailure,
  type Webhook as WebhookObject,
} from '@/lib/contract/webhooks/webhook';
import type { Webhook } from '@/lib/generated/prisma/client';

/** The webhook object, without the secret. */
export function serializeWebhook(row: Webhook): WebhookObject {
  return {
    id: row.id,
    kind: 'webhook',
    userId: row.teamId,
    name: row.name,
    url: row.url,
    events: contract.shape.events.parse(row.events),
    createdAt: row.createdAt.getTime(),
    ...(row.streamId === null ? {} : { streamId: row.streamId }),
    disabled: row.disabled,
    ...reasonOf(row),
    ...statusOf(row),
  };
}

/** Time of the last delivery and the last failure; absent before the first delivery. */
function statusOf({
  lastTriggered,
  lastFailure,
}: Webhook): Pick<WebhookObject, 'status'> | Record<string, never> {
  if (lastTriggered === null && lastFailure === null) return {};
  return {
    status: {
      ...(lastTriggered === null ? {} : { lastTriggeredAt: lastTriggered.getTime() }),
      ...(lastFailure === null ? {} : { lastFailure: webhookFailure.parse(lastFailure) }),
    },
  };
}

function reasonOf({
  disabledReason,
}: Webhook): Pick<WebhookObject, 'disabledReason'> | Record<string, never> {
  return disabledReason === null ? {} : { disabledReason: disabledReason === 'gone' ? 'gone' : 'failing' };
}
