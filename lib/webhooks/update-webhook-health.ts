import { recordAudit } from '@/lib/audit';
import type { SystemContext } from '@/lib/context';
import { shouldDisable } from '@/lib/core/webhooks/delivery-state';
import type { StartedDelivery } from './start-deliveries';
import type { Outcome } from './send-delivery';

/** The result of one attempt for its webhook. */
export interface Verdict {
  readonly started: Pick<StartedDelivery, 'webhookId' | 'userId'>;
  readonly outcome: Pick<Outcome, 'result' | 'error' | 'status' | 'response'>;
  /** It was the last attempt of its delivery. */
  readonly gaveUp: boolean;
}

/** All attempts of one webhook together. */
interface WebhookHealth {
  readonly webhookId: string;
  readonly userId: string;
  /** A delivery was accepted: earlier failures no longer count. */
  forgiven: boolean;
  /** Failures since then, if any. */
  failing: boolean;
  givenUp: number;
  failure: object | null;
  gone: boolean;
}

/**
 * Stores the results of delivery attempts and disables webhooks that answered 410 or failed for days.
 * @param verdicts in the order in which the attempts ended
 */
export async function updateWebhookHealth(ctx: SystemContext, verdicts: readonly Verdict[]): Promise<void> {
  const standings = [...healthOf(verdicts, ctx.clock.now().getTime()).values()];
  if (standings.length === 0) return;
  const ids = standings.map(({ webhookId }) => webhookId);
  // Always lock in the same order, to avoid deadlocks.
  await ctx.db.$queryRaw`
    select 1 from "Webhook" where "id" = any(${ids}::uuid[]) order by "id" for no key update`;
  const judged = await ctx.db.$queryRaw<{ id: string; failingForMs: number | null; givenUp: number }[]>`
    update "Webhook" w set "lastTriggered" = now(), "lastFailure" = coalesce(m."failure", w."lastFailure"),
      "failingSince" = case when not m."failing" then null when m."forgiven" then now()
        else coalesce(w."failingSince", now()) end,
      "givenUp" = case when m."forgiven" then 0 else w."givenUp" end + m."givenUp"
    from jsonb_to_recordset(${JSON.stringify(standings)}::jsonb) as m(
      "webhookId" uuid, "forgiven" boolean, "failing" boolean, "givenUp" int, "failure" jsonb)
    where w."id" = m."webhookId"
    returning w."id", extract(epoch from now() - w."failingSince")::float * 1000 as "failingForMs", w."givenUp"`;
  const hopeless = new Set(judged.filter(shouldDisable).map(({ id }) => id));
  for (const standing of standings) {
    if (standing.gone) await switchOff(ctx, standing, 'gone');
    else if (hopeless.has(standing.webhookId)) await switchOff(ctx, standing, 'failing');
  }
}

function healthOf(verdicts: readonly Verdict[], now: number): Map<string, WebhookHealth> {
  const standings = new Map<string, WebhookHealth>();
  for (const { started, outcome, gaveUp } of verdicts) {
    const { webhookId, userId } = started;
    const fresh: WebhookHealth = {
      webhookId,
      userId,
      forgiven: false,
      failing: false,
      givenUp: 0,
      failure: null,
      gone: false,
    };
    const standing = standings.get(webhookId) ?? fresh;
    standings.set(webhookId, standing);
    if (outcome.result === 'accepted') {
      Object.assign(standing, { forgiven: true, failing: false, givenUp: 0 });
      continue;
    }
    standing.failing = true;
    standing.givenUp += gaveUp ? 1 : 0;
    standing.gone ||= outcome.result === 'gone';
    standing.failure = failureOf(outcome, now);
  }
  return standings;
}

/** The last one is shown with the webhook. */
function failureOf({ status, error, response }: Verdict['outcome'], timestamp: number): object {
  return {
    timestamp,
    ...(status === undefined ? {} : { statusCode: status }),
    error,
    ...(response === undefined ? {} : { response: response.body }),
  };
}

async function switchOff(
  ctx: SystemContext,
  { webhookId, userId }: WebhookHealth,
  reason: string,
): Promise<void> {
  const where = { id: webhookId, disabled: false };
  const { count } = await ctx.db.webhook.updateMany({
    where,
    data: { disabled: true, disabledReason: reason },
  });
  if (count > 0) await recordAudit(ctx, { action: 'webhook.switched-off', objectId: webhookId, userId });
}
