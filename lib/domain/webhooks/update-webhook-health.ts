import { recordAudit } from '@/lib/domain/audit';
import type { SystemContext } from '@/lib/domain/context';
import { shouldDisable } from '@/lib/core/webhooks/delivery-state';
import type { StartedDelivery } from './start-deliveries';
import type { Outcome } from './send-delivery';
import { omitUndefined } from '@/lib/core/omit-undefined';

export interface AttemptResult {
  readonly attempt: Pick<StartedDelivery, 'webhookId' | 'teamId'>;
  readonly outcome: Pick<Outcome, 'result' | 'error' | 'status' | 'response'>;
  /** Whether the delivery failed with this attempt. */
  readonly deliveryFailed: boolean;
}

/** Summary of the results of one webhook in one batch. */
interface ResultSummary {
  readonly webhookId: string;
  readonly teamId: string;
  /** Whether a delivery of the batch was accepted, which clears earlier failures. */
  recovered: boolean;
  /** Whether the last attempt failed. */
  failing: boolean;
  /** Number of deliveries that used up their attempts after the last accepted one of the batch. */
  failedDeliveryCount: number;
  /** The last failure; null without failures. */
  lastFailure: WebhookFailure | null;
  has410Response: boolean;
}

/** `lastFailure` of the webhook object. */
interface WebhookFailure {
  /** Unix milliseconds. */
  readonly timestamp: number;
  readonly statusCode?: number;
  readonly error: Outcome['error'];
  /** Beginning of the body of the response. */
  readonly response?: string;
}

/**
 * Updates the failure state of webhooks after delivery attempts. Disables webhooks that responded with 410, and webhooks
 * whose attempts have failed for days.
 * @param results in the order in which the attempts ended
 */
export async function updateWebhookHealth(
  ctx: SystemContext,
  results: readonly AttemptResult[],
): Promise<void> {
  const summaries = [...summarize(results, ctx.clock.now().getTime()).values()];
  if (summaries.length === 0) return;
  const ids = summaries.map(({ webhookId }) => webhookId);
  // Rows are locked in a fixed order to avoid deadlocks. The times in them are those of the database, because the clocks of nodes
  // can differ.
  await ctx.db.$queryRaw`
    select 1 from "Webhook" where "id" = any(${ids}::uuid[]) order by "id" for no key update`;
  const updatedRows = await ctx.db.$queryRaw<{ id: string; failingForMs: number | null; givenUp: number }[]>`
    update "Webhook" w set
      "lastTriggered" = now(),
      "lastFailure" = coalesce(summary."lastFailure", w."lastFailure"),
      "failingSince" = case
        when not summary."failing" then null
        when summary."recovered" then now()
        else coalesce(w."failingSince", now())
      end,
      "givenUp" = summary."failedDeliveryCount" + case when summary."recovered" then 0 else w."givenUp" end
    from jsonb_to_recordset(${JSON.stringify(summaries)}::jsonb) as summary(
      "webhookId" uuid, "recovered" boolean, "failing" boolean, "failedDeliveryCount" int, "lastFailure" jsonb)
    where w."id" = summary."webhookId"
    returning w."id", extract(epoch from now() - w."failingSince")::float * 1000 as "failingForMs", w."givenUp"`;
  const idsToDisable = new Set(updatedRows.filter(shouldDisable).map(({ id }) => id));
  for (const summary of summaries) {
    if (summary.has410Response) await disableWebhook(ctx, summary, 'gone');
    else if (idsToDisable.has(summary.webhookId)) await disableWebhook(ctx, summary, 'failing');
  }
}

function summarize(results: readonly AttemptResult[], now: number): Map<string, ResultSummary> {
  const summaries = new Map<string, ResultSummary>();
  for (const { attempt, outcome, deliveryFailed } of results) {
    const { webhookId, teamId } = attempt;
    const newSummary: ResultSummary = {
      webhookId,
      teamId,
      recovered: false,
      failing: false,
      failedDeliveryCount: 0,
      lastFailure: null,
      has410Response: false,
    };
    const summary = summaries.get(webhookId) ?? newSummary;
    summaries.set(webhookId, summary);
    if (outcome.result === 'accepted') {
      summary.recovered = true;
      summary.failing = false;
      summary.failedDeliveryCount = 0;
      continue;
    }
    summary.failing = true;
    summary.failedDeliveryCount += deliveryFailed ? 1 : 0;
    summary.has410Response ||= outcome.result === 'gone';
    summary.lastFailure = describeFailure(outcome, now);
  }
  return summaries;
}

function describeFailure(
  { status, error, response }: AttemptResult['outcome'],
  timestamp: number,
): WebhookFailure {
  return {
    timestamp,
    ...omitUndefined({ statusCode: status }),
    error,
    ...omitUndefined({ response: response?.body }),
  };
}

async function disableWebhook(
  ctx: SystemContext,
  { webhookId, teamId }: ResultSummary,
  reason: 'gone' | 'failing',
): Promise<void> {
  const where = { id: webhookId, disabled: false };
  const { count } = await ctx.db.webhook.updateMany({
    where,
    data: { disabled: true, disabledReason: reason },
  });
  if (count > 0) await recordAudit(ctx, { action: 'webhook.switched-off', objectId: webhookId, teamId });
}
