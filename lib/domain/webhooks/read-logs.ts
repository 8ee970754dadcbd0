import type { TeamContext } from '@/lib/domain/context';
import type { Page, QueryOf } from '@/lib/contract/define-endpoint';
import {
  type WebhookLog,
  webhookLogListFields,
  webhookRequest,
  webhookResponse,
} from '@/lib/contract/webhooks/webhook';
import type { listWebhookLogs as listWebhookLogsEndpoint } from '@/lib/contract/webhooks/webhook-log-endpoints';
import { readPage } from '@/lib/core/lists/list-page';
import { parseListQuery } from '@/lib/core/lists/list-query';
import type { WebhookAttempt } from '@/lib/generated/prisma/client';
import { requireAttempt, requireWebhook } from './internal';
import { reasonField } from '@/lib/core/reasons/reason';
import { omitUndefined } from '@/lib/core/omit-undefined';

/** API representation of a delivery attempt, for the webhook's owner. */
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
    ...reasonField('errorReason', row.error),
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
      ...omitUndefined({ statusText }),
      ...omitUndefined({ headers }),
      ...omitUndefined({ body }),
    },
  };
}

/** In the syntax of the query parameter `order`. */
const newestFirst = 'createdAt-true';
/** Entries per page by default, because an entry with its request and response may have tens of kilobytes. */
const DEFAULT_LIMIT = 500;

/**
 * One page of the delivery attempts of a webhook.
 * @throws AppError `not_found`, `bad_request` (filters, cursor), `invalid` (limit)
 */
export async function listLogs(
  ctx: TeamContext,
  { id, query }: { readonly id: string; readonly query: QueryOf<typeof listWebhookLogsEndpoint> },
): Promise<Page<WebhookLog>> {
  const request = parseListQuery(parseSuccessFilter(query), webhookLogListFields, newestFirst, DEFAULT_LIMIT);
  const { id: webhookId, teamId } = await requireWebhook(ctx, id);
  const scope = { webhookId, teamId };
  return readPage(request, {
    findRows: ({ conditions, orderBy, take }) =>
      ctx.db.webhookAttempt.findMany({ where: { ...scope, AND: conditions }, orderBy, take }),
    countRows: (conditions) => ctx.db.webhookAttempt.count({ where: { ...scope, AND: conditions } }),
    toItem: serializeLog,
  });
}

/** @throws AppError `not_found` */
export async function getLog(
  ctx: TeamContext,
  { id, logId }: { readonly id: string; readonly logId: string },
): Promise<WebhookLog> {
  await requireWebhook(ctx, id);
  return serializeLog(await requireAttempt(ctx, { id, logId }));
}

/** Converts the strings "true" and "false" in the filter `success`, which Studio API clients send, to booleans. */
function parseSuccessFilter<Q extends { readonly filters?: string }>(query: Q): Q {
  if (query.filters === undefined) return query;
  try {
    const filters = JSON.parse(query.filters, (_, node: unknown) =>
      isSuccessFilter(node) ? { id: node.id, value: node.value === 'true' } : node,
    ) as unknown;
    return { ...query, filters: JSON.stringify(filters) };
  } catch {
    // `parseListQuery` rejects malformed filters later.
    return query;
  }
}

function isSuccessFilter(node: unknown): node is { id: 'success'; value: 'true' | 'false' } {
  if (typeof node !== 'object' || node === null || !('id' in node) || !('value' in node)) return false;
  return node.id === 'success' && (node.value === 'true' || node.value === 'false');
}
