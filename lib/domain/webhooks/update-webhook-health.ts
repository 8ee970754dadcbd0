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

/** Summary of the results of one webhook. `givenUp` counts the deliveries that failed for good since the last success. */
interface ResultSummary {
  readonly webhookId: string;
  readonly teamId: string;
  /** Whether a delivery was accepted, which clears earlier failures. */
  recovered: boolean;
  /** Whether the last attempt failed. */
  failing: boolean;
  givenUp: number;
  failure: object | null;
  has410Response: boolean;
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
  // Rows are locked in a fixed order to avoid deadlocks.
  await ctx.db.$queryRaw`
    select 1 from "Webhook" where "id" = any(${ids}::uuid[]) order by "id" for no key update`;
  const updatedRows = await ctx.db.$queryRaw<{ id: string; failingForMs: number | null; givenUp: number }[]>`
    update "Webhook" w set "lastTriggered" = now(), "lastFailure" = coalesce(m."failure", w."lastFailure"),
      "failingSince" = case when not m."failing" then null when m."recovered" then now()
        else coalesce(w."failingSince", now()) end,
      "givenUp" = case when m."recovered" then 0 else w."givenUp" end + m."givenUp"
    from jsonb_to_recordset(${JSON.stringify(summaries)}::jsonb) as m(
      "webhookId" uuid, "recovered" boolean, "failing" boolean, "givenUp" int, "failure" jsonb)
    where w."id" = m."webhookId"
    returning w."id", extract(epoch from now() - w."failingSince")::float * 1000 as "failingForMs", w."givenUp"`;
  const failingWebhookIds = new Set(updatedRows.filter(shouldDisable).map(({ id }) => id));
  for (const summary of summaries) {
    if (summary.has410Response) await disableWebhook(ctx, summary, 'gone');
    else if (failingWebhookIds.has(summary.webhookId)) await disableWebhook(ctx, summary, 'failing');
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
      givenUp: 0,
      failure: null,
      has410Response: false,
    };
    const summary = summaries.get(webhookId) ?? newSummary;
    summaries.set(webhookId, summary);
    if (outcome.result === 'accepted') {
      Object.assign(summary, { recovered: true, failing: false, givenUp: 0 });
      continue;
    }
    summary.failing = true;
    summary.givenUp += deliveryFailed ? 1 : 0;
    summary.has410Response ||= outcome.result === 'gone';
    summary.failure = failureOf(outcome, now);
  }
  return summaries;
}

/** `lastFailure` of the webhook object. */
function failureOf({ status, error, response }: AttemptResult['outcome'], timestamp: number): object {
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
  reason: string,
): Promise<void> {
  const where = { id: webhookId, disabled: false };
  const { count } = await ctx.db.webhook.updateMany({
    where,
    data: { disabled: true, disabledReason: reason },
  });
  if (count > 0) await recordAudit(ctx, { action: 'webhook.switched-off', objectId: webhookId, teamId });
}
