import {
  webhook as webhookContract,
  webhookFailure,
  type Webhook as WebhookObject,
} from '@/lib/contract/webhooks/webhook';
import type { Webhook } from '@/lib/generated/prisma/client';
import { reasonField } from '@/lib/core/reasons/reason';
import type { z } from 'zod';

/** The webhook object, without the secret. */
export function serializeWebhook(row: Webhook): WebhookObject {
  return {
    id: row.id,
    kind: 'webhook',
    userId: row.teamId,
    name: row.name,
    url: row.url,
    events: webhookContract.shape.events.parse(row.events),
    createdAt: row.createdAt.getTime(),
    ...(row.streamId === null ? {} : { streamId: row.streamId }),
    disabled: row.disabled,
    ...reasonOf(row),
    ...statusOf(row),
  };
}

/** Times of the last delivery and the last failure; absent before the first delivery. */
function statusOf({
  lastTriggered,
  lastFailure,
}: Webhook): Pick<WebhookObject, 'status'> | Record<string, never> {
  if (lastTriggered === null && lastFailure === null) return {};
  return {
    status: {
      ...(lastTriggered === null ? {} : { lastTriggeredAt: lastTriggered.getTime() }),
      ...(lastFailure === null ? {} : { lastFailure: failureOf(webhookFailure.parse(lastFailure)) }),
    },
  };
}

const failureOf = (failure: z.output<typeof webhookFailure>): z.output<typeof webhookFailure> => ({
  ...failure,
  ...reasonField('errorReason', failure.error),
});

function reasonOf({
  disabledReason,
}: Webhook): Pick<WebhookObject, 'disabledReason'> | Record<string, never> {
  return disabledReason === null ? {} : { disabledReason: disabledReason === 'gone' ? 'gone' : 'failing' };
}
