import { recordAudit } from '@/lib/audit';
import { transact, type SystemContext } from '@/lib/context';
import { isHopeless, nextDeliveryState, statesBefore, type DeliveryEvent } from '@/lib/core/delivery-state';
import { nextTry } from '@/lib/core/retry-schedule';
import type { Prisma } from '@/lib/generated/prisma/client';
import type { ClaimedDelivery } from './claim-deliveries';
import type { Outcome } from './send-delivery';

/** What follows an attempt. */
interface Decision {
  readonly event: DeliveryEvent;
  readonly nextAt: Date | null;
}

/**
 * Writes down what came of an attempt and plans the next one, in one transaction. An attempt that lost its lease
 * changes nothing but its own entry, unless it was accepted.
 * @returns when the next attempt is due; null when there is none
 */
export async function recordOutcome(
  ctx: SystemContext,
  claimed: ClaimedDelivery,
  outcome: Outcome,
): Promise<Date | null> {
  const decision = decide(ctx, claimed, outcome);
  return transact(ctx, async (tx) => {
    await tx.db.webhookAttempt.updateMany({
      where: { id: claimed.attemptId },
      data: entryOf(outcome, decision),
    });
    const changed = await advance(tx, claimed, decision, outcome.result === 'stopped');
    if (outcome.result !== 'stopped' && outcome.result !== 'switched_off')
      await judgeWebhook(tx, claimed, outcome, changed && decision.event === 'exhausted');
    return decision.nextAt;
  });
}

function decide(ctx: SystemContext, claimed: ClaimedDelivery, outcome: Outcome): Decision {
  const { result, retryAfterMs, durationMs } = outcome;
  const startedAt = claimed.startedAt.getTime();
  const endedAt = startedAt + durationMs;
  if (result === 'stopped') return { event: 'refused', nextAt: new Date(endedAt) };
  if (result !== 'refused') return { event: result, nextAt: null };
  const at = nextTry({
    tries: claimed.attempt - claimed.triesBefore,
    firstAt: claimed.firstAt.getTime(),
    startedAt,
    endedAt,
    retryAfterMs,
    random: Math.random(),
    baseMs: ctx.settings.webhookRetryBaseMs,
  });
  return at === null ? { event: 'exhausted', nextAt: null } : { event: 'refused', nextAt: new Date(at) };
}

function entryOf(outcome: Outcome, { nextAt }: Decision): Prisma.WebhookAttemptUncheckedUpdateManyInput {
  const { result, error, request, status, response, durationMs } = outcome;
  return {
    success: result === 'accepted',
    error: error ?? null,
    durationMs,
    nextAt,
    ...(request === undefined ? {} : { request: { ...request } }),
    ...(response === undefined ? {} : { response: { ...response } }),
    ...(status === undefined ? {} : { statusCode: status }),
  };
}

/** @returns whether the delivery took notice */
async function advance(
  ctx: SystemContext,
  { id, attempt, triesBefore }: ClaimedDelivery,
  { event, nextAt }: Decision,
  stopped: boolean,
): Promise<boolean> {
  const state = nextDeliveryState('pending', event);
  const accepted = event === 'accepted';
  // Somebody asked for it again while it was under way: that wish is younger than this result.
  const wished = ctx.db.$executeRaw`
    update "WebhookDelivery" set "lockedUntil" = null
    where "id" = ${id}::uuid and "attempt" = ${attempt} and "triesBefore" <> ${triesBefore} and "state" = 'pending'`;
  if ((await wished) > 0) return false;
  const changed = await ctx.db.$executeRaw`
    update "WebhookDelivery" set "state" = ${state}, "nextAt" = ${nextAt}, "lockedUntil" = null,
      "triesBefore" = "triesBefore" + ${stopped ? 1 : 0}
    where "id" = ${id}::uuid and "state" = any(${statesBefore(event)}) and "triesBefore" = ${triesBefore}
      and (${accepted} or "attempt" = ${attempt})`;
  return changed > 0;
}

/** Keeps how the webhook does, and switches it off when it says so itself or after days of nothing but failure. */
async function judgeWebhook(
  ctx: SystemContext,
  { webhookId, userId }: ClaimedDelivery,
  outcome: Outcome,
  gaveUp: boolean,
): Promise<void> {
  if (outcome.result === 'accepted') {
    await ctx.db.$executeRaw`
      update "Webhook" set "lastTriggered" = now(), "failingSince" = null, "givenUp" = 0
      where "id" = ${webhookId}::uuid`;
    return;
  }
  const failure = JSON.stringify({
    timestamp: ctx.clock.now().getTime(),
    ...(outcome.status === undefined ? {} : { statusCode: outcome.status }),
    error: outcome.error,
    ...(outcome.response === undefined ? {} : { response: outcome.response.body }),
  });
  const [webhook] = await ctx.db.$queryRaw<{ failingForMs: number; givenUp: number }[]>`
    update "Webhook" set "lastTriggered" = now(), "lastFailure" = ${failure}::jsonb,
      "failingSince" = coalesce("failingSince", now()), "givenUp" = "givenUp" + ${gaveUp ? 1 : 0}
    where "id" = ${webhookId}::uuid
    returning extract(epoch from now() - "failingSince")::float * 1000 as "failingForMs", "givenUp"`;
  if (outcome.result === 'gone') await switchOff(ctx, { webhookId, userId, reason: 'gone' });
  else if (webhook && isHopeless(webhook)) await switchOff(ctx, { webhookId, userId, reason: 'failing' });
}

async function switchOff(
  ctx: SystemContext,
  {
    webhookId,
    userId,
    reason,
  }: { readonly webhookId: string; readonly userId: string; readonly reason: string },
): Promise<void> {
  const where = { id: webhookId, disabled: false };
  const { count } = await ctx.db.webhook.updateMany({
    where,
    data: { disabled: true, disabledReason: reason },
  });
  if (count > 0) await recordAudit(ctx, { action: 'webhook.switched-off', objectId: webhookId, userId });
}
