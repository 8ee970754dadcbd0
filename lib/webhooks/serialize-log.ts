import { webhookRequest, webhookResponse, type WebhookLog } from '@/lib/contract/webhook';
import type { WebhookAttempt } from '@/lib/generated/prisma/client';

/** One delivery attempt, for the webhook's owner. */
export function serializeLog(row: WebhookAttempt): WebhookLog {
  return {
    id: row.id,
    webhookId: row.webhookId,
    deliveryId: row.deliveryId,
    event: row.event,
    ...(row.resourceId === null ? {} : { resourceId: row.resourceId }),
    attempt: row.attempt,
    createdAt: row.createdAt.getTime(),
    ...(row.durationMs === null ? {} : { duration: row.durationMs / 1000 }),
    success: row.success,
    ...(row.error === null ? {} : { error: row.error }),
    ...(row.nextAt === null ? {} : { nextAttemptAt: row.nextAt.getTime() }),
    ...(row.request === null ? {} : { request: webhookRequest.parse(row.request) }),
    ...(row.ip === null ? {} : { ip: row.ip }),
    ...responseOf(row),
  };
}

function responseOf({
  statusCode,
  response,
}: WebhookAttempt): Pick<WebhookLog, 'response'> | Record<string, never> {
  if (statusCode === null && response === null) return {};
  const { statusText, headers, body } = webhookResponse.parse(response ?? {});
  return {
    response: {
      ...(statusCode === null ? {} : { status: statusCode }),
      ...(statusText === undefined ? {} : { statusText }),
      ...(headers === undefined ? {} : { headers }),
      ...(body === undefined ? {} : { body }),
    },
  };
}
